// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

/// What is on, from when, and what was handed out when.
@Suite("What the planner promises")
struct PlanningTests {
    /// Holds each level from its instant to the next; the last is off.
    static func steps(_ name: String, _ levels: [(at: Nanoseconds, intensity: Double)]) -> PlayablePattern {
        let keyframes = levels.map {
            Keyframe(at: $0.at, intensity: Intensity($0.intensity)!, sharpness: Sharpness(0.5)!, curve: .step)
        }
        return PlayablePattern(try! Pattern(name: name, tracks: [.keyframes(keyframes)]))
    }

    static func play(_ pattern: PlayablePattern, at now: MonotonicInstant) -> BatchItem {
        .input(Input(client: Bench.ada, at: now, kind: .play(PlayInput(pattern: pattern, feedbackClass: .alarm))))
    }

    @Test(
        "A change of level followed by a steady stretch is planned on, before it is due",
        arguments: [150, 151, 260, 400, 5000] as [Int64])
    func steadyStretch(length: Int64) {
        var bench = Bench()
        let end = 120 + length
        bench.send(
            Self.play(Self.steps("hold", [(.zero, 0.5), (.milliseconds(120), 1), (.milliseconds(end), 0)]), at: bench.now))
        // At every instant up to the end what has been handed out holds something that comes later.
        for now in stride(from: 0, to: end, by: 5) {
            bench.run(until: .ms(now))
            #expect(bench.actuations.contains { $0.planned > bench.now }, "at \(now) ms")
        }
        bench.run(for: .seconds(1))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(120), .ms(end)])
    }

    @Test("With each on, what ends or changes it is handed out before it is due: 300 random patterns")
    func random() {
        var random = SplitMix64(seed: 12)
        for _ in 1...300 {
            var bench = Bench()
            bench.send(Self.play(Self.randomSteps(&random), at: bench.now))
            while bench.engine.playbackCount > 0 {
                guard let last = bench.actuations.last, last.level.isOn else {
                    bench.run(until: bench.engine.nextDeadline)
                    continue
                }
                #expect(bench.engine.nextDeadline < last.planned, "the planner is called before what it handed out is used up")
                bench.run(until: bench.engine.nextDeadline)
            }
            #expect(bench.actuations.last?.level.isOn == false)
        }
    }

    @Test("After a standstill longer than the longest time on, what is played next is felt at once")
    func standstill() {
        let limits = MotorLimits(minInterval: .milliseconds(7), maxOn: .milliseconds(100))
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", limits: limits)]))
        // Three actuations each 24 ms, so that what one call can plan ends with an on.
        let levels = (0..<250).flatMap { cycle in
            [(0, 0.5), (8, 1), (16, 0)].map { (at: Nanoseconds.milliseconds(Int64(24 * cycle) + $0.0), intensity: $0.1) }
        }
        bench.send(Self.play(Self.steps("busy", levels), at: bench.now))
        bench.run(until: .ms(100))
        bench.now = .ms(5000)
        bench.run(until: .ms(5000))
        bench.send(Self.play(Self.steps("next", [(.zero, 1), (.milliseconds(60), 0)]), at: bench.now))
        bench.run(for: .seconds(1))
        let felt = bench.actuations.filter { $0.playback.value == 2 }
        // Switched off at 5 s, it may be switched on again at once.
        #expect(felt.map(\.planned) == [.ms(5000), .ms(5060)])
    }

    @Test("However fast the levels change, who plans may be 50 ms late: an actuation each millisecond")
    func lead() {
        var bench = Bench()
        let levels = (0..<1000).map { (at: Nanoseconds.milliseconds(Int64($0)), intensity: $0.isMultiple(of: 2) ? 0.5 : 1) }
        bench.send(Self.play(Self.steps("fast", levels + [(.seconds(1), 0)]), at: bench.now))
        while bench.engine.nextDeadline < .ms(900) {
            #expect(bench.actuations.last!.planned - bench.engine.nextDeadline >= PlanningContract.lead)
            bench.run(until: bench.engine.nextDeadline)
        }
        #expect(bench.actuations.count > 900)
    }

    static func randomSteps(_ random: inout SplitMix64) -> PlayablePattern {
        var at = Nanoseconds.zero
        var levels: [(at: Nanoseconds, intensity: Double)] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            levels.append((at, Double(Int.random(in: 0...4, using: &random)) / 4))
            at = at + Nanoseconds(Int64.random(in: 1...400_000_000, using: &random))
        }
        return steps("random", [(.zero, 1)] + levels.dropFirst() + [(at, 0)])
    }
}

@Suite("The shortest interval of an actuator")
struct ShortestIntervalTests {
    /// Pulses of `length`, so many, back to back with gaps as long.
    private func pulses(_ count: Int, _ length: Nanoseconds) -> PlayablePattern {
        PlanningTests.steps("pulses", (0...2 * count - 1).map { (length * $0, $0.isMultiple(of: 2) ? 1 : 0) })
    }

    private static func bench(_ interval: Nanoseconds, minGap: Nanoseconds = .zero) -> Bench {
        .init(.bench(actuators: [EngineActuator(name: "main", limits: MotorLimits(minInterval: interval, minGap: minGap))]))
    }

    /// n + 1 actuations take at least n − 2 intervals.
    private func keeps(_ interval: Nanoseconds, _ instants: [MonotonicInstant]) -> Bool {
        // The latest of what each one before allows.
        var earliest = MonotonicInstant(nanoseconds: Int64.min / 2)
        for instant in instants {
            earliest = max(earliest + interval, instant - interval * 2)
            guard instant >= earliest else { return false }
        }
        return true
    }

    @Test(
        "Levels that did not show for the interval are counted, of pulses with a gap those that the interval alone has left out")
    func counts() {
        var bench = Self.bench(.milliseconds(1))
        let levels = PlanningTests.steps(
            "levels", (0...4).map { (.microseconds(100 * $0), 1 - Double($0) / 10) } + [(.milliseconds(9), 0)])
        bench.send(PlanningTests.play(levels, at: bench.now))
        #expect(bench.summaries == [PlaySummary(steps: 1, pulses: 1, mergedByMinGap: 0, mergedByMinInterval: 2)])
        bench.run(for: .seconds(1))
        #expect(bench.actuations.map(\.level.intensity.value) == [1, 0.9, 0.6, 0])

        bench = Self.bench(.milliseconds(10), minGap: .milliseconds(2))
        bench.send(PlanningTests.play(pulses(6, .milliseconds(1)), at: bench.now))
        #expect(bench.summaries == [PlaySummary(steps: 1, pulses: 2, mergedByMinGap: 1, mergedByMinInterval: 3)])
    }

    @Test("An input of which the interval leaves nothing is merged for that reason")
    func mergedInput() {
        var bench = Self.bench(.milliseconds(1))
        let pulse = pulses(1, Nanoseconds(1))
        #expect(bench.send(PlanningTests.play(pulse, at: bench.now)).outcome == .played)
        bench.run(for: .microseconds(1))
        let merged = bench.send(PlanningTests.play(pulse, at: bench.now))
        #expect((merged.outcome, merged.reason) == (.merged, .minInterval))
        #expect(bench.summaries.last == PlaySummary(steps: 1, pulses: 0, mergedByMinGap: 0, mergedByMinInterval: 1))
    }

    @Test("500 pulses of 1 ns are one that is felt; the others are merged, and the motor is called twice, not a thousand times")
    func nanoseconds() {
        var bench = Self.bench(.milliseconds(1))
        bench.send(PlanningTests.play(pulses(500, Nanoseconds(1)), at: bench.now))
        let felt = bench.summaries[0]
        #expect(felt.pulses + felt.mergedByMinInterval == 500 && felt.mergedByMinGap == 0)
        #expect(felt.pulses <= 2)
        bench.run(for: .seconds(1))
        #expect(bench.actuations.count == 2 * felt.pulses)
        #expect(bench.ends.map(\.ending) == [.completed])
    }

    @Test("Of levels that change faster the last one counts, and the off comes at its time")
    func lastLevel() {
        var bench = Self.bench(.milliseconds(10))
        let levels: [(at: Nanoseconds, intensity: Double)] = [
            (.zero, 0.1), (.milliseconds(1), 0.2), (.milliseconds(2), 0.3), (.milliseconds(3), 0.4), (.milliseconds(14), 0.5),
            (.milliseconds(15), 0.6), (.milliseconds(17), 0),
        ]
        bench.send(PlanningTests.play(PlanningTests.steps("levels", levels), at: bench.now))
        bench.run(for: .seconds(1))
        // Two may follow each other at once; the third waits.
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(1), .ms(10), .ms(17)])
        #expect(bench.actuations.map(\.level.intensity.value) == [0.1, 0.2, 0.4, 0])
    }

    @Test("75, 77 and 49 of 75 steps stay what they are on every kind of actuator", arguments: [1, 2] as [Int64])
    func contract(milliseconds: Int64) {
        let interval = Nanoseconds.milliseconds(milliseconds)
        var free = Self.bench(interval)
        for steps in [75, 77] {
            free.play("soft", steps: steps)
            free.run(for: .seconds(3))
        }
        var gap = Self.bench(interval, minGap: .milliseconds(20))
        gap.play("soft", steps: 75)
        gap.run(for: .seconds(3))
        #expect(
            free.summaries + gap.summaries == [
                PlaySummary(steps: 75, pulses: 75, mergedByMinGap: 0), PlaySummary(steps: 77, pulses: 77, mergedByMinGap: 0),
                PlaySummary(steps: 75, pulses: 49, mergedByMinGap: 26),
            ])
        #expect(free.pulses().count == 152 && gap.pulses().count == 49)
    }

    @Test("No plan, and nobody who plays and cancels, makes more actuations than one in each interval: 400 random walks")
    func property() {
        var random = SplitMix64(seed: 6)
        for _ in 1...400 {
            let interval = Nanoseconds.milliseconds(Int64.random(in: 1...20, using: &random))
            var bench = Self.bench(interval, minGap: .milliseconds([0, 0, 3, 20].randomElement(using: &random)!))
            for _ in 0..<4 {
                let longest = Int64([1, 1000, 1_000_000, 30_000_000].randomElement(using: &random)!)
                var at = Nanoseconds.zero
                var levels: [(at: Nanoseconds, intensity: Double)] = []
                for _ in 0..<Int.random(in: 1...200, using: &random) {
                    levels.append((at, Double(Int.random(in: 0...3, using: &random)) / 3))
                    at = at + Nanoseconds(Int64.random(in: 1...longest, using: &random))
                }
                bench.send(PlanningTests.play(PlanningTests.steps("random", levels + [(at, 0)]), at: bench.now))
                if Bool.random(using: &random) { bench.run(for: Nanoseconds(Int64.random(in: 0...at.count, using: &random))) }
                if Bool.random(using: &random) {
                    bench.send([.cancel(.all, Bool.random(using: &random) ? .graceful : .immediate)])
                }
            }
            bench.run(for: .seconds(10))
            #expect(keeps(interval, bench.actuations.map(\.planned)), "\(interval)")
            #expect(bench.actuations.last?.level.isOn != true)
        }
    }
}
