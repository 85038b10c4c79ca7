// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticd --switch-off, and the next daemon", .ownThreads)
struct SwitchOffTests {
    private let after: AfterDaemon
    private let chip: FileChip
    private var folder: TemporaryFolder { after.folder }

    init() throws {
        after = try AfterDaemon()
        chip = try FileChip(in: after.folder)
    }

    private func other() throws -> FileChip { try FileChip(in: folder, name: "pwmchip1") }

    @Test("An output that a daemon left on when it was killed together with its guard is switched off")
    func bothKilled() throws {
        let configuration = try after.configuration(chip.actuator("main"))
        let (daemon, guardian) = try after.shaking(chip, configuration)
        try after.killBoth(daemon.program, guardian, chip)
        let ended = try after.switchOff(configuration)
        #expect(ended.quietStatus == 0, "\(ended)")
        #expect(ended.output.hasPrefix("switched off: "))
        #expect(chip.duty == 0)
    }

    @Test("The guard of a killed daemon has switched off, and leaves")
    func daemonKilled() throws {
        let configuration = try after.configuration(chip.actuator("main"))
        let (daemon, guardian) = try after.shaking(chip, configuration)
        _ = try daemon.stop(SIGKILL)
        #expect(try after.switchOff(configuration).status == 0)
        #expect(chip.duty == 0)
        try wait(for: "the guard to end") { hasEnded(guardian) }
    }

    @Test("A killed guard is replaced while the daemon lives, and the new one switches off after the daemon")
    func guardReplaced() throws {
        let (daemon, guardian) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        kill(guardian, SIGKILL)
        var next: Int32?
        // The new guard protects the outputs as soon as it has their descriptors.
        try wait(for: "another guard with the outputs") {
            next = try children(of: daemon.program.processIdentifier).first {
                // Between fork and exec a child has all descriptors of its parent.
                let name = try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
                return $0 != guardian && name == "haptic-guard\n" && openFiles(of: $0).contains { $0.hasPrefix(chip.folder.path) }
            }
            return next != nil
        }
        #expect(chip.duty > 0)
        _ = try daemon.stop(SIGKILL)
        try wait(for: "the new guard to switch off") { chip.duty == 0 }
        #expect(try after.switchOff(folder.path("hapticd.yaml")).status == 0)
        try wait(for: "the new guard to end") { next.map(hasEnded) == true }
    }

    @Test("Outputs that the daemon had are switched off silently if the configuration cannot be used any more")
    func brokenConfiguration() throws {
        let (daemon, guardian) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        try after.killBoth(daemon.program, guardian, chip)
        let ended = try after.switchOff(folder.configure(actuators: "nonsense"))
        #expect((ended.status, ended.errors) == (0, ""))
        #expect(chip.duty == 0)
    }

    @Test("Outputs that the daemon had are switched off, whatever the configuration contains by now")
    func changedConfiguration() throws {
        let other = try other()
        let (daemon, guardian) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        try after.killBoth(daemon.program, guardian, chip)
        try other.switchOn()
        let changed = try after.configuration(other.actuator("main"))
        #expect(try after.switchOff(changed).status == 0)
        #expect((chip.duty, other.duty > 0) == (0, true), "the other one is another program's, as far as that daemon knew")
        #expect(try after.switchOff(changed).status == 0)
        #expect(other.duty == 0, "the record has done its work, so the configuration counts")
    }

    /// Without `--socket` the system's place is asked, too: a hapticd that runs there, or what one has left on, is not the test's.
    private static let isSystemPlaceFree = !["guard", "outputs"].contains { access("/run/hapticd/hapticd.sock.\($0)", F_OK) == 0 }

    @Test(
        "The record is found if the configuration has moved the socket since, or has no outputs any more",
        .enabled(if: isSystemPlaceFree))
    func movedSocket() throws {
        func text(_ socket: String, _ actuator: String) throws -> String {
            let path = folder.path(socket)
            return try folder.write("version: 1\nsocket: { path: \(path) }\nactuators:\n\(actuator)", to: "hapticd.yaml")
        }
        let environment = ["RUNTIME_DIRECTORY": folder.path("run")]
        let file = try text("first.sock", chip.actuator("main"))
        let daemon = try Program("hapticd", ["--config", file], environment: environment, in: folder)
        try daemon.wait(toSay: "listens on")
        try after.shake(Connection(to: folder.path("first.sock")), chip)
        try after.killBoth(daemon, try #require(children(of: daemon.processIdentifier).first), chip)
        _ = try text("second.sock", "  - { name: main, backend: simulated }\n")
        let ended = try Program("hapticd", ["--switch-off", "--config", file], environment: environment, in: folder).wait()
        #expect(chip.duty == 0, "\(ended.errors)")
        #expect(!folder.has("run/hapticd.sock.outputs"))
    }

    @Test("An output of a living daemon is left to it")
    func living() throws {
        let configuration = try after.configuration(chip.actuator("main"))
        let (daemon, guardian) = try after.shaking(chip, configuration)
        let ended = try after.switchOff(configuration)
        #expect(ended.status == 1)
        #expect(ended.errors.contains("a hapticd is running"), "\(ended.errors)")
        #expect(ended.errors.contains("process \(guardian)"), "\(ended.errors)")
        #expect(chip.duty > 0)
        #expect(try daemon.stop().status == 0)
        #expect(chip.duty == 0)
    }

    @Test("Each output that could not be switched off has a line with the remedy, and one that hangs keeps no other on")
    func refusals() throws {
        let (broken, hanging) = (try other(), try FileChip(in: folder, name: "pwmchip2", hangs: true))
        for chip in [chip, broken] { try chip.switchOn() }
        try broken.spoil()
        let pad = "  - { name: pad, backend: evdev, match: { name: \"hapticd test without this pad\" } }\n"
        let ended = try after.switchOff(
            after.configuration(hanging.actuator("hanging"), broken.actuator("broken"), chip.actuator("good"), pad))
        #expect(ended.status == 1)
        try #require(ended.errorLines.count == 2, "\(ended.errors)")
        for (line, (name, remedy)) in zip(ended.errorLines, [("hanging", "unplug it"), ("broken", "dmesg")]) {
            #expect(line.hasPrefix("hapticd: the actuator `\(name)` could not be switched off: "))
            #expect(line.contains(remedy))
        }
        #expect(chip.duty == 0)
    }

    @Test("Without a record an unusable configuration is reported, and a group that has gone since leaves nothing on")
    func noRecord() throws {
        let ended = try after.switchOff(folder.configure(actuators: "nonsense"))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("nothing is switched off: the configuration"))
        #expect(ended.errorLines.count == 1)
        try chip.switchOn()
        let gone = "version: 1\naccess: { reload: { groups: [no-such-group] } }\nactuators:\n\(chip.actuator("main"))"
        #expect(try after.switchOff(folder.write(gone, to: "hapticd.yaml")).quietStatus == 0)
        #expect(chip.duty == 0)
        #expect(try after.switchOff(folder.configure()).quietStatus == 0, "there is nothing to do")
        let both = try after.start("--switch-off", "--check").wait()
        #expect(both.status == 2)
        #expect(both.errors.contains("leave one out"))
    }

    @Test("The next daemon switches off outputs that only the one before had, and leaves no record after a clean end")
    func nextDaemon() throws {
        let other = try other()
        let (daemon, guardian) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        try after.killBoth(daemon.program, guardian, chip)
        let (next, _) = try after.shaking(other, after.configuration(other.actuator("main")))
        #expect(chip.duty == 0)
        #expect(after.record != "")
        #expect(try next.stop().status == 0)
        #expect(after.record == "")
    }

    @Test("An output that a reload takes away and that cannot be switched off stays recorded, also after a clean end")
    func takenAway() throws {
        let other = try other()
        let (daemon, _) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        try chip.spoil()
        _ = try after.configuration(other.actuator("main"))
        daemon.program.signal(SIGHUP)
        try daemon.wait(toLog: "`main` could not be switched off")
        try wait(for: "the other channel to be recorded") { after.record.contains("pwmchip1") }
        #expect(after.record.contains("pwmchip0"))
        #expect(try daemon.stop().status == 0)
        #expect(after.record.contains("pwmchip0"))
    }
}
