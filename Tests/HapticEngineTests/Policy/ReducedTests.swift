// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning
import Testing

@testable import HapticEngine

/// Two things that the traces `reduced*` do not show: the policy in a decision, and lights that no configuration has.
@Suite("Meanings under `reduced`")
struct ReducedTests {
    @discardableResult
    private func play(
        _ name: String, _ feedbackClass: FeedbackClass = .notification, actuators: [Int]? = nil, on bench: inout Bench
    ) -> Decision {
        bench.send(Reduced.play(name, feedbackClass, actuators: actuators, at: bench.now))
    }

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

    /// The delay of the decision by the policy.
    private func wait(of decision: Decision) -> Nanoseconds? {
        for change in decision.policy?.changes ?? [] {
            if case .delay(.zero, let wait) = change.change { return wait }
        }
        return nil
    }

    @Test("On lights alone a meaning waits until they may flash again, and the decision says for how long")
    func onlyLights() throws {
        var bench = try Reduced.bench([Reduced.light])
        // With the shapes at 0 and 100 ms, three more have room from 600 ms on. The newest replaces the one that waits.
        let plays: [(Int64, String)] = [
            (0, "success"), (100, "success"), (200, "error"), (300, "error"), (400, "success"), (500, "warning"),
        ]
        var waits: [Nanoseconds?] = []
        for (at, name) in plays {
            bench.run(until: .ms(at))
            waits.append(wait(of: play(name, on: &bench)))
        }
        #expect(waits == [nil, nil, .milliseconds(400), .milliseconds(300), nil, .milliseconds(500)])
        bench.run(for: .seconds(3))
        #expect(bench.pulses(on: 0).map(\.start).suffix(3) == [.ms(400), .ms(1000), .ms(1400)])
        #expect(bench.decisions.allSatisfy { $0.outcome == .played })
    }

    @Test("A shape counts if the light's own limits keep a newer one from cutting it")
    func limited() throws {
        var limits = MotorLimits.none
        limits.minInterval = .milliseconds(300)
        let slow = EngineActuator(name: "light", capabilities: Reduced.seen, limits: limits)
        var bench = try Reduced.bench([slow, Reduced.lamp])
        play("error", actuators: [0], on: &bench)
        bench.run(until: .ms(100))
        let second = play("soft", on: &bench)
        #expect((second.outcome, second.reason) == (.suppressed, .rateLimited))
        #expect(bench.engine.playbackCount == 1)
    }

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
