// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("hapticd --switch-off, where the guard is stopped")
struct StoppedGuardTests: AfterDaemon {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A guard that is stopped, and whose daemon was killed, does not keep anything on")
    func stoppedGuard() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        kill(guardian, SIGSTOP)
        _ = try daemon.stop(SIGKILL)
        #expect(chip.duty > 0, "nothing has switched it off")
        // A guard that is killed has half a second to go, and on a busy machine may need more.
        try wait(for: "the outputs to be switched off") { try switchOff(configuration).status == 0 }
        #expect(chip.duty == 0)
        try wait(for: "the guard to end") { kill(guardian, 0) != 0 || isZombie(guardian) }
    }

    /// Whether a process asks for the guard's lock, or has it, as a daemon or in place of one.
    private var isAskedFor: Bool {
        let file = open(folder.path("hapticd.sock.guard"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1 << 30
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Stops `program` while it waits for a guard that is stopped to be killed, which takes half a second, and lets it go on when all
    /// its time seems to be over.
    private func delay(_ program: Program) throws {
        try wait(for: "the lock to be asked for; it said \(program.errors)") { isAskedFor || !program.isRunning }
        program.signal(SIGSTOP)
        usleep(2_200_000)
        program.signal(SIGCONT)
    }

    // Half a second for the outputs, a second for the guard: a busy machine may need more.
    @Test("The time that it takes to kill a stopped guard is not taken from the outputs", .enabled(if: isNightly))
    func lateGuard() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        kill(guardian, SIGSTOP)
        _ = try daemon.stop(SIGKILL)
        let program = try Program(
            "hapticd", ["--switch-off", "--config", configuration, "--socket", folder.path("hapticd.sock")], in: folder)
        try delay(program)
        let ended = try program.wait()
        #expect((ended.status, ended.errors) == (0, ""))
        #expect(chip.duty == 0)
    }

    // Half a second for the outputs, a second for the guard: a busy machine may need more.
    @Test(
        "The next daemon, which has other outputs, gives those of the one before their time, however long their guard takes",
        .enabled(if: isNightly))
    func lateGuardAndNextDaemon() throws {
        let (chip, other) = (try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"))
        let (daemon, guardian) = try shaking(chip, configuration(chip.actuator("main")))
        kill(guardian, SIGSTOP)
        _ = try daemon.stop(SIGKILL)
        let next = try Program(
            "hapticd", ["--config", configuration(other.actuator("main")), "--socket", folder.path("hapticd.sock")], in: folder)
        try delay(next)
        try wait(for: "the daemon to listen; it said \(next.errors)") { next.errors.contains("listens on") }
        #expect(!next.errors.contains("could not be switched off"), "\(next.errors)")
        #expect(chip.duty == 0)
        next.signal(SIGTERM)
        #expect(try next.wait().status == 0)
    }

    @Test("A guard that is stopped, and whose daemon was killed, does not keep the next daemon from driving")
    func stoppedGuardAndNextDaemon() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        kill(guardian, SIGSTOP)
        _ = try daemon.stop(SIGKILL)
        let (next, _) = try shaking(chip, configuration)
        try wait(for: "the guard to end") { kill(guardian, 0) != 0 || isZombie(guardian) }
        #expect(try next.stop().status == 0)
        #expect(chip.duty == 0)
    }

    @Test("The guard of a living daemon is left alone, also where it is stopped")
    func stoppedGuardOfALivingDaemon() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        kill(guardian, SIGSTOP)
        let ended = try switchOff(configuration)
        #expect(ended.status == 1 && ended.errors.contains("a hapticd is running"), "\(ended.errors)")
        #expect(chip.duty > 0)
        kill(guardian, SIGCONT)
        #expect(kill(guardian, 0) == 0 && !isZombie(guardian))
        #expect(try daemon.stop().status == 0)
    }
}
