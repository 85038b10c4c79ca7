// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticPlanning
import Testing

@testable import hapticd

@Suite("The record of driven outputs")
struct DrivenOutputsTests {
    private let outputs = DrivenOutputs(path: newPath())

    private let driven = [
        ActuatorConfiguration(
            EngineActuator(name: "main"),
            backend: GPIOBackend(chip: "pinctrl \"rp1\" \\ 0", line: .offset(18), activeLow: true, pwmPeriod: .milliseconds(5))),
        ActuatorConfiguration(
            EngineActuator(name: "Größe\u{85}\u{202e}"),
            backend: GPIOBackend(chip: "/dev/gpiochip0", line: .name("18"), pwmPeriod: .milliseconds(5))),
        ActuatorConfiguration(
            EngineActuator(name: "pwm"), backend: PWMBackend(chip: "pwmchip0", channel: 1, period: .milliseconds(5))),
        ActuatorConfiguration(EngineActuator(name: "light"), backend: LEDBackend("input3::capslock")),
    ]
    private let others = [
        ActuatorConfiguration(EngineActuator(name: "pad"), backend: EvdevBackend(.init(name: "*"))),
        ActuatorConfiguration(EngineActuator(name: "none"), backend: SimulatedBackend()),
    ]

    @Test("The file returns everything that has to be switched off, and only this user may read it")
    func roundTrip() throws {
        defer { outputs.remove() }
        try outputs.write(others + driven)
        let read = try #require(try outputs.read())
        #expect(read.map(\.name) == driven.map(\.name))
        #expect(read.map { AnyHashable($0.backend) } == driven.map { AnyHashable($0.backend) })
        var status = stat()
        #expect(lstat(outputs.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(access(outputs.path + ".new", F_OK) != 0)
        outputs.remove()
        try outputs.write(others)
        #expect(try outputs.read() == nil)
    }

    private func pwm(_ name: String, on chip: String) -> ActuatorConfiguration {
        ActuatorConfiguration(EngineActuator(name: name), backend: PWMBackend(chip: chip, channel: 0, period: .milliseconds(5)))
    }

    /// A chip whose channel is on and takes nothing.
    private func makeBrokenChip() -> String {
        let chip = outputs.path + ".chip"
        mkdir(chip, 0o700)
        mkdir(chip + "/pwm0", 0o700)
        for (file, text) in [("npwm", "1\n"), ("pwm0/period", "1000\n")] {
            let descriptor = open("\(chip)/\(file)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            _ = write(descriptor, text, text.utf8.count)
            close(descriptor)
        }
        for file in ["duty_cycle", "enable"] { symlink("/dev/full", "\(chip)/pwm0/\(file)") }
        return chip
    }

    private func remove(_ chip: String) {
        for file in ["pwm0/duty_cycle", "pwm0/enable", "pwm0/period", "npwm"] { unlink("\(chip)/\(file)") }
        for folder in ["/pwm0", ""] { rmdir(chip + folder) }
    }

    @Test("An output that was driven before stays in the file until it is seen off, renamed if its name is taken")
    func formerOutputs() throws {
        defer { outputs.remove() }
        let chip = makeBrokenChip()
        defer { remove(chip) }
        try outputs.write([pwm("main", on: chip), pwm("side", on: "pwmchip8")])
        try outputs.write([pwm("main", on: "pwmchip9")])
        #expect(try outputs.read()?.map(\.name) == ["main", "former-1", "side"])
        #expect(try outputs.others(than: [pwm("any", on: chip)]).map(\.name) == ["main", "side"])
        let failures = outputs.switchOff(besides: [pwm("any", on: "pwmchip9")], by: .distantFuture)
        try #require(failures.count == 1, "\(failures)")
        #expect(failures[0].hasPrefix("the actuator `former-1` could not be switched off: "))
        #expect(try outputs.read()?.map(\.name) == ["main", "former-1"], "what is not there is off")
        #expect(outputs.switchOff(besides: [], by: .distantFuture).count == 1)
        #expect(try outputs.read()?.map(\.name) == ["former-1"])
        remove(chip)
        #expect(outputs.switchOff(besides: [], by: .distantFuture) == [])
        #expect(access(outputs.path, F_OK) != 0)
    }

    @Test("Outputs beyond what one configuration may have are left out, the earlier ones first")
    func tooMany() throws {
        defer { outputs.remove() }
        try outputs.write((0..<64).map { pwm("a\($0)", on: "pwmchip\($0)") })
        try outputs.write((64..<66).map { pwm("a\($0)", on: "pwmchip\($0)") })
        let read = try #require(try outputs.read())
        #expect((read.count, read[0].name, read[1].name) == (64, "a64", "a65"))
    }

    @Test("If nothing can be written, the file is kept for outputs that only it has, and else removed")
    func unwritable() throws {
        defer { rmdir(outputs.path + ".new") }
        try outputs.write(driven)
        #expect(mkdir(outputs.path + ".new", 0o700) == 0)
        #expect(throws: DrivenOutputs.Failure.self) { try outputs.write([pwm("main", on: "pwmchip9")]) }
        #expect(try outputs.read()?.count == driven.count)
        let failure = #expect(throws: DrivenOutputs.Failure.self) { try outputs.write(driven) }
        #expect(failure?.description.contains(outputs.path) == true)
        #expect(try outputs.read() == nil)
    }

    @Test("A file that is not as a daemon writes it is refused, with its name")
    func nonsense() throws {
        for text in [
            "", "version: 1\n", "version: 1\nactuators: [{ name: a, backend: nonsense }]\n",
            "version: 1\npatterns: [/etc]\nactuators: [{ name: a, backend: simulated }]\n", "\u{0}",
        ] {
            defer { outputs.remove() }
            let file = open(outputs.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            _ = write(file, text, text.utf8.count)
            close(file)
            let failure = #expect(throws: DrivenOutputs.Failure.self) { try outputs.read() }
            #expect(failure?.description.contains(outputs.path) == true)
        }
    }

    @Test("A file that is too long, a link, another user's, or writable by others is refused unread")
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
