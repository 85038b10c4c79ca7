// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("hapticd --switch-off")
struct SwitchOffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func switchOff(_ configuration: String) throws -> Outcome {
        try Program(
            "hapticd", ["--switch-off", "--config", configuration, "--socket", folder.path("hapticd.sock")], in: folder
        ).wait()
    }

    private func configuration(_ actuators: String...) throws -> String {
        try folder.write("version: 1\nactuators:\n\(actuators.joined())", to: "hapticd.yaml")
    }

    /// A daemon in mid-vibration on `chip`, and its guard's process.
    private func shaking(_ chip: FileChip, _ configuration: String) throws -> (Daemon, guardian: Int32) {
        let daemon = try Daemon(["--config", configuration], simulate: false, in: folder)
        let steady = #"{"atMs":0,"type":"continuous","durationMs":30000,"intensity":0.7}"#
        let result = try daemon.connect().result("play", #"{"pattern":{"tracks":[{"events":[\#(steady)]}]}}"#)
        #expect(result.object("decision").text("outcome") == "played", "\(result)")
        try wait(for: "the channel to be on") { chip.duty > 0 }
        let guardian = try #require(children(of: daemon.program.processIdentifier).first)
        return (daemon, guardian)
    }

    @Test("An output that a daemon left on when it was killed together with its guard is switched off")
    func bothKilled() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        // So that neither sees the other's end.
        daemon.program.signal(SIGSTOP)
        kill(guardian, SIGKILL)
        daemon.program.signal(SIGKILL)
        _ = try daemon.program.wait()
        #expect(chip.duty > 0, "nothing has switched it off")
        let outcome = try switchOff(configuration)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output + outcome.errors == "")
        #expect(chip.duty == 0)
    }

    @Test("The guard of a daemon that was killed has switched off, and leaves")
    func daemonKilled() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        _ = try daemon.stop(SIGKILL)
        #expect(try switchOff(configuration).status == 0)
        #expect(chip.duty == 0)
        try wait(for: "the guard to end") { kill(guardian, 0) != 0 || isZombie(guardian) }
    }

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

    /// Whether a process asks for the place's guard lock, or has it, as a daemon or in place of one.
    private var isAskedFor: Bool {
        let file = open(folder.path("hapticd.sock.guard"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1 << 30
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Stops `program` while it waits for a guard that is stopped to be killed, which takes half a second, and lets it go on when all its time seems to be over.
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
        let outcome = try program.wait()
        #expect((outcome.status, outcome.errors) == (0, ""))
        #expect(chip.duty == 0)
    }

    // Half a second for the outputs, a second for the guard: a busy machine may need more.
    @Test("The next daemon, which has other outputs, gives those of the one before their time, however long their guard takes", .enabled(if: isNightly))
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
        let outcome = try switchOff(configuration)
        #expect(outcome.status == 1 && outcome.errors.contains("a hapticd is running"), "\(outcome.errors)")
        #expect(chip.duty > 0)
        kill(guardian, SIGCONT)
        #expect(kill(guardian, 0) == 0 && !isZombie(guardian))
        #expect(try daemon.stop().status == 0)
    }

    /// Kills daemon and guard so that neither sees the other's end.
    private func killBoth(_ daemon: Daemon, _ guardian: Int32) throws {
        daemon.program.signal(SIGSTOP)
        kill(guardian, SIGKILL)
        _ = try daemon.stop(SIGKILL)
    }

    @Test("Outputs that the daemon had are switched off, whatever the configuration says by now")
    func changedConfiguration() throws {
        let (chip, other) = (try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"))
        let (daemon, guardian) = try shaking(chip, configuration(chip.actuator("main")))
        try killBoth(daemon, guardian)
        for file in ["period", "duty_cycle"] {
            try Data("1000000\n".utf8).write(to: other.folder.appendingPathComponent("pwm0/\(file)"))
        }
        #expect(chip.duty > 0)
        let changed = try configuration(other.actuator("main"))
        #expect(try switchOff(changed).status == 0)
        #expect(chip.duty == 0)
        #expect(other.duty > 0, "another program's, as far as that daemon is concerned")
        // It has done its work: the next time the configuration counts.
        #expect(try switchOff(changed).status == 0)
        #expect(other.duty == 0)
    }

    @Test("Outputs that the daemon had are switched off also where the configuration cannot be used any more")
    func brokenConfiguration() throws {
        let chip = try FileChip(in: folder)
        let (daemon, guardian) = try shaking(chip, configuration(chip.actuator("main")))
        try killBoth(daemon, guardian)
        let outcome = try switchOff(folder.write("version: 1\nactuators: nonsense\n", to: "hapticd.yaml"))
        #expect((outcome.status, outcome.errors) == (0, ""))
        #expect(chip.duty == 0)
    }

    @Test("A record that cannot be trusted is reported, and the configuration counts")
    func untrustedNote() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        try killBoth(daemon, guardian)
        chmod(folder.path("hapticd.sock.outputs"), 0o666)
        let outcome = try switchOff(configuration)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("hapticd.sock.outputs") && outcome.errors.contains("others may write it"), "\(outcome.errors)"
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

    private var record: String { (try? String(contentsOfFile: folder.path("hapticd.sock.outputs"), encoding: .utf8)) ?? "" }

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
        try wait(for: "the failure to be told") { next.program.errors.contains("`main` could not be switched off") }
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

    /// Without `--socket` the system's place is asked, too: a hapticd that runs there, or what one has left on, is not the test's.
    private static let isSystemPlaceFree = !["guard", "outputs"].contains { access("/run/hapticd/hapticd.sock.\($0)", F_OK) == 0 }

    @Test(
        "The record is found where the configuration has moved the socket since, or has no outputs any more",
        .enabled(if: isSystemPlaceFree))
    func movedSocket() throws {
        let chip = try FileChip(in: folder)
        func text(_ socket: String, _ actuator: String) throws -> String {
            try folder.write(
                "version: 1\nsocket: { path: \(folder.path(socket)) }\nactuators:\n\(actuator)", to: "hapticd.yaml")
        }
        let environment = ["RUNTIME_DIRECTORY": folder.path("run")]
        let file = try text("first.sock", chip.actuator("main"))
        let daemon = try Program("hapticd", ["--config", file], environment: environment, in: folder)
        try wait(for: "the daemon to listen; it said \(daemon.errors)") { daemon.errors.contains("listens on") }
        let steady = #"{"atMs":0,"type":"continuous","durationMs":30000,"intensity":0.7}"#
        let client = try Connection(to: folder.path("first.sock"))
        _ = try client.result("play", #"{"pattern":{"tracks":[{"events":[\#(steady)]}]}}"#)
        try wait(for: "the channel to be on") { chip.duty > 0 }
        let guardian = try #require(children(of: daemon.processIdentifier).first)
        daemon.signal(SIGSTOP)
        kill(guardian, SIGKILL)
        daemon.signal(SIGKILL)
        _ = try daemon.wait()
        #expect(chip.duty > 0, "nothing has switched it off")
        _ = try text("second.sock", "  - { name: main, backend: simulated }\n")
        let outcome = try Program("hapticd", ["--switch-off", "--config", file], environment: environment, in: folder).wait()
        #expect(chip.duty == 0, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("run/hapticd.sock.outputs")))
    }

    private func isZombie(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.contains("State:\tZ")
    }

    @Test("An output of a living daemon is left to it")
    func living() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        let outcome = try switchOff(configuration)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("a hapticd is running") && outcome.errors.contains("process \(guardian)"), "\(outcome.errors)"
        )
        #expect(chip.duty > 0)
        #expect(try daemon.stop().status == 0)
        #expect(chip.duty == 0)
    }

    @Test(
        "Each output that could not be switched off has a line with what to do, and one that hangs keeps no other on"
    )
    func refusals() throws {
        let (good, broken, hanging) = (
            try FileChip(in: folder), try FileChip(in: folder, name: "pwmchip1"),
            try FileChip(in: folder, name: "pwmchip2", hangs: true)
        )
        for chip in [good, broken] {
            for file in ["period", "duty_cycle", "enable"] {
                try Data("1000000\n".utf8).write(to: chip.folder.appendingPathComponent("pwm0/\(file)"))
            }
        }
        for file in ["duty_cycle", "enable"] {
            let path = broken.folder.appendingPathComponent("pwm0/\(file)").path
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        }
        let outcome = try switchOff(
            configuration(
                hanging.actuator("hanging"), broken.actuator("broken"), good.actuator("good"),
                "  - { name: pad, backend: evdev, match: { name: \"hapticd test without this pad\" } }\n"))
        #expect(outcome.status == 1)
        let lines = outcome.errors.split(separator: "\n")
        try #require(lines.count == 2, "\(outcome.errors)")
        #expect(
            lines[0].hasPrefix("hapticd: the actuator `hanging` could not be switched off: ") && lines[0].contains("unplug it"))
        #expect(lines[1].hasPrefix("hapticd: the actuator `broken` could not be switched off: ") && lines[1].contains("dmesg"))
        #expect(good.duty == 0)
    }

    @Test("With a configuration that cannot be used `--switch-off` says that it knows no outputs")
    func badConfiguration() throws {
        let outcome = try switchOff(folder.write("version: 1\nactuators: nonsense\n", to: "hapticd.yaml"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("nothing is switched off: the configuration"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("A group that has gone since leaves nothing on")
    func goneGroup() throws {
        let chip = try FileChip(in: folder)
        for file in ["period", "duty_cycle"] {
            try Data("1000000\n".utf8).write(to: chip.folder.appendingPathComponent("pwm0/\(file)"))
        }
        let outcome = try switchOff(
            folder.write(
                "version: 1\naccess: { reload: { groups: [no-such-group] } }\nactuators:\n\(chip.actuator("main"))",
                to: "hapticd.yaml"))
        #expect((outcome.status, outcome.errors) == (0, ""))
        #expect(chip.duty == 0)
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
        let outcome = try switchOff.wait()
        #expect((outcome.status, outcome.errors) == (0, ""))
        try wait(for: "the next daemon to listen; it said \(next.errors)") { next.errors.contains("listens on") }
        #expect(record.contains("pwmchip0"), "\(next.errors)")
        // It reads that file, which nobody writes.
        next.signal(SIGKILL)
        _ = try next.wait()
    }

    @Test("Without outputs there is nothing to do, and no lock is made")
    func nothing() throws {
        let outcome = try switchOff(configuration("  - { name: main, backend: simulated }\n"))
        #expect((outcome.status, outcome.errors) == (0, ""))
        #expect(!FileManager.default.fileExists(atPath: folder.path("hapticd.sock.guard")))
    }
}
