// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticFormats
import HapticInputs
import HapticPatterns
import Testing

@testable import HapticConfig

@Suite("Rules that follow a value") struct FollowRuleTests {
    private static func text(_ rule: String) -> String {
        "version: 1\n\(twoActuators)\nprogress: [{ match: lever, pattern: tick, \(rule) }]"
    }

    @Test("A rule says how the value is followed, and what is felt on its way")
    func read() throws {
        func shape(_ rule: String) throws -> FollowShape? {
            try configuration(Self.text(rule)).engineConfiguration().progressRules[0].follow
        }
        #expect(try shape("mode: follow") == FollowShape(endStop: "rigid"))
        #expect(try shape("step: 1%") == nil)
        let whole = "mode: follow, response: 50ms, dampingFraction: 0.5, detents: [0.25, 50%], hysteresis: 1%, endStop: none"
        #expect(
            try shape(whole)
                == FollowShape(
                    spring: Spring(response: .milliseconds(50), dampingFraction: 0.5)!,
                    detents: [Progress(0.25)!, Progress(0.5)!], hysteresis: 0.01))
        #expect(try shape("mode: follow, detents: 9, endStop: soft")?.detents.map(\.value) == (1...9).map { Double($0) / 10 })
    }
}

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
        #expect(read.inputs.map(\.purpose) == [.hold("unlock"), .hold("power")])
        #expect(
            read.inputs.map { "\($0.source.address)" } == [
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

    @Test("Devices have at most 64 holds")
    func most() {
        func entries(_ count: Int) -> String {
            (0..<count).map { "{ name: a\($0), input: { chip: b, line: \($0) } }" }.joined(separator: "\n")
        }
        #expect(Self.mistakes(entries(HoldTable.mostOfDevices)) == [])
        let found = Self.mistakes(entries(HoldTable.mostOfDevices + 1))
        #expect(found.count == 1, "\(found)")
        #expect(found[0].contains("there are 64 keys, buttons and switches already"), "\(found)")
    }
}

@Suite("Rules for several actuators") struct SpreadTests {
    private static let actuators = """
        version: 1
        actuators: [{ name: left, backend: simulated }, { name: right, backend: simulated }, { name: back, backend: simulated }]
        """

    private static func text(_ rule: String) -> String { actuators + "\nevents: [{ match: x, pattern: soft, \(rule) }]" }

    @Test(
        "A rule says how what it plays is spread",
        arguments: [
            ("stagger: 60ms", Spread.stagger(Stagger(interval: .milliseconds(60)))),
            ("stagger: 0.5s, from: center", .stagger(Stagger(interval: .milliseconds(500), origin: .center))),
            ("handOver: { to: right }", .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(200)))),
            (
                "actuators: [left], handOver: { to: back, duration: 1s }",
                .handOver(HandOver(to: ActuatorIndex(2), duration: .seconds(1)))
            ),
        ])
    func read(rule: String, spread: Spread) throws {
        let engine = try configuration(Self.text(rule)).engineConfiguration()
        #expect(engine.eventRules[0].feedback.spread == spread)
    }
}

@Suite("Rules for tasks") struct TaskRuleTests {
    @Test("A task is answered as a touch is, and its end has the class of its rule")
    func read() throws {
        let text = """
            version: 1
            \(twoActuators)
            tasks:
              - { match: "build-*", began: tick, succeeded: success, failed: error, cancelled: stop, working: soft, every: 1s, upTo: 1h,
                  timeout: 7200s, class: alarm, intensity: 50%, actuators: [pad] }
            """
        let rule = try configuration(text).engineConfiguration().taskRules[0]
        func feedback(_ pattern: String, _ feedbackClass: FeedbackClass) -> RuleFeedback {
            RuleFeedback(
                pattern: pattern, feedbackClass: feedbackClass, intensity: Intensity(clamping: 0.5), actuators: [ActuatorIndex(1)]
            )
        }
        #expect(
            rule
                == TaskRule(
                    match: Glob("build-*"), began: feedback("tick", .interaction), succeeded: feedback("success", .alarm),
                    failed: feedback("error", .alarm), cancelled: feedback("stop", .alarm),
                    working: .init(feedback: feedback("soft", .texture), interval: .seconds(1), upTo: .seconds(3600)),
                    timeout: .seconds(7200)))
        #expect(mistakes("tasks:\n  - { match: a, working: soft, every: 2s, upTo: 2s, timeout: 2001ms }") == [])
    }
}

@Suite("Rules for things that come and go") struct ThingRuleTests {
    private static func collection(_ keys: String) throws -> CollectionRule {
        let text = "version: 1\n\(twoActuators)\ncollections: [{ match: \"cart.*\", \(keys) }]"
        return try configuration(text).engineConfiguration().collectionRules[0]
    }

    @Test(
        "The pattern for things that come and go at once follows from those for each",
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

    @Test("A sequence follows the beat, and patterns that are played together begin together")
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

    @Test("A pattern file with the name of a combination replaces the combination")
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

    @Test("A pattern with an open phase cannot be combined")
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

    @Test("Without `collections` and `tasks` one rule each matches all of them; an empty list has no rule")
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
