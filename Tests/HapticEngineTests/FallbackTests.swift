// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// Two motors with one light that stands in for both, and a light of its own.
@Suite struct FallbackTests {
    private func bench(_ profile: Profile = .full) -> Bench {
        var configuration = EngineConfiguration.bench()
        configuration.settings.profile = profile
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

    @Test("A stand-in that takes no part is not named, and neither is what it would stand in for")
    func busy() {
        var bench = bench()
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        bench.play("long", .alarm, actuators: [2])
        let others = bench.play("soft")
        #expect(others.actuators == ["right", "lamp"] && others.circumstance == nil)
    }

    @Test("Of two stand-ins the one that plays is named, with what it stands in for alone")
    func oneOfTwo() {
        var configuration = EngineConfiguration.bench()
        configuration.actuators = [
            EngineActuator(name: "left", fallback: ActuatorIndex(2)), EngineActuator(name: "right", fallback: ActuatorIndex(3)),
            EngineActuator(name: "light"), EngineActuator(name: "lamp", limits: MotorLimits(minGap: .milliseconds(20))),
            EngineActuator(name: "pad"),
        ]
        var bench = Bench(configuration)
        for index in [0, 1, 4] { bench.take(.actuator(ActuatorIndex(index), isAvailable: false)) }
        bench.play("long", .alarm, actuators: [2])
        let decision = bench.play("soft")
        #expect(decision.actuators == ["lamp"])
        #expect(decision.circumstance == .standIn(wanted: ["right"], there: ["lamp"]))
        bench.run(until: .ms(15))
        let merged = bench.play("soft")
        #expect((merged.outcome, merged.reason) == (.merged, .minGap))
        #expect(merged.circumstance == .standIn(wanted: ["right"], there: ["lamp"]), "it is the lamp that needs a pause")
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
