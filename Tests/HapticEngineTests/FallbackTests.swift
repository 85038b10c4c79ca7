// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// Two motors with one light that stands in for both, and a light of its own.
@Suite struct FallbackTests {
    private func bench(_ profile: Profile = .full) -> Bench {
        var configuration = EngineConfiguration.bench()
        configuration.profile = profile
        let light = ActuatorIndex(2)
        configuration.actuators = [
            EngineActuator(name: "left", fallback: light), EngineActuator(name: "right", fallback: light),
            EngineActuator(name: "light"), EngineActuator(name: "lamp"),
        ]
        return Bench(configuration)
    }

    @Test("What stands in for others plays nothing by itself unless it is named")
    func atRest() {
        var bench = bench()
        #expect(bench.play("soft").actuators == ["left", "right", "lamp"])
        #expect(bench.play("soft", actuators: [2]).actuators == ["light"])
    }

    @Test("A stand-in plays in place of what is missing, once, however many it stands in for")
    func missing() {
        var bench = bench()
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        let all = bench.play("soft")
        #expect(all.actuators == ["light", "right", "lamp"])
        #expect(
            all.circumstance == .standIn(wanted: ["left", "right", "lamp"], there: ["light", "right", "lamp"]))
        #expect(bench.play("soft", actuators: [3]).circumstance == nil)
        bench.take(.actuator(ActuatorIndex(1), isAvailable: false))
        #expect(bench.play("soft", actuators: [0, 1]).actuators == ["light"])
        bench.take(.actuator(ActuatorIndex(0), isAvailable: true))
        #expect(bench.play("soft", actuators: [0]).actuators == ["left"])
    }

    @Test("Where the stand-in is missing as well nothing is played")
    func bothMissing() {
        var bench = bench()
        for index in [0, 2] { bench.take(.actuator(ActuatorIndex(index), isAvailable: false)) }
        let decision = bench.play("soft", actuators: [0])
        #expect(decision.outcome == .failed && decision.reason == .deviceLost)
    }

    @Test("A stand-in plays what a profile wants nothing of, and nothing else does")
    func profile() {
        var bench = bench(.silent)
        let decision = bench.play("soft")
        #expect(decision.outcome == .played && decision.actuators == ["light"])
        let named = bench.play("soft", actuators: [3])
        #expect(named.outcome == .suppressed && named.reason == .profile, "the lamp has no fallback, and is no one's")
    }
}
