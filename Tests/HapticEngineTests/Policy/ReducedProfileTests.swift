// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// Motors and lights under the profile `reduced`, with patterns that mean something.
@Suite("Reduced keeps the meaning")
struct ReducedProfileTests {
    @discardableResult
    private func play(
        _ name: String, _ feedbackClass: FeedbackClass = .notification, intensity: Double = 1, actuators: [Int]? = nil,
        on bench: inout Bench
    ) -> Decision {
        bench.send(Reduced.play(name, feedbackClass, intensity: intensity, actuators: actuators, at: bench.now))
    }

    // MARK: What becomes of it

    @Test(
        "The light that stands in for the motor shows success, warning and error once, whatever their class",
        arguments: ["success", "warning", "error"], [FeedbackClass.notification, .interaction, .texture])
    func shown(name: String, feedbackClass: FeedbackClass) throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light, Reduced.lamp])
        let decision = play(name, feedbackClass, on: &bench)
        let shape = "glow\(name.prefix(1).uppercased())\(name.dropFirst())"
        #expect((decision.outcome, decision.pattern, decision.actuators) == (.played, shape, ["light"]))
        #expect(bench.summaries.last?.pulses == Reduced.patterns[Text(shape)]?.flashes?.count)
        #expect(
            decision.policy?.changes == [
                PolicyChange(.profile, .pattern(from: "inline", to: shape)),
                PolicyChange(.profile, .actuators(from: ["motor", "lamp"], to: ["light"])),
            ])
    }

    @Test("Without a light that stands in, those among the actuators that would play it show it")
    func among() throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor"), Reduced.light, Reduced.lamp])
        #expect(play("warning", on: &bench).actuators == ["light", "lamp"])
        bench.run(for: .seconds(3))
        #expect(play("warning", actuators: [0, 2], on: &bench).actuators == ["lamp"])
        bench.run(for: .seconds(3))
        let motor = play("warning", actuators: [0], on: &bench)
        #expect((motor.actuators, motor.pattern) == (["motor"], "light"), "no light was asked for")
    }

    @Test(
        "Where there is no light it is the class's pattern, or a tick",
        arguments: [(FeedbackClass.notification, "light"), (.interaction, "tick"), (.texture, "tick")])
    func felt(feedbackClass: FeedbackClass, pattern: String) throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor")])
        let decision = play("error", feedbackClass, on: &bench)
        #expect((decision.outcome, decision.pattern, decision.actuators) == (.played, pattern, ["motor"]))
        #expect(bench.summaries.last?.pulses == 1)
    }

    @Test("A light that is missing shows nothing, and one that stands in for a missing motor does")
    func missing() throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light])
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        #expect(play("success", on: &bench).actuators == ["light"])
        bench.take(.actuator(ActuatorIndex(0), isAvailable: true))
        bench.take(.actuator(ActuatorIndex(1), isAvailable: false))
        let felt = play("success", on: &bench)
        #expect((felt.actuators, felt.pattern) == (["motor"], "light"))
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        #expect(play("success", on: &bench).reason == .deviceLost)
    }

    @Test("What means nothing is as the class says: an impact, or nothing")
    func meansNothing() throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor")])
        #expect(play("long", .notification, on: &bench).pattern == "light")
        #expect(play("long", .texture, on: &bench).reason == .profile)
    }

    @Test("A class that is to be felt in full, or at half strength, is, also where it means something")
    func unchanged() throws {
        var classes = ClassTable.standard
        classes.texture.reduced = .half
        var bench = try Reduced.bench([EngineActuator(name: "motor", capabilities: .onOff), Reduced.light], classes: classes)
        let alarm = play("error", .alarm, on: &bench)
        #expect((alarm.pattern, alarm.intensity, alarm.actuators) == ("error", .one, ["motor", "light"]))
        bench.run(for: .seconds(3))
        #expect(play("error", .texture, on: &bench).intensity == Intensity(clamping: 0.5))
        bench.run(for: .seconds(3))
        let weak = play("error", .texture, intensity: 0.3, on: &bench)
        #expect(weak.intensity == Intensity(clamping: 0.25) && weak.actuators == ["motor"], "three times in 1.6 s")
    }

    @Test("A tick in place of what a motor could show is never too subtle for it", arguments: [0.3, 0.4, 0.6, 1])
    func perceptible(intensity: Double) throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor", capabilities: .onOff)])
        #expect(play("error", .texture, intensity: intensity, on: &bench).outcome == .played)
        bench.run(for: .seconds(1))
        #expect(play("error", .texture, intensity: 0.2, on: &bench).reason == .tooSubtle, "and it was before")
    }

    @Test(
        "However little people want to feel, what means something is not too subtle, unless they want nothing",
        arguments: [0.01, 0.6, 0.99], [FeedbackClass.alarm, .notification, .texture])
    func weak(value: Double, feedbackClass: FeedbackClass) throws {
        let light = ActuatorCapabilities(variesIntensity: false, variesSharpness: false, isLight: true)
        for capabilities in [.onOff, light] {
            var bench = try Reduced.bench([EngineActuator(name: "only", capabilities: capabilities)])
            for strength in [value, 0] {
                bench.send([.change(SettingsChange(strength: .set(Strength(strength)!)))])
                for name in ["success", "warning", "error"] {
                    bench.run(for: .seconds(3))
                    let decision = play(name, feedbackClass, intensity: 0.5, on: &bench)
                    #expect(decision.reason == (strength == 0 ? .strength : nil), "\(name) \(capabilities) \(strength)")
                }
            }
        }
    }

    @Test("Without kept meanings, a class that is nothing is nothing")
    func notKept() throws {
        var bench = Bench(
            try EngineConfiguration(
                settings: Settings(profile: .reduced), actuators: [Reduced.motor, Reduced.light], patterns: Reduced.patterns))
        let decision = play("error", .texture, on: &bench)
        #expect((decision.pattern, decision.actuators) == ("error", ["light"]))
    }

    @Test("When the profile is set, what means something plays on; what its class has nothing for ends")
    func playing() throws {
        for (name, ending) in [("error", PlaybackEnd.Ending.completed), ("long", .cancelled)] {
            var bench = try Reduced.bench([EngineActuator(name: "motor")], .full)
            #expect(play(name, .texture, on: &bench).outcome == .played)
            bench.run(for: .milliseconds(100))
            bench.send([.change(SettingsChange(profile: .set(.reduced)))])
            bench.run(for: .seconds(5))
            #expect(bench.ends.map(\.ending) == [ending], "\(name)")
        }
    }

    // MARK: When a light may not

    @Test("A light that has flashed enough is left alone, and the motor ticks; once a second is over it shows it again")
    func often() throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light])
        #expect(play("error", on: &bench).actuators == ["light"])
        bench.run(for: .milliseconds(100))
        let second = play("error", on: &bench)
        #expect((second.outcome, second.actuators, second.pattern) == (.played, ["motor"], "light"))
        bench.run(until: .ms(1300))
        #expect(play("error", on: &bench).actuators == ["light"])
    }

    /// For how long it waits before it begins.
    private func wait(of decision: Decision) -> Nanoseconds? {
        #expect(decision.outcome == .played && decision.reason == nil)
        for change in decision.policy?.changes ?? [] {
            if case .delay(.zero, let wait) = change.change { return wait }
        }
        return nil
    }

    @Test("Where there are lights alone, a meaning waits until they may flash again, and the decision says for how long")
    func onlyLights() throws {
        var bench = try Reduced.bench([Reduced.light])
        for at in [0, 100] as [Int64] {
            bench.run(until: .ms(at))
            #expect(wait(of: play("success", on: &bench)) == nil)
        }
        bench.run(until: .ms(200))
        // Beside those at 0 and 100 ms, three more have room from 600 ms on: the second of them is a second after the first of those.
        let error = play("error", on: &bench)
        #expect((error.pattern, error.actuators) == ("glowError", ["light"]))
        #expect(wait(of: error) == .milliseconds(400))
        // The newer takes the place of what waits, and waits no longer.
        bench.run(until: .ms(300))
        #expect(wait(of: play("error", on: &bench)) == .milliseconds(300))
        bench.run(until: .ms(400))
        #expect(wait(of: play("success", on: &bench)) == nil)
        bench.run(until: .ms(500))
        #expect(wait(of: play("warning", on: &bench)) == .milliseconds(500), "after those at 0, 100 and 400 ms")
        bench.run(for: .seconds(3))
        #expect(bench.pulses(on: 0).map(\.start).suffix(3) == [.ms(400), .ms(1000), .ms(1400)])
    }

    @Test("What has no meaning does not wait: it is rateLimited by the profile")
    func meaninglessOnLights() throws {
        var bench = try Reduced.bench([Reduced.light])
        for at in [0, 100, 200] as [Int64] {
            bench.run(until: .ms(at))
            play("success", on: &bench)
        }
        bench.run(until: .ms(300))
        let tick = play("long", on: &bench)
        #expect((tick.outcome, tick.reason, tick.policy?.objection) == (.suppressed, .rateLimited, .profile))
    }

    @Test("A light on which something more important plays is left alone, and the motor ticks")
    func busy() throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light])
        play("endless", .alarm, actuators: [1], on: &bench)
        #expect(play("error", on: &bench).actuators == ["motor"])
        let only = play("error", actuators: [1], on: &bench)
        #expect(only.reason == .lowerPriority)
    }

    @Test("Another user's light of equal importance is left alone by those who may not end what others play")
    func guest() throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light])
        let guest = ClientIdentity(connection: 2, user: 1001, mayEndOthers: false)
        play("error", on: &bench)
        bench.run(until: .ms(500))
        let decision = bench.send(Reduced.play("success", .notification, by: guest, at: bench.now))
        #expect(decision.actuators == ["motor"])
    }

    @Test("A light among motors takes part in ticks only as often as it may flash")
    func ticks() throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor"), Reduced.lamp])
        let places = (0..<6).map { number in
            bench.run(until: .ms(Int64(number) * 100))
            return play("soft", .interaction, on: &bench).actuators
        }
        #expect(places == Array(repeating: ["motor", "lamp"], count: 3) + Array(repeating: ["motor"], count: 3))
        bench.run(until: .ms(1000))
        #expect(play("soft", .interaction, on: &bench).actuators == ["motor", "lamp"])
    }

    @Test("A light that stands in for a class that is nothing shows it once, as often as it may flash")
    func standsIn() throws {
        var bench = try Reduced.bench([Reduced.motor, Reduced.light])
        let outcomes = (0..<5).map { number in
            bench.run(until: .ms(Int64(number) * 50))
            return play("soft", .texture, on: &bench).outcome
        }
        #expect(outcomes == [.played, .played, .played, .suppressed, .suppressed])
        #expect(bench.pulses(on: 1).count == 3)
    }
}
