// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Promises of the planner")
struct PlanningTests {
    @Test(
        "A change of level before a steady stretch is planned before it is due", arguments: [150, 151, 260, 400, 5000] as [Int64])
    func steadyStretch(length: Int64) {
        var bench = Bench()
        let end = 120 + length
        bench.play(.levels([(.zero, 0.5), (.milliseconds(120), 1), (.milliseconds(end), 0)]))
        // At every instant up to the end what has been handed out holds something that comes later.
        for now in stride(from: 0, to: end, by: 5) {
            bench.run(until: .ms(now))
            #expect(bench.actuations.contains { $0.planned > bench.now }, "at \(now) ms")
        }
        bench.run(for: .seconds(1))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(120), .ms(end)])
    }

    @Test("With each on, its end or next level is handed out before it is due: 300 random patterns")
    func random() {
        var random = SplitMix64(seed: 12)
        for _ in 1...300 {
            var bench = Bench()
            bench.play(Self.randomLevels(&random))
            while bench.engine.playbackCount > 0 {
                if let last = bench.actuations.last, last.level.isOn {
                    #expect(bench.engine.nextDeadline < last.planned, "the planner is called before its plan is used up")
                }
                bench.run(until: bench.engine.nextDeadline)
            }
            #expect(bench.actuations.last?.level.isOn == false)
        }
    }

    private static func randomLevels(_ random: inout SplitMix64) -> PlayablePattern {
        var at = Nanoseconds.zero
        var levels: [(at: Nanoseconds, intensity: Double)] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            levels.append((at, Double(Int.random(in: 0...4, using: &random)) / 4))
            at = at + Nanoseconds(Int64.random(in: 1...400_000_000, using: &random))
        }
        return .levels([(.zero, 1)] + levels.dropFirst() + [(at, 0)])
    }

    @Test("After a standstill longer than the longest time on, the next pattern is felt immediately")
    func standstill() {
        let limits = MotorLimits(minInterval: .milliseconds(7), maxOn: .milliseconds(100))
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", limits: limits)]))
        // Three actuations each 24 ms, so that what one call can plan ends with an on.
        let levels = (0..<250).flatMap { cycle in
            [(0, 0.5), (8, 1), (16, 0)].map { (at: Nanoseconds.milliseconds(Int64(24 * cycle) + $0.0), intensity: $0.1) }
        }
        bench.play(.levels(levels))
        bench.run(until: .ms(100))
        bench.now = .ms(5000)
        bench.run(until: .ms(5000))
        bench.play(.levels([(.zero, 1), (.milliseconds(60), 0)]))
        bench.run(for: .seconds(1))
        // Switched off at 5 s, it may be switched on again at once.
        #expect(bench.actuations.filter { $0.playback.value == 2 }.map(\.planned) == [.ms(5000), .ms(5060)])
    }

    @Test("The planner may be called 50 ms late, even with an actuation each millisecond")
    func lead() {
        var bench = Bench()
        let levels = (0..<1000).map { (at: Nanoseconds.milliseconds(Int64($0)), intensity: $0.isMultiple(of: 2) ? 0.5 : 1) }
        bench.play(.levels(levels + [(.seconds(1), 0)]))
        while bench.engine.nextDeadline < .ms(900) {
            #expect(bench.actuations.last!.planned - bench.engine.nextDeadline >= PlanningContract.lead)
            bench.run(until: bench.engine.nextDeadline)
        }
        #expect(bench.actuations.count > 900)
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

    @Test("No plan, and no sequence of plays and cancels, makes more than one actuation in each interval: 400 random walks")
    func shortestInterval() {
        var random = SplitMix64(seed: 6)
        for _ in 1...400 {
            let interval = Nanoseconds.milliseconds(Int64.random(in: 1...20, using: &random))
            let gap = Nanoseconds.milliseconds([0, 0, 3, 20].randomElement(using: &random)!)
            let limits = MotorLimits(minInterval: interval, minGap: gap)
            var bench = Bench(.bench(actuators: [EngineActuator(name: "main", limits: limits)]))
            for _ in 0..<4 {
                let longest = Int64([1, 1000, 1_000_000, 30_000_000].randomElement(using: &random)!)
                var at = Nanoseconds.zero
                var levels: [(at: Nanoseconds, intensity: Double)] = []
                for _ in 0..<Int.random(in: 1...200, using: &random) {
                    levels.append((at, Double(Int.random(in: 0...3, using: &random)) / 3))
                    at = at + Nanoseconds(Int64.random(in: 1...longest, using: &random))
                }
                bench.play(.levels(levels + [(at, 0)]))
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
