// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import Testing

/// Through the public initialisers only, as a program without the daemon's reader makes a configuration.
@Suite("Mistakes of a configuration") struct ConfigurationMistakeTests {
    private static func make(
        classes: ClassTable? = nil, actuators: [EngineActuator] = [EngineActuator(name: "main")], complete: String? = nil,
        feedback: RuleFeedback = RuleFeedback(pattern: "soft", feedbackClass: .texture),
        collectionRules: [CollectionRule] = [], holdRules: [HoldRule] = [], taskRules: [TaskRule] = [],
        bounds: EngineBounds = .standard
    ) throws(ConfigurationMistake) -> EngineConfiguration {
        var plain = ClassTable.standard
        (plain.notification.reduced, plain.interaction.reduced) = (.full, .full)
        return try EngineConfiguration(
            classes: classes ?? plain, actuators: actuators,
            progressRules: [
                ProgressRule(match: Glob("*"), gate: GateConfiguration(step: 0.01), feedback: feedback, complete: complete)
            ],
            eventRules: [EventRule(match: Glob("*"), feedback: feedback)], collectionRules: collectionRules,
            holdRules: holdRules, taskRules: taskRules,
            patterns: ["soft": PlayablePattern(name: "soft", timeline: PlayablePattern.bench["soft"]!.timeline)], bounds: bounds)
    }

    private static func feedback(
        _ pattern: String = "soft", deadline: Nanoseconds? = nil, actuators: [Int]? = nil, spread: Spread? = nil
    ) -> RuleFeedback {
        RuleFeedback(
            pattern: pattern, feedbackClass: .texture, deadline: deadline, actuators: actuators?.map { ActuatorIndex($0) },
            spread: spread)
    }

    @Test("A rule and a class name a pattern that exists")
    func patternThatARule() throws {
        _ = try Self.make()
        #expect(throws: ConfigurationMistake.noPattern(named: "none", holder: "progress rule 1")) {
            try Self.make(feedback: Self.feedback("none"))
        }
        #expect(throws: ConfigurationMistake.noPattern(named: "done", holder: "progress rule 1")) {
            try Self.make(complete: "done")
        }
        #expect(throws: ConfigurationMistake.noPattern(named: "light", holder: "the class `notification`")) {
            try Self.make(classes: .standard)
        }
        #expect(throws: ConfigurationMistake.noPattern(named: "none", holder: "event rule 1")) {
            try EngineConfiguration(
                classes: Self.make().classes, actuators: [],
                eventRules: [EventRule(match: Glob("*"), feedback: Self.feedback("none"))], patterns: [:])
        }
    }

    @Test("A rule and a fallback name an actuator that exists, and a stand-in has no fallback")
    func actuatorThatARule() {
        for index in [-1, 1, Int.max] {
            #expect(throws: ConfigurationMistake.noActuator(at: ActuatorIndex(index), holder: "progress rule 1")) {
                try Self.make(feedback: Self.feedback(actuators: [0, index]))
            }
            #expect(throws: ConfigurationMistake.noActuator(at: ActuatorIndex(index), holder: "the actuator `main`")) {
                try Self.make(actuators: [EngineActuator(name: "main", fallback: ActuatorIndex(index))])
            }
        }
        #expect(throws: ConfigurationMistake.chainedFallback(actuator: "main")) {
            try Self.make(actuators: [EngineActuator(name: "main", fallback: ActuatorIndex(0))])
        }
    }

    @Test("Times and numbers out of range are refused")
    func timesAndNumbers() {
        let tooLong = Nanoseconds(.max)
        for time in [tooLong, Nanoseconds(-1)] {
            #expect(throws: Self.time(time, "progress rule 1")) {
                try Self.make(feedback: Self.feedback(deadline: time))
            }
            #expect(throws: Self.time(time, "the actuator `main`")) {
                try Self.make(actuators: [EngineActuator(name: "main", limits: MotorLimits(minGap: time))])
            }
        }
        var thermal = ThermalModel.standard(.erm)
        thermal.winding = .zero
        #expect(throws: ConfigurationMistake.thermal(.windingOutOfRange(.zero), actuator: "main")) {
            try Self.make(actuators: [EngineActuator(name: "main", thermal: thermal)])
        }
        var classes = ClassTable.standard
        classes.alarm.limitPerSecond = -1
        #expect(throws: ConfigurationMistake.self) { try Self.make(classes: classes) }
        classes.alarm.limitPerSecond = .max
        #expect(throws: ConfigurationMistake.self) { try Self.make(classes: classes) }
        for playbacks in [-1, Int.max] {
            var bounds = EngineBounds.standard
            bounds.playbacks = playbacks
            #expect(throws: ConfigurationMistake.self) { try Self.make(bounds: bounds) }
        }
    }

    /// - Parameter range: By default, the range of a time that has no narrower one.
    private static func time(
        _ time: Nanoseconds, _ holder: String, _ range: ClosedRange<Nanoseconds> = .zero...EngineConfiguration.longestTime
    ) -> ConfigurationMistake { .time(time, holder: holder, range: range) }

    @Test("A mistake about a time has the range of its place")
    func ranges() {
        func hold(_ change: (inout HoldShape) -> Void) throws(ConfigurationMistake) {
            var rule = HoldRule(match: .clients(Glob("*")), feedback: Self.feedback())
            change(&rule.shape)
            _ = try Self.make(holdRules: [rule])
        }
        func task(timeout: Nanoseconds = .seconds(1), every: Nanoseconds = .seconds(1), upTo: Nanoseconds = .seconds(1))
            throws(ConfigurationMistake)
        {
            let working = TaskRule.Working(feedback: Self.feedback(), interval: every, upTo: upTo)
            _ = try Self.make(taskRules: [TaskRule(match: Glob("*"), working: working, timeout: timeout)])
        }
        let (ns, year) = (Nanoseconds(1), EngineConfiguration.longestTime)
        #expect(throws: Self.time(.seconds(61), "hold 1", .zero ... .seconds(60))) { try hold { $0.press = .seconds(61) } }
        #expect(throws: Self.time(.seconds(601), "hold 1", Nanoseconds(160) ... .seconds(600))) {
            try hold { $0.duration = .seconds(601) }
        }
        #expect(throws: Self.time(Nanoseconds(-1), "hold 1", .zero ... .seconds(60))) { try hold { $0.fall = Nanoseconds(-1) } }
        #expect(throws: Self.time(.zero, "task 1", ns...year)) { try task(timeout: .zero) }
        #expect(throws: Self.time(ns, "task 1", .milliseconds(100)...year)) { try task(every: ns) }
        #expect(throws: Self.time(Nanoseconds(-1), "task 1")) { try task(upTo: Nanoseconds(-1)) }
        let interval = Self.time(.seconds(2), "collection 1", ns ... .seconds(1))
        #expect(throws: interval) {
            let rule = CollectionRule(
                match: Glob("*"), patterns: ThingPatterns(inserted: "soft"), feedback: Self.feedback(), interval: .seconds(2))
            _ = try Self.make(collectionRules: [rule])
        }
        #expect("\(interval)" == "the time 2s of collection 1 is not possible; it has to be from 1ns to 1s")
    }

    @Test("A spread that is not possible is refused")
    func spreads() {
        let motors = ["left", "middle", "right"].map { EngineActuator(name: $0) }
        func make(_ spread: Spread, actuators: [Int]? = nil) throws(ConfigurationMistake) {
            _ = try Self.make(actuators: motors, feedback: Self.feedback(actuators: actuators, spread: spread))
        }
        func handOver(to index: Int, _ duration: Nanoseconds) -> Spread {
            .handOver(HandOver(to: ActuatorIndex(index), duration: duration))
        }
        let rule = "progress rule 1"
        for (spread, actuators, mistake) in [
            (.stagger(Stagger(interval: .milliseconds(501))), nil, Self.time(.milliseconds(1002), rule, .zero ... .seconds(1))),
            (handOver(to: 1, .milliseconds(1)), [1], .handedToItself(holder: rule)),
            (handOver(to: 3, .milliseconds(1)), nil, .noActuator(at: ActuatorIndex(3), holder: rule)),
            (handOver(to: 1, .seconds(11)), nil, Self.time(.seconds(11), rule, Nanoseconds(1) ... .seconds(10))),
        ] as [(Spread, [Int]?, ConfigurationMistake)] {
            #expect(throws: mistake) { try make(spread, actuators: actuators) }
        }
        #expect(throws: Never.self) { try make(.stagger(Stagger(interval: .milliseconds(500)))) }
    }

    @Test("The greatest accepted numbers play without a trap")
    func farthestThatIsTaken() throws {
        let year = EngineConfiguration.longestTime
        var classes = try Self.make().classes
        for name in FeedbackClass.allCases { classes[name].deadline = year }
        let limits = MotorLimits(minInterval: year, minGap: year, maxOn: year, duty: Share(0.5)!)
        let configuration = try Self.make(
            classes: classes, actuators: [EngineActuator(name: "main", limits: limits)],
            bounds: EngineBounds(sources: 1, sourcesPerUser: 1, playbacks: 1, sourceTimeout: year))
        var bench = Bench(configuration)
        #expect(bench.progress("a", 0.5).outcome == .played)
        bench.run(for: .seconds(1))
        #expect(bench.progress("a", 0.9).outcome != .played)
    }
}
