// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticInputs
import Testing

@testable import HapticConfig

@Suite("Holds in a configuration") struct HoldRuleTests {
    private static let actuators = """
        version: 1
        actuators: [{ name: main, backend: gpio, chip: gpiochip0, line: 18 }]
        """

    private static func read(_ holds: String) throws -> Configuration { try configuration("\(actuators)\nholds: \(holds)") }

    private static func mistakes(_ holds: String) -> [String] {
        HapticConfigTests.mistakes(whole: "\(actuators)\nholds:\n  - \(holds.replacing("\n", with: "\n  - "))")
    }

    @Test("A device's hold has a name and what is pressed for it, and is felt as clients' holds are")
    func device() throws {
        let read = try Self.read(
            "[{ name: unlock, input: { chip: gpiochip0, line: 23, activeLow: true } }, { name: power, input: { match: { name: gpio-keys }, key: KEY_POWER } }]"
        )
        #expect(read.holdInputs.map(\.name) == ["unlock", "power"])
        #expect(
            read.holdInputs.map { "\($0.source.address)" } == [
                "GPIO line 23 of gpiochip0", #"KEY_POWER of the input device with name "gpio-keys""#,
            ])
        let engine = try read.engineConfiguration()
        #expect(engine.holdRules.map(\.match) == [.device("unlock"), .device("power"), .clients(Glob("*"))])
        for rule in engine.holdRules {
            #expect(rule.pressed == nil)
            #expect((rule.shape, rule.feedback.pattern) == (HoldShape(), "soft"))
            #expect(rule.complete == "success")
            #expect((rule.feedback.feedbackClass, rule.completeClass) == (.texture, .notification))
        }
    }

    @Test("A rule says how a hold goes and how it is felt")
    func rule() throws {
        let engine = try Self.read(
            "[{ match: \"pay.*\", press: 0ms, duration: 3s, curve: linear, fall: 1s, step: 10%, mode: grid, pattern: tick, class: interaction, intensity: 50%, priority: 7, actuators: [main], pressed: light, complete: confirm, completeClass: alarm }]"
        ).engineConfiguration()
        let feedback = RuleFeedback(
            pattern: "tick", feedbackClass: .interaction, intensity: Intensity(clamping: 0.5), priority: 7,
            actuators: [ActuatorIndex(0)])
        let shape = HoldShape(
            press: .zero, duration: .seconds(3), curve: .linear, gate: GateConfiguration(step: 0.1, mode: .grid),
            fall: .seconds(1))
        #expect(
            engine.holdRules == [
                HoldRule(
                    match: .clients(Glob("pay.*")), shape: shape, feedback: feedback, pressed: "light", complete: "confirm",
                    completeClass: .alarm)
            ])
    }

    @Test("Without a rule for clients their holds are felt as the built-in one says", arguments: ["", "\nholds: []"])
    func builtIn(holds: String) throws {
        let rules = try configuration(Self.actuators + holds).holdRules
        #expect((rules, rules.count) == (Configuration.builtIn.holdRules, 1))
        #expect((rules[0].match, rules[0].shape.press) == (.clients(Glob("*")), .milliseconds(500)))
    }

    @Test("Devices have so many holds at most")
    func most() {
        func entries(_ count: Int) -> String {
            (0..<count).map { "{ name: a\($0), input: { chip: b, line: \($0) } }" }.joined(separator: "\n")
        }
        #expect(Self.mistakes(entries(HoldReader.deviceLimit)) == [])
        let found = Self.mistakes(entries(HoldReader.deviceLimit + 1))
        #expect(found.count == 1, "\(found)")
        #expect(found[0].contains("there are 64 devices' holds already"), "\(found)")
    }
}
