// SPDX-License-Identifier: MIT
import Glibc
import HapticConfig
import HapticCore
import Testing

@testable import hapticd

@Suite("What a daemon drives, in a file")
struct DrivenOutputsTests {
    private let outputs = DrivenOutputs(path: "/tmp/hapticd-outputs-\(UInt32.random(in: .min ... .max))")

    private let driven = [
        ActuatorConfiguration(
            name: "main", backend: .gpio(.init(chip: "pinctrl \"rp1\" \\ 0", line: .offset(18), activeLow: true))),
        ActuatorConfiguration(name: "Größe\u{85}\u{202e}", backend: .gpio(.init(chip: "/dev/gpiochip0", line: .name("18")))),
        ActuatorConfiguration(
            name: "pwm", backend: .pwm(.init(chip: "pwmchip0", channel: 1, period: .milliseconds(5)))),
        ActuatorConfiguration(name: "light", backend: .led(.init(name: "input3::capslock"))),
    ]
    private let others = [
        ActuatorConfiguration(name: "pad", backend: .evdev(.init(name: "*"))),
        ActuatorConfiguration(name: "none", backend: .simulated(.init())),
    ]

    @Test("what is read is what was written: everything that has to be switched off, for this user's eyes alone")
    func roundTrip() throws {
        defer { outputs.remove() }
        try outputs.write(others + driven)
        let read = try #require(try outputs.read())
        #expect(read.map(\.name) == driven.map(\.name))
        #expect(read.map(\.backend) == driven.map(\.backend))
        var status = stat()
        #expect(lstat(outputs.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(access(outputs.path + ".new", F_OK) != 0)
    }

    @Test("without anything to switch off there is no file, nor one from before")
    func nothing() throws {
        #expect(try outputs.read() == nil)
        try outputs.write(driven)
        try outputs.write(others)
        #expect(try outputs.read() == nil)
    }

    @Test("what cannot be written down says so, and what a daemon before wrote goes all the same")
    func unwritable() throws {
        defer { rmdir(outputs.path + ".new") }
        try outputs.write(driven)
        #expect(mkdir(outputs.path + ".new", 0o700) == 0)
        let failure = #expect(throws: DrivenOutputs.Failure.self) { try outputs.write(driven) }
        #expect(failure?.description.contains(outputs.path) == true)
        #expect(try outputs.read() == nil)
    }

    @Test(
        "a file that is not as a daemon writes it is refused, with its name",
        arguments: [
            "", "version: 1\n", "version: 1\nactuators: [{ name: a, backend: nonsense }]\n",
            "version: 1\npatterns: [/etc]\nactuators: [{ name: a, backend: simulated }]\n", "\u{0}",
        ])
    func nonsense(text: String) throws {
        defer { outputs.remove() }
        let file = open(outputs.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        _ = write(file, text, text.utf8.count)
        close(file)
        let failure = #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
        #expect(failure?.description.contains(outputs.path) == true)
    }

    @Test("one that is too long, a link, another user's, or that others may write is refused unread")
    func untrusted() throws {
        defer { outputs.remove() }
        try outputs.write(driven)
        chmod(outputs.path, 0o666)
        #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
        chmod(outputs.path, 0o600)
        truncate(outputs.path, off_t(DrivenOutputs.mostBytes + 1))
        #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
        outputs.remove()
        symlink("/etc/hostname", outputs.path)
        #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
        guard geteuid() == 0 else { return }
        outputs.remove()
        try outputs.write(driven)
        chown(outputs.path, 4242, 4242)
        #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
    }
}
