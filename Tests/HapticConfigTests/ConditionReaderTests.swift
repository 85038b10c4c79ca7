// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticInputs
import HapticText
import Testing

@testable import HapticConfig

@Suite("Conditions in a configuration") struct ConditionReaderTests {
    @Test("A condition has a name, effects on classes, and a profile")
    func read() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            conditions:
              - { match: camera, classes: { notification: nothing, interaction: half, texture: tick } }
              - { match: slider, profile: silent }
              - { match: both, classes: { texture: full }, profile: quiet }
            """)
        var camera = ConditionRule.Effects()
        (camera.notification, camera.interaction, camera.texture) = (.nothing, .half, .pattern("tick"))
        var both = ConditionRule.Effects()
        both.texture = .full
        let expected = [
            ConditionRule(name: "camera", effects: camera), ConditionRule(name: "slider", profile: .silent),
            ConditionRule(name: "both", effects: both, profile: .quiet),
        ]
        #expect(read.conditionRules == expected)
        #expect(try read.engineConfiguration().conditionRules == expected)
        #expect(try Configuration.builtIn.engineConfiguration().conditionRules.isEmpty)
    }

    @Test(
        "A mistake in a condition is reported with its place and a suggestion",
        arguments: [
            ("{ match: a, profile: silnt }", "did you mean `silent`?"),
            ("{ match: a, classes: { notification: nothng } }", "did you mean `nothing`?"),
            ("{ match: a, classes: { notification: tikc } }", "did you mean `tick`?"),
            ("{ match: a, classes: { texure: nothing } }", "did you mean `texture`?"),
            ("{ match: a, classes: { alarm: nothing } }", "`alarm`"),
            ("{ match: a, clases: { texture: nothing } }", "did you mean `classes`?"),
            ("{ profile: silent }", "`match`"),
            ("{ match: a }", "the condition changes nothing; give it `classes` or a `profile`, not only `full`"),
            ("{ match: a, classes: {} }", "the condition changes nothing"),
            ("{ match: a, profile: full }", "the condition changes nothing"),
            ("{ match: a, classes: { texture: full } }", "the condition changes nothing"),
            ("{ match: a, classes: { notification: full, interaction: full, texture: full }, profile: quiet }", "nothing"),
            ("{ match: a, classes: silent }", "expected an object"),
            ("{ match: a, profile: quiet }, { match: a, profile: silent }", "there is a condition `a` already"),
        ])
    func mistake(entries: String, expected: String) throws {
        let found = mistakes("conditions: [\(entries)]")
        #expect(found.count == 1, "\(found)")
        let first = try #require(found.first)
        #expect(first.hasPrefix("3:"), "\(first)")
        #expect(first.contains(expected), "\(first)")
    }

    @Test("A name that looks like a glob is exact, which a note explains")
    func globs() throws {
        let text = """
            version: 1
            \(twoActuators)
            conditions: [{ match: "cam*", profile: quiet }, { match: "?", profile: quiet }, { match: camera, profile: quiet }]
            """
        var notes: [String] = []
        let read = try Configuration.read(yaml: Array(text.utf8), file: "h.yaml") { notes += $0.map(\.description) }
        #expect(read.conditionRules.map(\.name) == ["cam*", "?", "camera"])
        #expect(
            notes == [
                "h.yaml:3:23: conditions[0].match: names of conditions are exact, so `cam*` has no wildcard; write the whole name",
                "h.yaml:3:58: conditions[1].match: names of conditions are exact, so `?` has no wildcard; write the whole name",
            ])
    }

    @Test("A condition may have a switch, a key or a line, which the daemon reads")
    func inputs() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            conditions:
              - { match: docked, input: { chip: gpiochip0, line: 5, debounce: 50ms }, profile: quiet }
              - { match: camera, profile: quiet }
              - { match: silent, input: { match: { name: slider }, axis: ABS_SND_PROFILE, at: 0 }, profile: silent }
              - { match: quiet, input: { match: { name: slider }, axis: ABS_SND_PROFILE, at: 1 }, profile: quiet }
              - { match: closed, input: { match: { name: lid }, switch: SW_LID }, profile: silent }
            holds: [{ name: docked, input: { chip: gpiochip0, line: 6 } }]
            """)
        #expect(
            read.inputs.map(\.purpose) == [
                .condition("docked"), .condition("silent"), .condition("quiet"), .condition("closed"), .hold("docked"),
            ])
        #expect(
            read.inputs.map { "\($0.source.address)" } == [
                "GPIO line 5 of gpiochip0", #"ABS_SND_PROFILE at 0 of the input device with name "slider""#,
                #"ABS_SND_PROFILE at 1 of the input device with name "slider""#,
                #"SW_LID of the input device with name "lid""#, "GPIO line 6 of gpiochip0",
            ])
        #expect(read.inputs[0].source.debounce == .milliseconds(50))
        #expect(read.conditionRules.map(\.name) == ["docked", "camera", "silent", "quiet", "closed"])
    }

    @Test(
        "An input is read for one condition or one hold, and no output is read",
        arguments: [
            (
                "{ match: a, input: { chip: b, line: 1 }, profile: quiet }, { match: c, input: { chip: b, line: 1 }, profile: quiet }",
                "GPIO line 1 of b is that of the condition `a` already; take one of them out"
            ),
            (
                "{ match: a, input: { chip: gpiochip0, line: 18 }, profile: quiet }",
                "GPIO line 18 of gpiochip0 is the device of the actuator `main`"
            ),
            ("{ match: a, input: { match: { name: b }, switch: SW_LIDD }, profile: quiet }", "no switch is called SW_LIDD"),
            ("{ match: a, input: { chip: b, line: 1 } }", "the condition changes nothing"),
        ])
    func inputMistakes(entries: String, expected: String) {
        let found = mistakes(
            whole: """
                version: 1
                actuators: [{ name: main, backend: gpio, chip: gpiochip0, line: 18 }]
                conditions: [\(entries)]
                """)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test("Conditions and holds have at most 64 inputs together, each once")
    func inputLimit() {
        func conditions(_ count: Int) -> String {
            let entries = (0..<count).map { "{ match: a\($0), input: { chip: b, line: \($0) }, profile: quiet }" }
            return "conditions: [\(entries.joined(separator: ", "))]\nholds: [{ name: a, input: { chip: b, line: 100 } }]"
        }
        #expect(mistakes(conditions(63)) == [])
        let found = mistakes(conditions(64))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("there are 64 keys, buttons and switches already") == true, "\(found)")
        let twice = mistakes(
            "conditions: [{ match: a, input: { chip: b, line: 1 }, profile: quiet }]\nholds: [{ name: a, input: { chip: b, line: 1 } }]"
        )
        #expect(twice.first?.contains("is that of the condition `a` already") == true, "\(twice)")
    }

    @Test("A configuration has at most 64 conditions", arguments: [(64, true), (65, false)])
    func limit(count: Int, isRead: Bool) {
        let entries = (0..<count).map { "{ match: c\($0), profile: quiet }" }.joined(separator: ", ")
        #expect(mistakes("conditions: [\(entries)]").isEmpty == isRead)
    }

    @Test("Only root and the daemon's user assert conditions, unless `access: conditions` names others")
    func access() throws {
        let text = "version: 1\n\(twoActuators)\naccess: { conditions: { users: [ada] } }"
        let list = try configuration(text).access[.conditions]
        #expect(list?.admits(user: 1001, groups: []) == true)
        #expect(!Privilege.conditions.isFreeByDefault)
    }
}
