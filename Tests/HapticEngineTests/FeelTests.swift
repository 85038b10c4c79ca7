// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("The expected feel in a decision")
struct FeelTests {
    /// A slow coin motor.
    private static let slow = MotorModel(
        kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(0.6)!, hold: Share(0.3)!)

    private static func motor(isFitted: Bool = true) -> EngineActuator {
        EngineActuator(name: "main", motor: slow, isFitted: isFitted)
    }

    @Test("The peak is that of the motor's motion under the actuations")
    func asActuated() throws {
        for pattern in ["tick", "success", "long"] {
            var bench = Bench(.bench(actuators: [Self.motor()]))
            let decision = bench.play(pattern)
            bench.run(for: .seconds(3))
            let changes = bench.actuations.map { DriveChange(at: $0.planned - .zero, drive: $0.drive) }
            let curve = SampledEnvelope(Self.slow, driven: changes, length: .seconds(3))
            #expect(abs(try #require(decision.feel).peak - curve.peak) < 0.02, "\(pattern)")
        }
    }

    @Test("Steps that a motor does not keep apart run together", arguments: [(75, true), (3, false)])
    func train(steps: Int, runsTogether: Bool) {
        var bench = Bench(.bench(actuators: [Self.motor()]))
        #expect(bench.play("soft", steps: steps).feel?.runsTogether == runsTogether)
    }

    @Test("Rules whose pattern no motor conveys are listed with the best peak")
    func weakRules() throws {
        let feedback = RuleFeedback(pattern: "tick", feedbackClass: .interaction)
        func configuration(_ actuators: [EngineActuator]) throws -> EngineConfiguration {
            try EngineConfiguration(
                actuators: actuators, eventRules: [EventRule(match: Glob("key.*"), feedback: feedback)],
                patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.map { (Text($0), $1) }))
        }
        let weak = try configuration([Self.motor(isFitted: false)]).weakFeedback
        #expect(weak.map(\.rule) == ["events key.*"])
        #expect(weak.map(\.pattern) == ["tick"])
        #expect(weak.map(\.actuators) == [["main"]])
        #expect(weak.map(\.peak) == [0])
        #expect(try configuration([Self.motor()]).weakFeedback == [])
        #expect(try configuration([Self.motor(isFitted: false), EngineActuator(name: "unknown")]).weakFeedback == [])
    }
}
