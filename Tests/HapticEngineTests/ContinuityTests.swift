// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine
@testable import HapticPlanning

@Suite("Continuity of glides")
struct ContinuityTests {
    @Test(
        "Only a pattern that continues from what is felt leaves the motor on",
        arguments: [(PlayablePattern.fall, true), (.bench["long"]!, false)])
    func revocations(next: PlayablePattern, continues: Bool) {
        func play(_ pattern: PlayablePattern, at now: MonotonicInstant) -> EngineEvent {
            .batch([.play(PlayInput(pattern: pattern, feedbackClass: .alarm), at: now)])
        }
        var loop = FeedbackLoop(.bench())
        loop.take(play(.rise, at: .zero), at: .zero)
        while loop.proceed(at: .zero) {}
        var revocations: [Bool] = []
        loop.take(play(next, at: .ms(7)), at: .ms(7))
        for case .order(.revoke(_, _, _, let continues)) in loop.actions.actions { revocations.append(continues) }
        #expect(revocations == [continues])
    }

    @Test("No two frames at a change of glides are more than 20 % apart: 300 random walks")
    func property() {
        var random = SplitMix64(seed: 28)
        func share() -> Double { Double.random(in: 0.05...1, using: &random) }
        for walk in 1...300 {
            let motor = EngineActuator(name: "main", limits: MotorLimits(minInterval: Nanoseconds(1)))
            var bench = Bench(.bench(actuators: [motor]))
            var changes: [MonotonicInstant] = []
            for _ in 0..<6 {
                let spring = Spring(
                    response: .milliseconds(Int64.random(in: 100...800, using: &random)),
                    dampingFraction: Double.random(in: 0.2...3, using: &random))!
                let curve = [Easing.linear, .easeIn, .easeOut, .easeInOut].randomElement(using: &random)!
                // Steep enough to matter, and yet a glide.
                let points: [(ms: Int64, intensity: Double)] = [(0, share()), (200, share()), (700, share()), (1500, 0)]
                bench.play(.glide(points, transition: spring, curve: curve))
                changes.append(bench.now)
                bench.run(for: Nanoseconds(Int64.random(in: 0...900_000_000, using: &random)))
            }
            if Bool.random(using: &random) { bench.send([.cancel(.all, .graceful)]) }
            bench.run(for: .seconds(5))
            #expect(bench.actuations.last?.level.isOn == false)
            for change in changes.dropFirst() {
                let first = bench.actuations.lastIndex { $0.planned < change } ?? 0
                for (a, b) in zip(bench.actuations[first...].prefix(4), bench.actuations[(first + 1)...].prefix(4)) {
                    let step = abs(b.level.intensity.value - a.level.intensity.value)
                    #expect(step <= 0.2, "walk \(walk): \(a.level.intensity.value) to \(b.level.intensity.value) at \(b.planned)")
                }
            }
        }
    }

    @Test("A spring that never comes to rest is over after a second")
    func endless() {
        let before = Motion(level: Level(intensity: .one, sharpness: .one), glides: true)
        let transition = Transition(
            from: before, to: Motion(level: .off), Spring(response: .milliseconds(300), dampingFraction: 0)!, at: .zero,
            runEnd: .distantFuture)
        #expect(transition.end == .ms(1000))
        #expect(transition.displacement(at: transition.end).intensity.displacement == 0)
        let snappy = Transition(from: before, to: Motion(level: .off), .snappy, at: .zero, runEnd: .distantFuture)
        #expect((.ms(400)...(.ms(700))).contains(snappy.end))
        #expect(abs(snappy.displacement(at: snappy.end - Nanoseconds(1)).intensity.displacement) < Transition.settled)
    }
}
