// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("A decision reports what the motor's model makes of the playback")
struct FeelTests {
    /// A slow coin motor.
    private static let slow = MotorModel(
        kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(0.6)!, hold: Share(0.3)!)

    private static func motor(
        _ name: String = "main", _ capabilities: ActuatorCapabilities = .full, limits: MotorLimits = .none, isFitted: Bool = true
    ) -> EngineActuator {
        EngineActuator(name: name, capabilities: capabilities, limits: limits, motor: slow, isFitted: isFitted)
    }

    private static func feel(
        of pattern: String, steps: Int? = nil, on actuators: EngineActuator..., set: SettingsChange? = nil
    ) -> Decision.Feel? {
        var bench = Bench(.bench(actuators: actuators))
        if let set { bench.take(.batch([.change(set)])) }
        return bench.play(pattern, steps: steps).feel
    }

    @Test("Nothing is known without a model, and of a pattern that is not played")
    func unknown() {
        #expect(Self.feel(of: "success", on: EngineActuator(name: "main")) == nil)
        var bench = Bench(.bench(actuators: [Self.motor()], profile: .silent))
        let decision = bench.play("success")
        #expect(decision.outcome == .suppressed)
        #expect(decision.feel == nil)
    }

    @Test("A tap that is not fitted is too weak, and a fitted one reaches 0.2")
    func fitted() throws {
        let plain = try #require(Self.feel(of: "tick", on: Self.motor(isFitted: false)))
        #expect(plain.peak == 0)
        #expect(!plain.isFelt)
        let fitted = try #require(Self.feel(of: "tick", on: Self.motor()))
        #expect(fitted.peak >= 0.199)
        #expect(fitted.isFelt)
    }

    @Test("The peak is that of the motor's motion under the actuations")
    func asActuated() throws {
        for pattern in ["tick", "success", "long"] {
            var bench = Bench(.bench(actuators: [Self.motor()]))
            let decision = bench.play(pattern)
            bench.run(for: .seconds(3))
            let changes = bench.actuations.map { DriveChange(at: $0.planned - .zero, drive: $0.drive) }
            let curve = FeltCurve(Self.slow, driven: changes, length: .seconds(3))
            #expect(abs(try #require(decision.feel).peak - curve.peak) < 0.02, "\(pattern)")
        }
    }

    @Test("The limits of the motor count")
    func limited() throws {
        let cut = try #require(Self.feel(of: "success", on: Self.motor(limits: MotorLimits(maxOn: .milliseconds(10)))))
        #expect(!cut.isFelt)
    }

    @Test("The strength that people set counts")
    func strength() throws {
        let set = SettingsChange(strength: .set(Strength(0.02)!))
        let actuator = Self.motor(isFitted: false)
        let soft = try #require(Self.feel(of: "success", on: actuator, set: set))
        #expect(!soft.isFelt)
        #expect(try #require(Self.feel(of: "success", on: actuator)).isFelt)
    }

    @Test("Of several motors the best counts; one without a model may be better than a weak one")
    func several() throws {
        let weak = Self.motor("weak", isFitted: false)
        let best = try #require(Self.feel(of: "tick", on: weak, Self.motor("good")))
        #expect(best.peak >= 0.199)
        #expect(Self.feel(of: "tick", on: weak, EngineActuator(name: "unknown")) == nil)
        let felt = try #require(Self.feel(of: "tick", on: Self.motor("good"), EngineActuator(name: "unknown")))
        #expect(felt.isFelt)
    }

    @Test("A light is not felt, and does not hide that nothing is")
    func light() throws {
        var capabilities = ActuatorCapabilities.full
        capabilities.isLight = true
        let light = EngineActuator(name: "light", capabilities: capabilities)
        #expect(Self.feel(of: "tick", on: light) == nil)
        #expect(try #require(Self.feel(of: "tick", on: light, Self.motor(isFitted: false))).isFelt == false)
    }

    @Test("Steps that a motor does not keep apart run together")
    func train() throws {
        #expect(try #require(Self.feel(of: "soft", steps: 75, on: Self.motor())).runsTogether)
        #expect(try #require(Self.feel(of: "soft", steps: 3, on: Self.motor())).runsTogether == false)
    }

    @Test("A step runs together with the one before where the motor has not stopped since")
    func steps() throws {
        var bench = Bench(.bench(actuators: [Self.motor()]))
        #expect(try #require(bench.progress("copy", 0.1).feel).runsTogether == false)
        bench.run(for: .seconds(1))
        #expect(try #require(bench.progress("copy", 0.2).feel).runsTogether == false)
        bench.run(for: .milliseconds(45))
        #expect(try #require(bench.progress("copy", 0.3).feel).runsTogether)
    }

    @Test("Nothing is felt of a playback that a later item of its batch takes back")
    func takenBack() {
        var bench = Bench(.bench(actuators: [Self.motor()]))
        let decisions = bench.send([
            .play("long", id: "a", at: bench.now), .play("success", id: "a", at: bench.now),
        ])
        #expect(decisions.map(\.outcome) == [.preempted, .played])
        #expect(decisions.map { $0.feel?.isFelt } == [nil, true])
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
