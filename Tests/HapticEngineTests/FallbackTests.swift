// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Decisions that name stand-ins") struct FallbackTests {
    /// - Parameter missing: The indices of actuators that are not there.
    private static func bench(_ actuators: [EngineActuator], missing: [Int]) -> Bench {
        var bench = Bench(.bench(actuators: actuators))
        for index in missing { bench.take(.actuator(ActuatorIndex(index), isAvailable: false)) }
        return bench
    }

    private static let light = ActuatorIndex(2)
    /// Two motors with one light that stands in for both, and a light of its own.
    private static let shared = [
        EngineActuator(name: "left", fallback: light), EngineActuator(name: "right", fallback: light),
        EngineActuator(name: "light"), EngineActuator(name: "lamp"),
    ]

    @Test("A decision names the actuator that stands in for a missing one, if any")
    func missing() {
        var bench = Self.bench(Self.shared, missing: [0])
        let wanted = ["left", "right", "lamp"]
        #expect(bench.play("soft").circumstance == .standIn(wanted: wanted, there: ["light", "right", "lamp"]))
        #expect(bench.play("soft", actuators: [3]).circumstance == nil)
    }

    @Test("A stand-in that takes no part is not named, and neither is its missing actuator")
    func busy() {
        var bench = Self.bench(Self.shared, missing: [0])
        bench.play("long", .alarm, actuators: [2])
        let others = bench.play("soft")
        #expect(others.actuators == ["right", "lamp"])
        #expect(others.circumstance == nil)
    }

    @Test("Only the stand-in that plays is named, or that keeps an input from being felt")
    func oneOfTwo() {
        let limits = MotorLimits(minGap: .milliseconds(20))
        let own = [
            EngineActuator(name: "left", fallback: Self.light), EngineActuator(name: "right", fallback: ActuatorIndex(3)),
            EngineActuator(name: "light"), EngineActuator(name: "lamp", limits: limits), EngineActuator(name: "pad"),
        ]
        var bench = Self.bench(own, missing: [0, 1, 4])
        bench.play("long", .alarm, actuators: [2])
        let lamp = Decision.Circumstance.standIn(wanted: ["right"], there: ["lamp"])
        #expect(bench.play("soft").circumstance == lamp)
        bench.run(until: .ms(15))
        let merged = bench.play("soft")
        #expect((merged.outcome, merged.reason) == (.merged, .minGap))
        #expect(merged.circumstance == lamp)
    }
}
