// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticd --switch-off")
struct SwitchOffTests: AfterDaemon {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
        let ended = try switchOff(configuration)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.hasPrefix("switched off: ") && ended.errors.isEmpty, "\(ended.output)\(ended.errors)")
        #expect(chip.duty == 0)
    }

    @Test("To check and to switch off are two things, of which one is asked for")
    func checkToo() throws {
        let ended = try Program("hapticd", ["--switch-off", "--check"], in: folder).wait()
        #expect(ended.status == 2 && ended.errors.contains("leave one out"), "\(ended.errors)")
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
        let ended = try switchOff(folder.write("version: 1\nactuators: nonsense\n", to: "hapticd.yaml"))
        #expect((ended.status, ended.errors) == (0, ""))
        #expect(chip.duty == 0)
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
        let ended = try Program("hapticd", ["--switch-off", "--config", file], environment: environment, in: folder).wait()
        #expect(chip.duty == 0, "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("run/hapticd.sock.outputs")))
    }

    @Test("An output of a living daemon is left to it")
    func living() throws {
        let chip = try FileChip(in: folder)
        let configuration = try configuration(chip.actuator("main"))
        let (daemon, guardian) = try shaking(chip, configuration)
        let ended = try switchOff(configuration)
        #expect(ended.status == 1)
        #expect(
            ended.errors.contains("a hapticd is running") && ended.errors.contains("process \(guardian)"), "\(ended.errors)"
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
        let ended = try switchOff(
            configuration(
                hanging.actuator("hanging"), broken.actuator("broken"), good.actuator("good"),
                "  - { name: pad, backend: evdev, match: { name: \"hapticd test without this pad\" } }\n"))
        #expect(ended.status == 1)
        let lines = ended.errors.split(separator: "\n")
        try #require(lines.count == 2, "\(ended.errors)")
        #expect(
            lines[0].hasPrefix("hapticd: the actuator `hanging` could not be switched off: ") && lines[0].contains("unplug it"))
        #expect(lines[1].hasPrefix("hapticd: the actuator `broken` could not be switched off: ") && lines[1].contains("dmesg"))
        #expect(good.duty == 0)
    }

    @Test("With a configuration that cannot be used `--switch-off` says that it knows no outputs")
    func badConfiguration() throws {
        let ended = try switchOff(folder.write("version: 1\nactuators: nonsense\n", to: "hapticd.yaml"))
        #expect(ended.status == 1)
        #expect(ended.errors.contains("nothing is switched off: the configuration"), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    @Test("A group that has gone since leaves nothing on")
    func goneGroup() throws {
        let chip = try FileChip(in: folder)
        for file in ["period", "duty_cycle"] {
            try Data("1000000\n".utf8).write(to: chip.folder.appendingPathComponent("pwm0/\(file)"))
        }
        let ended = try switchOff(
            folder.write(
                "version: 1\naccess: { reload: { groups: [no-such-group] } }\nactuators:\n\(chip.actuator("main"))",
                to: "hapticd.yaml"))
        #expect((ended.status, ended.errors) == (0, ""))
        #expect(chip.duty == 0)
    }

    @Test("Without outputs there is nothing to do, and no lock is made")
    func nothing() throws {
        let ended = try switchOff(configuration("  - { name: main, backend: simulated }\n"))
        #expect((ended.status, ended.errors) == (0, ""))
        #expect(!FileManager.default.fileExists(atPath: folder.path("hapticd.sock.guard")))
    }
}
