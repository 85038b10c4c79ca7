// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine
@testable import HapticPlanning

/// The traces `follow*` show all except floods and a daemon that comes late.
@Suite("Followed values")
struct FollowTests {
    @Test("10,000 values a second are all decided, and make 200 changes, or 50 on a pad", arguments: [5, 20] as [Int64])
    func flood(interval: Int64) {
        var capabilities = ActuatorCapabilities.full
        capabilities.followInterval = .milliseconds(interval)
        var bench = Bench(.following(actuators: [EngineActuator(name: "main", capabilities: capabilities)]))
        var random = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            let decision = bench.progress("lever", Double.random(in: 0.1...1, using: &random))
            #expect(decision.reason == (decision.outcome == .played ? nil : .minInterval))
            #expect([.played, .merged].contains(decision.outcome))
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

    @Test("A daemon that comes late plays no value that is over")
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

    @Test("However many sources there are, no more are followed than actuators")
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

    @Test("A motor that cannot follow is no reason to call a value too weak if another one is followed on all that can")
    func besideOnOff() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(
            .following(actuators: [EngineActuator(name: "main"), EngineActuator(name: "buzzer", capabilities: onOff)]))
        bench.progress("lever", 0.5)
        bench.run(for: .milliseconds(100))
        let decision = bench.progress("slider", 0.5)
        #expect((decision.outcome, decision.reason) == (.suppressed, .lowerPriority))
        let blocker = Decision.Blocker(playback: PlaybackID(1), pattern: nil, feedbackClass: .texture)
        #expect(decision.circumstance == .blocked(by: blocker))
    }

    @Test("A detent on top of a value stays within the user's strength", arguments: [0.5, 0.25])
    func strength(share: Double) {
        var bench = Bench(.following(detents: FollowShape.even(3)))
        bench.send([.change(SettingsChange(strength: .set(Strength(share)!)))])
        bench.progress("lever", 0.95)
        bench.run(for: .milliseconds(200))
        // The value alone is 95 % of the strength, and the detent's pattern 60 % of it.
        let decision = bench.progress("lever", 0.7)
        #expect((decision.pattern, decision.intensity) == ("light", Intensity(share)))
        bench.run(for: .seconds(1))
        #expect(bench.actuations.allSatisfy { $0.level.intensity.value <= share })
        #expect(bench.actuations.contains { $0.planned >= .ms(200) && $0.level.intensity.value == share })
    }

    @Test("The intensity of a rule limits the value, not the detents on top of it")
    func ruleIntensity() {
        var bench = Bench(.following(detents: [Progress(0.5)!], intensity: 0.5))
        bench.progress("lever", 0.4)
        bench.run(for: .milliseconds(200))
        // A value of 0.6 at half its intensity, and a detent of 0.6 at half its own.
        #expect(bench.progress("lever", 0.6).intensity == Intensity(0.6))
    }
}

extension EngineConfiguration {
    fileprivate static func following(
        actuators: [EngineActuator] = [EngineActuator(name: "main")], detents: [Progress] = [], intensity: Double = 1
    ) -> EngineConfiguration {
        let spring = Spring(response: .milliseconds(100), dampingFraction: 1)!
        let rule = ProgressRule(
            match: Glob("*"), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(spring: spring, detents: detents),
            feedback: RuleFeedback(pattern: "light", feedbackClass: .texture, intensity: Intensity(intensity)!))
        return try! EngineConfiguration(
            actuators: actuators, progressRules: [rule],
            patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.map { (Text($0), $1) }))
    }
}
