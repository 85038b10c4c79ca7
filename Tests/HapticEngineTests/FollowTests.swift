// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("A followed value is felt for as long as it comes")
struct FollowTests {
    // MARK: The level

    @Test("A value is felt once the spring has got there, without a step")
    func rises() {
        var bench = Bench(.following())
        let decision = bench.progress("lever", 0.6)
        #expect(decision.outcome == .played)
        #expect(decision.pattern == nil, "it has no pattern but the value")
        #expect(decision.intensity == Intensity(0.6))
        bench.run(for: .milliseconds(200))
        let levels = bench.levels(to: .ms(200))
        #expect(levels.first! < 0.05)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 < 0.15 })
        #expect(abs(levels.last! - 0.6) < 0.001)
    }

    @Test("Values that come are one playback, which ends once")
    func onePlayback() {
        var bench = Bench(.following())
        for step in 1...50 {
            #expect(bench.progress("lever", Double(step) / 100).playback == PlaybackID(1))
            bench.run(for: .milliseconds(10))
        }
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed])
        #expect(bench.ends.map(\.reason) == [nil])
        #expect(bench.pulses().count == 1)
        #expect(bench.engine.playbackCount == 0)
    }

    @Test("Without another value it counts for 250 ms, and has faded 100 ms later, with no input at all")
    func fades() {
        var bench = Bench(.following())
        bench.progress("lever", 0.6)
        bench.run(for: .seconds(2))
        #expect(abs(bench.level(at: .ms(250)) - 0.6) < 0.001)
        #expect(bench.level(at: .ms(300)) < 0.3)
        #expect(bench.pulses().map(\.end) == [.ms(350)])
        #expect(bench.engine.nextDeadline == .ms(60_000), "only the source is left, which is forgotten after a minute")
    }

    @Test("The same value again keeps it, with few changes", arguments: [10, 100, 249])
    func keepsAlive(interval: Int64) {
        var bench = Bench(.following())
        var last = MonotonicInstant.zero
        while bench.now < .ms(2000) {
            last = bench.now
            #expect(bench.progress("lever", 0.6).outcome == .played)
            bench.run(for: .milliseconds(interval))
        }
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end) == [last + .milliseconds(350)])
        #expect(bench.ends.count == 1)
        // It rises, it is held, it fades.
        #expect(bench.actuations.count < 80)
    }

    @Test("A release springs back to nothing with the velocity that it has, and only then it ends")
    func release() {
        var bench = Bench(.following(response: .milliseconds(200)))
        bench.progress("lever", 1)
        bench.run(until: .ms(50))
        let before = bench.level(at: .ms(45))
        let now = bench.level(at: .ms(50))
        #expect(bench.send(.release("lever", at: bench.now)).reason == .released)
        bench.run(for: .seconds(1))
        #expect(bench.level(at: .ms(55)) > now, "it still rises for a moment")
        #expect(bench.level(at: .ms(55)) - now < now - before)
        #expect(bench.pulses().count == 1)
        #expect(bench.pulses()[0].end <= .ms(400))
        #expect(bench.ends.map(\.ending) == [.completed])
        #expect(bench.engine.followCount == 0)
    }

    @Test("After a release the next value begins another playback")
    func again() {
        var bench = Bench(.following())
        bench.progress("lever", 1)
        bench.run(for: .milliseconds(50))
        bench.send(.release("lever", at: bench.now))
        bench.run(for: .milliseconds(10))
        #expect(bench.progress("lever", 0.5).playback == PlaybackID(2))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.preempted, .completed])
        #expect(bench.pulses().count == 1, "it goes on from what is felt")
    }

    @Test("The end of a connection lets go of what it was the source of itself, and of nothing else")
    func connection() {
        var bench = Bench(.following())
        bench.progress(nil, 1)
        bench.run(for: .milliseconds(50))
        bench.take(.connectionClosed(Bench.ada.connection))
        bench.run(for: .seconds(1))
        #expect(bench.level(at: .ms(250)) < 0.01)
        bench.progress("lever", 1)
        let start = bench.now
        bench.run(for: .milliseconds(50))
        bench.take(.connectionClosed(Bench.ada.connection))
        bench.run(for: .seconds(1))
        #expect(bench.level(at: start + .milliseconds(250)) > 0.95)
    }

    @Test("A value of 0 is felt as nothing, and begins nothing")
    func nothing() {
        var bench = Bench(.following())
        let decision = bench.progress("lever", 0)
        #expect((decision.outcome, decision.reason) == (.suppressed, .tooSubtle))
        bench.progress("lever", 0.5)
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 0).outcome == .played)
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed])
        #expect(bench.pulses().count == 1)
    }

    // MARK: Too many values

    @Test("Of 10,000 values a second each is decided, and there are 200 changes, or 50 on a pad", arguments: [5, 20] as [Int64])
    func flood(interval: Int64) {
        var capabilities = ActuatorCapabilities.full
        capabilities.followInterval = .milliseconds(interval)
        var bench = Bench(.following(actuators: [EngineActuator(name: "main", capabilities: capabilities)]))
        var random = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            let decision = bench.progress("lever", Double.random(in: 0.1...1, using: &random))
            #expect([.played, .merged].contains(decision.outcome))
            #expect(decision.outcome == .played || decision.reason == .minInterval)
            bench.run(for: .microseconds(100))
        }
        bench.run(for: .seconds(1))
        #expect(bench.decisions.count == 20_000)
        for second in [0, 500, 1000] as [Int64] {
            let count = bench.actuations.count { $0.planned >= .ms(second) && $0.planned < .ms(second + 1000) }
            #expect(count <= Int(1000 / interval) + 1)
            #expect(count > 40)
        }
        #expect(bench.pulses().count == 1)
    }

    @Test("Of the values that come at once the last one is felt, when it may")
    func lastCounts() {
        var bench = Bench(.following())
        bench.progress("lever", 0.2)
        bench.run(for: .milliseconds(1))
        for value in [0.9, 0.1, 0.7] {
            let decision = bench.progress("lever", value)
            #expect((decision.outcome, decision.reason) == (.merged, .minInterval))
        }
        #expect(bench.engine.nextDeadline == .ms(5))
        bench.run(for: .milliseconds(200))
        #expect(abs(bench.level(at: .ms(200)) - 0.7) < 0.01)
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end) == [.ms(351)], "it counts from when it was said")
    }

    @Test("Whoever looks late feels no value that is over")
    func late() {
        var bench = Bench(.following())
        bench.progress("lever", 0.2)
        bench.now = .ms(1)
        bench.progress("lever", 0.9)
        bench.now = .ms(5000)
        bench.take(.time)
        bench.run(for: .seconds(1))
        #expect(bench.engine.playbackCount == 0)
        #expect(bench.actuations.allSatisfy { !$0.isOn || $0.planned < .ms(351) })
    }

    @Test("There are no more of them than actuators, however many sources speak")
    func bounded() {
        var bench = Bench(.following(actuators: [EngineActuator(name: "a"), EngineActuator(name: "b")]))
        for source in 0..<500 {
            bench.progress("s\(source)", 0.5)
            bench.run(for: FollowPlan.hold)
            #expect(bench.engine.followCount <= 3)
        }
        bench.run(for: .seconds(1))
        #expect(bench.ends.count == 500)
        #expect(bench.engine.playbackCount == 0)
    }

    // MARK: On the wire

    @Test("A client may have a value followed where the rule has steps, and steps where it is followed")
    func mode() {
        func send(_ mode: ProgressMode, _ configuration: EngineConfiguration) -> Decision {
            var bench = Bench(configuration)
            let input = ProgressInput(value: Progress(0.4)!, mode: mode)
            return bench.send(.input(Input(client: Bench.ada, id: "lever", at: bench.now, kind: .progress(input))))
        }
        #expect(send(.follow, .bench()).pattern == nil)
        #expect(send(.follow, .bench()).intensity == Intensity(0.4))
        #expect(send(.relative, .following()).pattern == "light")
    }
}

extension Bench {
    /// The intended level of an actuator at `instant`.
    func level(at instant: MonotonicInstant, on actuator: Int = 0) -> Double {
        actuations.last { $0.planned <= instant && $0.actuator.value == actuator }?.level.intensity.value ?? 0
    }

    func levels(to end: MonotonicInstant) -> [Double] {
        actuations.filter { $0.planned <= end }.map(\.level.intensity.value)
    }
}

extension EngineConfiguration {
    static func following(
        actuators: [EngineActuator] = [EngineActuator(name: "main")], response: Nanoseconds = .milliseconds(100),
        detents: Int = 0, endStop: String? = nil, feedbackClass: FeedbackClass = .texture, intensity: Intensity = .one,
        match: String = "*", profile: Profile = .full, classes: ClassTable = .standard
    ) -> EngineConfiguration {
        let shape = FollowShape(
            spring: Spring(response: response, dampingFraction: 1)!, detents: FollowShape.even(detents), endStop: endStop)
        let rule = ProgressRule(
            match: Glob(match), gate: GateConfiguration(step: 0.01), follow: shape,
            feedback: RuleFeedback(pattern: "light", feedbackClass: feedbackClass, intensity: intensity))
        return try! EngineConfiguration(
            settings: Settings(profile: profile), classes: classes, actuators: actuators, progressRules: [rule],
            patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.map { (Text($0), $1) }))
    }
}
