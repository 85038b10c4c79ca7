// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticPlanning
import Testing

@testable import hapticd

@Suite("Outputs to switch off after a daemon")
struct LeftoverTests {
    private let places = (0..<2).map { _ in
        DaemonPlace(socket: newPath())
    }

    private func pwm(_ name: String, channel: Int) -> ActuatorConfiguration {
        ActuatorConfiguration(
            EngineActuator(name: name), backend: PWMBackend(chip: "pwmchip0", channel: channel, period: .milliseconds(5)))
    }

    private var configured: [DrivenOutput] {
        BoardConfiguration.leftovers([pwm("main", channel: 0), pwm("side", channel: 1)])
    }

    private func removeRecords() { for place in places { place.outputs.remove() } }

    @Test("A usable record counts in place of the configuration, also if another path has none")
    func oneRecord() throws {
        defer { removeRecords() }
        #expect(
            SwitchOff.leftovers(at: places, configured: configured, noConfiguration: nil).outputs.map(\.name) == ["main", "side"])
        try places[1].outputs.write([pwm("former", channel: 2)])
        let (outputs, problems) = SwitchOff.leftovers(at: places, configured: configured, noConfiguration: nil)
        #expect(outputs.map(\.name) == ["former"])
        #expect(problems == [])
    }

    @Test("The record of an output identifies it again, whatever its kind")
    func everyKind() throws {
        defer { removeRecords() }
        let text = """
            version: 1
            actuators:
              - { name: nothing, backend: simulated }
              - { name: case, backend: gpio, chip: "my: chip", line: "VIB #1", activeLow: true, pwm: true }
              - { name: pin, backend: gpio, chip: gpiochip0, line: 17 }
              - { name: grip, backend: pwm, chip: pwmchip0, channel: 3, frequency: 20kHz }
              - { name: pad, backend: evdev, match: { name: "*" } }
              - { name: light, backend: led, led: "rgb:status", colour: "#ff8000" }
            """
        let actuators = try Configuration.read(yaml: Array(text.utf8), file: "h.yaml").actuators
        #expect(Set(actuators.map { type(of: $0.backend).name }) == Set(Backends.all.map { $0.name }))
        let driven = BoardConfiguration.leftovers(actuators)
        try places[0].outputs.write(actuators)
        let (outputs, problems) = SwitchOff.leftovers(at: [places[0]], configured: [], noConfiguration: nil)
        #expect(outputs.map(\.name) == ["case", "pin", "grip", "light"])
        #expect(problems == [])
        #expect(outputs.map(\.output.name) == driven.map(\.output.name))
        #expect(outputs.map(\.output.keys) == driven.map(\.output.keys))
    }

    @Test("If one of two records is unusable the configuration counts, too; an unusable configuration is reported")
    func unusableRecord() throws {
        defer { removeRecords() }
        try places[0].outputs.write([pwm("former", channel: 2), pwm("main", channel: 0)])
        try places[1].outputs.write([pwm("unknown", channel: 3)])
        chmod(places[1].outputs.path, 0o666)
        let (outputs, problems) = SwitchOff.leftovers(at: places, configured: configured, noConfiguration: nil)
        #expect(outputs.map(\.name) == ["former", "main", "side"])
        #expect(problems.count == 1)
        #expect(problems[0].contains(places[1].outputs.path))
        #expect(problems[0].hasSuffix("is switched off instead"))
        let without = SwitchOff.leftovers(at: places, configured: [], noConfiguration: "it is nonsense")
        #expect(without.outputs.map(\.name) == ["former", "main"])
        #expect(without.problems.count == 2)
        #expect(!without.problems[0].contains("instead"))
        #expect(without.problems.last == "nothing else is switched off: it is nonsense")
    }

    /// Whether a hapticd has it cannot be seen.
    private func hide(_ place: DaemonPlace) { symlink("nowhere", place.guardLock) }

    @Test("An unusable socket path does not keep the outputs of another socket on")
    func foreignPlace() throws {
        defer {
            removeRecords()
            unlink(places[1].guardLock)
        }
        hide(places[1])
        try places[0].outputs.write([ActuatorConfiguration(EngineActuator(name: "former"), backend: LEDBackend("no::such-light"))]
        )
        let problems = SwitchOff.problems(ofSwitchingOff: places, configured: configured, noConfiguration: nil).problems
        try #require(problems.count == 1, "\(problems)")
        #expect(problems[0].hasPrefix("nothing is switched off of what belongs to \(places[1].socket): "))
        #expect(!places[0].outputs.exists, "a light that is not there is off")
    }

    @Test("The outputs of the configuration are left alone if another hapticd may drive them")
    func foreignConfiguration() throws {
        defer { unlink(places[1].guardLock) }
        hide(places[1])
        let problems = SwitchOff.problems(ofSwitchingOff: places, configured: configured, noConfiguration: nil).problems
        try #require(problems.count == 2, "\(problems)")
        #expect(problems[1].hasPrefix("nothing is switched off: the outputs of the configuration may belong to"))
    }
}
