// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticReplay
import HapticText
import Testing

@Suite("Conditions in a journal") struct ConditionJournalTests {
    private static func configuration(_ rules: [ConditionRule] = []) throws -> EngineConfiguration {
        try EngineConfiguration(
            classes: .withoutPatterns, actuators: [EngineActuator(name: "main")], conditionRules: rules, patterns: [:])
    }

    @Test("A configuration without conditions is written as it was before there were any, and read")
    func none() throws {
        let configuration = try Self.configuration()
        let bytes = try JSONLine.bytes(configuration)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("conditions"))
        #expect(try JSONLine.value(EngineConfiguration.self, from: bytes) == configuration)
    }

    @Test("The conditions of a configuration are read as they were written")
    func rules() throws {
        var effects = ConditionRule.Effects()
        (effects.notification, effects.texture) = (.nothing, .half)
        let rules = [ConditionRule(name: "camera", effects: effects), ConditionRule(name: "slider", profile: .silent)]
        let configuration = try Self.configuration(rules)
        let read = try JSONLine.value(EngineConfiguration.self, from: try JSONLine.bytes(configuration))
        #expect(read.conditionRules == rules)
    }

    @Test(
        "Asserting a condition replays, also by a switch of the device",
        arguments: [ClientIdentity(connection: 1, user: 1000), .device(user: 0)])
    func replay(client: ClientIdentity) throws {
        let recorded = Recorded(try Self.configuration([ConditionRule(name: "camera", profile: .silent)]))
        for (name, isOn) in [("camera", true), ("other", true), ("camera", false)] {
            recorded.take(.batch([.condition(ConditionRequest(client: client, name: name, isOn: isOn))]))
        }
        recorded.writer.end(.stopped)
        #expect(try Replayed(recorded.journal.lines).results == recorded.results)
        #expect(
            recorded.results == [
                .condition(.taken("camera", isInForce: true)), .condition(.unknown),
                .condition(.taken("camera", isInForce: false)),
            ])
    }

    /// The link of a suspension was `suspend`, and the digest of a decision has its name.
    @Test("The link keeps the name that it had in older journals")
    func link() throws {
        let path = PolicyPath(profile: .full, objection: .condition)
        let text = String(decoding: try JSONLine.bytes(path), as: UTF8.self)
        #expect(text.contains(#""objection":"suspend""#))
        #expect(!text.contains("condition"))
    }
}

extension ClassTable {
    fileprivate static var withoutPatterns: ClassTable {
        var table = ClassTable.standard
        (table.notification.reduced, table.interaction.reduced) = (.half, .half)
        return table
    }
}
