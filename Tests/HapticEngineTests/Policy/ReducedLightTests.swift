// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

/// Whatever way a playback takes through the profile `reduced`, the lights that show it are counted.
@Suite("Under reduced nothing but an alarm gets past the count of flashes")
struct ReducedLightTests {
    @discardableResult
    private func play(
        _ name: String, _ feedbackClass: FeedbackClass, actuators: [Int]? = nil, on bench: inout Bench
    ) -> Decision {
        bench.send(Reduced.play(name, feedbackClass, actuators: actuators, at: bench.now))
    }

    @Test("What goes on on a light that is not free for a newer one is not cut by that, so it counts")
    func busy() throws {
        var bench = try Reduced.bench([Reduced.light, Reduced.lamp])
        play("error", .notification, actuators: [0], on: &bench)
        let reasons = (1...9).map { number in
            bench.run(until: .ms(Int64(number) * 100))
            return play("soft", .interaction, on: &bench).reason
        }
        #expect(reasons == Array(repeating: .rateLimited, count: 9))
        bench.run(until: .ms(1000))
        #expect(play("soft", .interaction, on: &bench).outcome == .played, "at 400, 800 and 1000 ms")
    }

    @Test("What the limits of a light leave it is not cut either")
    func limited() throws {
        var limits = MotorLimits.none
        limits.minInterval = .milliseconds(300)
        let slow = EngineActuator(name: "light", capabilities: Reduced.seen, limits: limits)
        var bench = try Reduced.bench([slow, Reduced.lamp])
        play("error", .notification, actuators: [0], on: &bench)
        bench.run(until: .ms(100))
        let second = play("soft", .notification, on: &bench)
        #expect((second.outcome, second.reason) == (.suppressed, .rateLimited))
        #expect(bench.engine.playbackCount == 1)
    }

    @Test(
        "A class that is half or full on lights flashes three times in a second, and is felt as it is on motors",
        arguments: [ReducedEffect.half, .full])
    func whole(effect: ReducedEffect) throws {
        var classes = ClassTable.standard
        classes.texture.reduced = effect == .half ? .half : .full
        var bench = try Reduced.bench([Reduced.light, EngineActuator(name: "motor")], classes: classes)
        let outcomes = (0..<6).map { number in
            bench.run(until: .ms(Int64(number) * 70))
            return play("soft", .texture, actuators: [0], on: &bench).outcome
        }
        #expect(outcomes == [.played, .played, .played, .suppressed, .suppressed, .suppressed])
        #expect(bench.pulses(on: 0).count == 3)
        bench.run(for: .milliseconds(50))
        #expect(play("soft", .interaction, on: &bench).actuators == ["motor"], "the others are counted with them")
        bench.run(for: .seconds(3))
        #expect(play("soft", .texture, on: &bench).actuators == ["motor"], "a train is nothing for lights")
        #expect(bench.summaries.last?.pulses == 3)
    }

    enum ReducedEffect { case half, full }

    @Test("A meaning whose class is half is shown in its shape where lights alone may not show it as it is")
    func meaning() throws {
        var classes = ClassTable.standard
        classes.texture.reduced = .half
        var bench = try Reduced.bench([Reduced.light], classes: classes)
        for number in 0..<3 {
            bench.run(until: .ms(Int64(number) * 100))
            #expect(play("success", .texture, on: &bench).pattern == "success")
        }
        bench.run(until: .ms(300))
        let fourth = play("error", .texture, on: &bench)
        #expect((fourth.outcome, fourth.pattern) == (.played, "glowError"), "after a while")
    }

    // MARK: When the profile becomes reduced

    @Test("Setting reduced puts lights out that flash as they like; motors, alarms and what was counted go on")
    func set() throws {
        var bench = try Reduced.bench([EngineActuator(name: "motor"), Reduced.light, Reduced.lamp], .full)
        play("endless", .alarm, actuators: [2], on: &bench)
        play("soft", .interaction, actuators: [0, 1], on: &bench)
        bench.run(for: .milliseconds(10))
        bench.send([.set(.reduced)])
        bench.run(for: .seconds(2))
        #expect(bench.pulses(on: 0).count == 3 && bench.pulses(on: 1).isEmpty && bench.engine.playbackCount == 1)
        #expect(bench.ends.map(\.ending) == [.completed])
        play("error", .notification, actuators: [1], on: &bench)
        bench.run(for: .milliseconds(100))
        bench.send([.set(.full), .set(.reduced)])
        #expect(bench.engine.playbackCount == 2)
        bench.run(for: .seconds(2))
        #expect(bench.pulses(on: 1).count == 3)
    }

    @Test("What plays on a light alone is cancelled by the profile; in one batch with it, it never was")
    func setOnLight() throws {
        var bench = try Reduced.bench([Reduced.light], .full)
        play("soft", .interaction, on: &bench)
        bench.run(for: .milliseconds(10))
        bench.send([.set(.reduced)])
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.ending) == [.cancelled] && bench.ends.map(\.reason) == [.profile])
        bench.send([.set(.full)])
        let now = bench.now
        let decision = bench.send([Reduced.play("soft", .interaction, at: now), .set(.reduced)])[0]
        #expect((decision.outcome, decision.reason, decision.playback) == (.cancelled, .profile, nil))
    }

    @Test("What waits to go on on a light when reduced is set does not go on")
    func setWhileWaiting() throws {
        let long = RuleFeedback(pattern: "endless", feedbackClass: .notification)
        var bench = Bench(
            try EngineConfiguration(
                actuators: [Reduced.light], eventRules: [EventRule(match: Glob("ring"), feedback: long, resumes: true)],
                patterns: Reduced.patterns))
        bench.event("ring")
        bench.run(for: .milliseconds(100))
        play("error", .alarm, actuators: [0], on: &bench)
        bench.run(for: .milliseconds(10))
        #expect(bench.engine.playbackCount == 2)
        bench.send([.set(.reduced)])
        #expect(bench.engine.playbackCount == 1)
        bench.run(for: .seconds(5))
        #expect(bench.engine.playbackCount == 0)
        #expect(Set(bench.ends.map(\.reason)) == [.profile, nil])
    }

    // MARK: From one shape to the next

    /// A glide from `first` to `last`, and then to nothing.
    private static func glide(_ name: String, _ first: Double, _ last: Double, _ spring: Spring) throws -> PlayablePattern {
        let frames = [(0, first), (900, last), (1000, 0)].map { at, value in
            Keyframe(at: .milliseconds(at), intensity: Intensity(value)!, sharpness: .zero)
        }
        let pattern = PlayablePattern(try Pattern(name: name, tracks: [.keyframes(frames)]))
        return PlayablePattern(name: name, timeline: pattern.timeline, transition: spring)
    }

    @Test("A light goes from one shape to the next without a spring, which would make it flash")
    func springs() throws {
        let loose = try #require(Spring(response: .milliseconds(100), dampingFraction: 0.02))
        var patterns = Reduced.patterns
        patterns["glowSuccess"] = try Self.glide("glowSuccess", 0.5, 0.45, loose)
        patterns["glowWarning"] = try Self.glide("glowWarning", 1, 0.9, loose)
        func levels(_ profile: Profile) throws -> [Double] {
            var bench = Bench(
                try EngineConfiguration(
                    settings: Settings(profile: profile), meanings: .standard, actuators: [Reduced.light], patterns: patterns))
            let names = profile == .reduced ? ["warning", "success"] : ["glowWarning", "glowSuccess"]
            for name in names {
                let input = PlayInput(pattern: patterns[Text(name)]!, feedbackClass: .notification)
                bench.send(.input(Input(client: Bench.ada, at: bench.now, kind: .play(input))))
                bench.run(for: .milliseconds(300))
            }
            bench.run(for: .seconds(2))
            return bench.actuations.filter { $0.planned > .ms(300) }.map(\.drive.value)
        }
        func rises(_ levels: [Double]) -> Int { zip(levels, levels.dropFirst()).count { $0 < $1 } }
        #expect(try rises(levels(.full)) > 10, "motors have their springs")
        #expect(try rises(levels(.reduced)) == 0)
    }
}
