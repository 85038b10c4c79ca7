// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import Testing

@testable import HapticConfig

@Suite("Rules for things that come and go") struct ThingRuleTests {
    private static func collection(_ keys: String) throws -> CollectionRule {
        let text = "version: 1\n\(twoActuators)\ncollections: [{ match: \"cart.*\", \(keys) }]"
        return try configuration(text).engineConfiguration().collectionRules[0]
    }

    @Test(
        "What is felt where some come and some go follows from what is felt of each",
        arguments: [
            ("inserted: tick, removed: release", "tick then release"),
            ("inserted: tick, removed: release, combine: sequence", "tick then release"),
            ("inserted: tick, removed: release, combine: together", "tick+release"),
            ("inserted: tick, removed: release, combine: first", "tick"),
            ("inserted: tick, removed: release, replaced: selection", "selection"),
            ("inserted: tick", "tick"), ("removed: release", "release"), ("replaced: selection", "selection"),
        ])
    func both(keys: String, both: String) throws {
        let rule = try Self.collection(keys)
        #expect(rule.patterns.both == both)
        #expect(rule.patterns.inserted == (keys.contains("inserted") ? "tick" : nil))
        #expect(rule.patterns.removed == (keys.contains("removed") ? "release" : nil))
        #expect((rule.feedback.feedbackClass, rule.interval) == (.interaction, .milliseconds(60)))
    }

    @Test("One after another is one after another on the beat, together is at once")
    func composed() throws {
        let text =
            "version: 1\n\(twoActuators)\ncollections: [{ match: a, inserted: tick, removed: success, combine: @, every: 90ms }]"
        func starts(_ way: String) throws -> [Nanoseconds] {
            let read = try configuration(text.replacing("@", with: way))
            let pattern = try #require(read.patterns.values.first { $0.parts.count == 2 })
            return pattern.parts.map { if case .at(let start) = $0.start { start } else { Nanoseconds(-1) } }
        }
        #expect(try (starts("sequence"), starts("together")) == ([.zero, .milliseconds(90)], [.zero, .zero]))
        let read = try configuration(text.replacing("@", with: "sequence"))
        // A pair ends on the beat.
        #expect(read.patterns["tick then success"]?.duration == .milliseconds(90 + 440))
        let short = try configuration(
            "version: 1\n\(twoActuators)\ncollections: [{ match: a, inserted: tick, removed: release }]")
        #expect(short.patterns["tick then release"]?.duration == .milliseconds(120))
    }

    @Test("A pattern of a file that is called as the combination takes its place")
    func named() throws {
        let own = "version: 1\nname: tick+release\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]\n"
        let text = """
            version: 1
            patterns: [/p]
            \(twoActuators)
            collections: [{ match: a, inserted: tick, removed: release, combine: together }]
            """
        let read = try configuration(text, files: ["/p/tick+release.yaml": own])
        #expect((read.patterns["tick+release"]?.tracks.count, read.collectionRules[0].patterns.both) == (1, "tick+release"))
    }

    @Test("An event rule may have a transition in place of a pattern")
    func transition() throws {
        let text = """
            version: 1
            \(twoActuators)
            events:
              - { match: player, transition: { inserted: tick, removed: release, combine: first }, class: interaction, intensity: 50%, resume: true }
              - { match: "*", pattern: soft }
            """
        let rules = try configuration(text).engineConfiguration().eventRules
        #expect(rules[0].transition == ThingPatterns(inserted: "tick", removed: "release", both: "tick"))
        #expect((rules[0].feedback.feedbackClass, rules[0].feedback.intensity.value) == (.interaction, 0.5))
        #expect(rules[0].resumes)
        #expect(rules[1].transition == nil)
    }

    @Test("What lasts until something ends it is combined with nothing")
    func open() {
        let own = "version: 1\nname: humm\nphases: [{ use: soft, until: released }]\n"
        let text = """
            version: 1
            patterns: [/p]
            \(twoActuators)
            collections: [{ match: a, inserted: humm, removed: soft }, { match: b, inserted: humm, removed: soft, combine: first }]
            """
        #expect(
            HapticConfigTests.mistakes(whole: text, files: ["/p/humm.yaml": own]) == [
                "4:15: collections[0]: `humm` lasts until something ends it, so nothing can be combined with it; write `combine: first`, or say with `replaced` what is felt of both"
            ])
    }

    @Test("Without `collections` and `tasks` there is a rule for all of each, and an empty list is none")
    func standard() throws {
        let standard = try configuration("version: 1\n\(twoActuators)")
        #expect((standard.collectionRules.map(\.match.text), standard.taskRules.map(\.match.text)) == (["*"], ["*"]))
        let task = standard.taskRules[0]
        #expect((task.began?.pattern, task.began?.feedbackClass) == ("start", .interaction))
        #expect(task.timeout == .seconds(600))
        #expect((task.succeeded?.pattern, task.failed?.pattern) == ("success", "error"))
        #expect(task.cancelled == nil)
        let none = try configuration("version: 1\n\(twoActuators)\ncollections: []\ntasks: []")
        #expect(none.collectionRules.isEmpty)
        #expect(none.taskRules.isEmpty)
    }
}
