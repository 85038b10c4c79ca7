// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("The record of what a daemon drives")
struct DrivenRecordTests: AfterDaemon {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A record that cannot be trusted is reported, and the configuration counts")
    func untrustedNote() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        try killBoth(daemon, guardian)
        chmod(folder.path("hapticd.sock.outputs"), 0o666)
        let ended = try switchOff(configuration)
        #expect(ended.status == 1)
        #expect(
            ended.errors.contains("hapticd.sock.outputs") && ended.errors.contains("others may write it"), "\(ended.errors)"
        )
        #expect(chip.duty == 0)
    }

    @Test("The next daemon switches off what the one before it had and it has not, and leaves no record at an end in order")
    func nextDaemonWithAnotherConfiguration() throws {
        let (chip, other) = (try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"))
        let (daemon, guardian) = try shaking(chip, configuration(chip.actuator("main")))
        try killBoth(daemon, guardian)
        #expect(chip.duty > 0)
        let (next, _) = try shaking(other, configuration(other.actuator("main")))
        #expect(chip.duty == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path("hapticd.sock.outputs")))
        #expect(try next.stop().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("hapticd.sock.outputs")))
    }

    /// Has every write to the channel's files fail, or puts back what was there.
    private func spoil(_ chip: FileChip) throws {
        for file in ["duty_cycle", "enable"] {
            let path = chip.folder.appendingPathComponent("pwm0/\(file)").path
            try FileManager.default.moveItem(atPath: path, toPath: path + ".good")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        }
    }

    private func repair(_ chip: FileChip) throws {
        for file in ["duty_cycle", "enable"] {
            let path = chip.folder.appendingPathComponent("pwm0/\(file)").path
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".good", toPath: path)
        }
    }

    // Half a second for the outputs, a second for the guard: a busy machine may need more.
    @Test(
        "An output that the next daemon could not switch off is not forgotten, neither by it nor at its end in order",
        .enabled(if: isNightly))
    func notForgotten() throws {
        let (chip, other) = (try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"))
        let (daemon, guardian) = try shaking(chip, configuration(chip.actuator("main")))
        try killBoth(daemon, guardian)
        try spoil(chip)
        let (next, _) = try shaking(other, configuration(other.actuator("main")))
        try wait(for: "the failure to be reported") { next.program.errors.contains("`main` could not be switched off") }
        #expect(record.contains("pwmchip0") && record.contains("pwmchip1"), "\(record)")
        #expect(try next.stop().status == 0)
        #expect(other.duty == 0)
        #expect(record.contains("pwmchip0") && !record.contains("pwmchip1"), "\(record)")
        try repair(chip)
        #expect(chip.duty > 0)
        #expect(try switchOff(configuration(other.actuator("main"))).status == 0)
        #expect(chip.duty == 0)
        #expect(record == "")
    }

    // Half a second for the outputs, a second for the guard: a busy machine may need more.
    @Test(
        "An output that a reload has taken away and that could not be switched off then is not forgotten", .enabled(if: isNightly)
    )
    func notForgottenByReload() throws {
        let (chip, other) = (try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"))
        let (daemon, _) = try shaking(chip, configuration(chip.actuator("main")))
        try spoil(chip)
        _ = try configuration(other.actuator("main"))
        daemon.program.signal(SIGHUP)
        try wait(for: "the other channel to be written down") { record.contains("pwmchip1") }
        #expect(record.contains("pwmchip0"), "\(record)")
        try repair(chip)
        #expect(try daemon.stop().status == 0)
        #expect(record == "", "it has been seen off at the end")
    }

    // Two seconds for the outputs, one for the guard: a busy machine may need more.
    @Test("The record of the next daemon survives the end of switching off after the one before", .enabled(if: isNightly))
    func nextRecord() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        try killBoth(daemon, guardian)
        // It waits for a reader.
        let enable = chip.folder.appendingPathComponent("pwm0/enable").path
        try FileManager.default.removeItem(atPath: enable)
        try #require(mkfifo(enable, 0o600) == 0)
        let switchOff = try Program(
            "hapticd", ["--switch-off", "--config", configuration, "--socket", folder.path("hapticd.sock")], in: folder)
        try wait(for: "the channel to be switched off") { chip.duty == 0 }
        let next = try Program("hapticd", ["--config", configuration, "--socket", folder.path("hapticd.sock")], in: folder)
        try wait(for: "the next daemon's guard to be begun") { (try? children(of: next.processIdentifier))?.isEmpty == false }
        let reader = open(enable, O_RDWR)
        defer { close(reader) }
        let ended = try switchOff.wait()
        #expect((ended.status, ended.errors) == (0, ""))
        try wait(for: "the next daemon to listen; it said \(next.errors)") { next.errors.contains("listens on") }
        #expect(record.contains("pwmchip0"), "\(next.errors)")
        // It reads that file, which nobody writes.
        next.signal(SIGKILL)
        _ = try next.wait()
    }
}
