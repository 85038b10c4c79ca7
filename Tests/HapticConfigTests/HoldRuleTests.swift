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

    @Test(
        "What is not possible is reported where it stands",
        arguments: [
            ("{ press: 1s }", "4:5: holds[0]: whose hold is it?"),
            ("{}", "4:5: holds[0]: whose hold is it?"),
            ("unlock", "4:5: holds[0]: "),
            ("{ match: a, name: b }", "4:5: holds[0]: a hold is a device's (`name` and `input`) or of clients (`match`)"),
            ("{ name: a }", "4:5: holds[0]: the key `input` is missing"),
            ("{ input: { chip: a, line: 1 } }", "4:5: holds[0]: the key `name` is missing"),
            ("{ name: \"\", input: { chip: a, line: 1 } }", "4:13: holds[0].name: "),
            ("{ name: a, input: {} }", "4:23: holds[0].input: expected a button on a line"),
            ("{ name: a, input: { chip: b } }", "4:23: holds[0].input: the key `line` is missing"),
            (
                "{ name: a, input: { match: { name: b }, key: KEY_PWOER } }",
                "4:50: holds[0].input.key: no key is called KEY_PWOER"
            ),
            ("{ match: a, presss: 1s }", ": unknown key `presss`, did you mean `press`?"),
            ("{ match: a, input: { chip: b, line: 1 } }", "4:5: holds[0]: a hold is a device's"),
            ("{ match: a, pattern: sotf }", "4:26: holds[0].pattern: unknown pattern `sotf`, did you mean `soft`?"),
            ("{ match: a, complete: 7 }", "4:27: holds[0].complete: "),
            ("{ match: a, actuators: [pad] }", "4:29: holds[0].actuators[0]: unknown actuator `pad`"),
            ("{ match: a, press: 61s }", "4:24: holds[0].press: `61s` is out of range; write a duration from 0s to 60s"),
            (
                "{ match: \"*\" }\n{ match: a }",
                "5:14: holds[1].match: this rule is never used: holds[0] (`*`) takes all that it matches"
            ),
            (
                "{ name: a, input: { chip: b, line: 1 } }\n{ name: a, input: { chip: b, line: 2 } }",
                "5:13: holds[1].name: the name `a` is taken by a hold before; give each its own"
            ),
            (
                "{ name: a, input: { chip: b, line: 1 } }\n{ name: c, input: { chip: b, line: 1, activeLow: true } }",
                "5:23: holds[1].input: GPIO line 1 of b is that of the hold `a` already; take one of them out"
            ),
            (
                "{ name: a, input: { match: { name: b }, key: KEY_A } }\n{ name: c, input: { match: { name: b }, key: KEY_A } }",
                "5:23: holds[1].input: KEY_A of the input device with name \"b\" is that of the hold `a` already"
            ),
            (
                "{ name: a, input: { chip: gpiochip0, line: 18 } }",
                "4:23: holds[0].input: GPIO line 18 of gpiochip0 is the device of the actuator `main`, and cannot be read, too"
            ),
        ])
    func mistakes(holds: String, message: String) {
        let found = Self.mistakes(holds)
        #expect(found.count == 1, "\(found)")
        #expect(found[0].contains(message), "\(found)")
    }

    @Test("A device's hold that has several mistakes has all of them reported")
    func several() {
        let found = Self.mistakes(
            "{ name: a, input: { chip: b, line: 1 } }\n{ name: a, input: { chip: b, line: 1 }, pattern: sotf }")
        #expect(found.map { $0.prefix { $0 != " " } } == ["5:13:", "5:23:", "5:54:"], "\(found)")
    }

    @Test("Two keys of one device, and a key of two, are two holds")
    func keys() throws {
        let read = try Self.read(
            "[{ name: a, input: { match: { name: b }, key: KEY_A } }, { name: c, input: { match: { name: b }, key: KEY_B } }, { name: d, input: { match: { name: e }, key: KEY_A } }]"
        )
        #expect(read.holdInputs.count == 3)
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
