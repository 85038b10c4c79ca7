// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
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
            ("{ match: a }", "the condition changes nothing; give it `classes` or `profile`"),
            ("{ match: a, profile: quiet }, { match: a, profile: silent }", "there is a condition `a` already"),
        ])
    func mistake(entries: String, expected: String) throws {
        let found = mistakes("conditions: [\(entries)]")
        #expect(found.count == 1, "\(found)")
        let first = try #require(found.first)
        #expect(first.hasPrefix("3:"), "\(first)")
        #expect(first.contains(expected), "\(first)")
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
