// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// The limits are half a second for the outputs and a second for the guard, which a busy machine may exceed.
@Suite("The time for switching off", .ownThreads, .enabled(if: isNightly))
struct SwitchOffTimeTests {
    private let after: AfterDaemon
    private let (chip, other): (FileChip, FileChip)
    private var folder: TemporaryFolder { after.folder }

    init() throws {
        after = try AfterDaemon()
        chip = try FileChip(in: after.folder)
        other = try FileChip(in: after.folder, name: "pwmchip1")
    }

    @Test("An output that the next daemon could not switch off is not forgotten, neither by it nor at its clean end")
    func notForgotten() throws {
        let (daemon, guardian) = try after.shaking(chip, after.configuration(chip.actuator("main")))
        try after.killBoth(daemon.program, guardian, chip)
        try chip.spoil()
        let (next, _) = try after.shaking(other, after.configuration(other.actuator("main")))
        try next.wait(toLog: "`main` could not be switched off")
        #expect(after.record.contains("pwmchip0"))
        #expect(after.record.contains("pwmchip1"))
        #expect(try next.stop().status == 0)
        #expect(other.duty == 0)
        #expect(after.record.contains("pwmchip0"))
        #expect(!after.record.contains("pwmchip1"))
        try chip.repair()
        #expect(chip.duty > 0)
        #expect(try after.switchOff(after.configuration(other.actuator("main"))).status == 0)
        #expect(chip.duty == 0)
        #expect(after.record == "")
    }

    @Test("The record of the next daemon survives the end of switching off after the one before")
    func nextRecord() throws {
        let configuration = try after.configuration(chip.actuator("main"))
        let (daemon, guardian) = try after.shaking(chip, configuration)
        try after.killBoth(daemon.program, guardian, chip)
        // A write to the FIFO blocks until there is a reader.
        let enable = chip.path("pwm0/enable")
        try FileManager.default.removeItem(atPath: enable)
        try #require(mkfifo(enable, 0o600) == 0)
        let switchOff = try after.start("--switch-off", "--config", configuration)
        try wait(for: "the channel to be switched off") { chip.duty == 0 }
        let next = try after.start("--config", configuration)
        try wait(for: "the next daemon's guard to be begun") { try !children(of: next.processIdentifier).isEmpty }
        let reader = open(enable, O_RDWR)
        defer { close(reader) }
        #expect(try switchOff.wait().quietStatus == 0)
        try next.wait(toSay: "listens on")
        #expect(after.record.contains("pwmchip0"), "\(next.errors)")
        // The daemon blocks on reading the FIFO, which nobody writes.
        next.signal(SIGKILL)
        try next.wait()
    }

    /// Whether a process requests or holds the guard's lock, as a daemon or in place of one.
    private var isAskedFor: Bool {
        let file = open(folder.path("hapticd.sock.guard"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1 << 30
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    @Test(
        "Neither --switch-off nor the next daemon takes the time to kill a stopped guard from the outputs",
        arguments: [false, true])
    func lateGuard(isNextDaemon: Bool) throws {
        let configuration = try after.configuration(chip.actuator("main"))
        let (daemon, guardian) = try after.shaking(chip, configuration)
        kill(guardian, SIGSTOP)
        _ = try daemon.stop(SIGKILL)
        let program =
            try isNextDaemon
            ? after.start("--config", after.configuration(other.actuator("main")))
            : after.start("--switch-off", "--config", configuration)
        // Stops the program while it waits for the end of the guard, until its time seems to be over.
        try wait(for: "the lock to be asked for; it said \(program.errors)") { isAskedFor || !program.isRunning }
        program.signal(SIGSTOP)
        usleep(2_200_000)
        program.signal(SIGCONT)
        if isNextDaemon {
            try program.wait(toSay: "listens on")
            #expect(!program.errors.contains("could not be switched off"), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(try program.wait().status == 0)
        } else {
            #expect(try program.wait().quietStatus == 0)
        }
        #expect(chip.duty == 0)
    }
}
