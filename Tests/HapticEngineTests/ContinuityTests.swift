// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("What glides goes on from what is felt")
struct ContinuityTests {
    static func glide(
        _ name: String, _ points: [(ms: Int64, intensity: Double)], transition: Spring = .snappy, curve: Curve = .linear
    ) -> PlayablePattern {
        let keyframes = points.map {
            Keyframe(
                at: .milliseconds($0.ms), intensity: Intensity($0.intensity)!, sharpness: Sharpness($0.intensity)!, curve: curve)
        }
        return PlayablePattern(try! Pattern(name: name, tracks: [.keyframes(keyframes)], transition: transition))
    }

    static let rise = glide("rise", [(0, 0.1), (1000, 0.9), (1100, 0)])
    static let fall = glide("fall", [(0, 0.9), (1000, 0.1), (1100, 0)])

    private static func levels(_ bench: borrowing Bench, from start: MonotonicInstant, to end: MonotonicInstant) -> [Double] {
        bench.actuations.filter { $0.planned >= start && $0.planned <= end }.map(\.level.intensity.value)
    }

    @Test("A glide that replaces a glide begins at its level, and goes over to its own curve")
    func replaced() {
        var bench = Bench()
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(until: .ms(502))
        let before = bench.actuations.last { $0.planned <= .ms(502) }!.level.intensity.value
        bench.send(PlanningTests.play(Self.fall, at: bench.now))
        bench.run(for: .seconds(3))
        #expect(bench.pulses().count == 1, "it never goes off between them")
        let after = bench.actuations.filter { $0.playback.value == 2 }
        #expect(abs(after[0].level.intensity.value - before) < 0.01)
        // The rise goes on for a moment before the spring turns it.
        #expect(after[1].level.intensity.value > before)
        let own = Dictionary(uniqueKeysWithValues: Self.fall.timeline.frames.map { ($0.offset, $0.level.intensity.value) })
        let settled = after.filter { $0.planned > .ms(502) + Transition.longest && $0.level.isOn }
        #expect(!settled.isEmpty)
        #expect(
            settled.allSatisfy { own[$0.planned - .ms(502)] == $0.level.intensity.value }, "then it is the pattern's own curve")
        #expect(bench.ends.map(\.ending) == [.preempted, .completed])
    }

    @Test(
        "Only what goes on from what is felt leaves the motor on where it is revoked",
        arguments: [(fall, true), (PlayablePattern.bench["long"]!, false)])
    func revocations(next: PlayablePattern, goesOn: Bool) {
        var loop = FeedbackLoop(.bench())
        loop.take(.batch([PlanningTests.play(Self.rise, at: .zero)]), at: .zero)
        while loop.goOn(at: .zero) {}
        var revocations: [Bool] = []
        loop.take(.batch([PlanningTests.play(next, at: .ms(7))]), at: .ms(7))
        for case .revoke(_, _, _, let goesOn) in loop.actions.actions { revocations.append(goesOn) }
        #expect(revocations == [goesOn])
    }

    @Test("Of an id, too, a glide goes on from the one before, which ends as superseded")
    func sameID() {
        var bench = Bench()
        for pattern in [Self.rise, Self.fall] {
            let play = PlayInput(pattern: pattern, feedbackClass: .alarm)
            bench.send([.input(Input(client: Bench.ada, id: "x", at: bench.now, kind: .play(play)))])
            bench.run(for: .milliseconds(300))
        }
        bench.run(for: .seconds(3))
        #expect(bench.ends.map(\.ending) == [.cancelled, .completed])
        #expect(bench.ends[0].reason == .superseded)
        #expect(bench.pulses().count == 1)
    }

    @Test(
        "An impact cuts, and so does what begins with one, what never glides, and what is not felt at first",
        arguments: [
            PlayablePattern.bench["soft"]!, PlayablePattern.bench["long"]!, glide("strike", [(0, 1), (40, 0.4), (800, 0)]),
            glide("late", [(100, 0.5), (600, 0.9), (700, 0)]), glide("short", [(0, 0.5), (40, 0.6), (45, 0)]),
        ])
    func impacts(pattern: PlayablePattern) {
        var bench = Bench()
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(until: .ms(500))
        bench.send(PlanningTests.play(pattern, at: bench.now))
        bench.run(for: .seconds(3))
        let pulses = bench.pulses()
        #expect(pulses.count == 2 && pulses[0].end == .ms(500))
        let felt = bench.actuations.filter { $0.playback.value == 2 }.map {
            Timeline.Frame(offset: $0.planned - .ms(500), level: $0.level)
        }
        #expect(felt == pattern.timeline.frames)
    }

    @Test("A glide that its own batch takes back before it is felt ends nothing: the off is that of the one before")
    func takenBack() {
        var bench = Bench()
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(until: .ms(500))
        let decisions = bench.send([
            PlanningTests.play(Self.fall, at: bench.now), PlanningTests.play(.bench["long"]!, at: bench.now),
        ])
        #expect(decisions.map(\.reason) == [.superseded, nil])
        #expect(bench.actuations.contains { $0.planned == .ms(500) && !$0.isOn && $0.playback.value == 1 })
        bench.run(for: .seconds(3))
        #expect(Set(bench.actuations.map(\.playback.value)) == [1, decisions[1].playback?.value])
    }

    @Test("What takes the place of an impact begins as it is")
    func afterImpact() {
        var bench = Bench()
        bench.play("long", .alarm)
        bench.run(until: .ms(100))
        bench.send(PlanningTests.play(Self.fall, at: bench.now))
        #expect(bench.actuations.contains { $0.playback.value == 2 && $0.planned == .ms(100) && $0.level.intensity.value == 0.9 })
    }

    @Test("Whatever glides are played when, no two frames at a change are more than 20 % apart: 300 random walks")
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
                let curve = [Curve.linear, .easeIn, .easeOut, .easeInOut].randomElement(using: &random)!
                // Steep enough to matter, and yet a glide.
                let pattern = Self.glide(
                    "glide", [(0, share()), (200, share()), (700, share()), (1500, 0)], transition: spring, curve: curve)
                bench.send(PlanningTests.play(pattern, at: bench.now))
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

    @Test("A graceful cancel fades in frames of at most 20 % and is off after 50 ms, and a glide may take it up")
    func fade() {
        var bench = Bench()
        bench.send(PlanningTests.play(Self.fall, at: bench.now))
        bench.run(until: .ms(200))
        bench.send([.cancel(.all, .graceful)])
        bench.run(until: .ms(220))
        let faded = bench.actuations.last { $0.planned <= .ms(220) }!.level.intensity.value
        #expect(faded > 0.1 && faded < 0.6)
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(for: .seconds(3))
        #expect(bench.pulses().count == 1)
        let levels = Self.levels(bench, from: .ms(195), to: .ms(300))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) <= 0.2 }, "\(levels)")

        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(for: .milliseconds(600))
        let start = bench.now
        bench.send([.cancel(.all, .graceful)])
        bench.run(for: .seconds(1))
        #expect(bench.pulses().last?.end == start + .milliseconds(50))
        let last = Self.levels(bench, from: start, to: start + .milliseconds(50))
        #expect(zip(last, last.dropFirst()).allSatisfy { $0 - $1 <= 0.2 }, "\(last)")
        #expect(bench.ends.last?.ending == .cancelled)
    }

    @Test("A limit on the time that a motor is on counts through a change")
    func longestOn() {
        let limits = MotorLimits(maxOn: .milliseconds(700))
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", limits: limits)]))
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(until: .ms(400))
        bench.send(PlanningTests.play(Self.fall, at: bench.now))
        bench.run(until: .ms(800))
        #expect(bench.pulses().map(\.end) == [.ms(700)])
        bench.send(PlanningTests.play(Self.rise, at: bench.now))
        bench.run(for: .seconds(3))
        #expect(bench.pulses().count == 2, "what was cut is over with its playback")
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
