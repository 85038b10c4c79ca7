// SPDX-License-Identifier: MIT
import HapticCore

/// What a seed does and leaves out: each walk does without some of it, for what always happens hides what seldom does.
struct Options {
    /// Between two bursts of inputs, and between two inputs of a burst; nanoseconds, on average.
    let pause: Int64
    let gap: Int64
    let burst: Int
    /// By how much the executor wakes up late, at most.
    let jitter: Int64
    /// How many orders its ring holds.
    let ring: Int
    let steps: Int
    let faults: Set<Fault>
    let features: Set<Feature>

    enum Fault: String, CaseIterable {
        case lateEngine, lateExecutor, stopped, lostDoorbell, deviceLost, clientGone, reload, replaced, sleep
    }

    enum Feature: String, CaseIterable {
        case batches, cancels, profiles, trains, repetitions, events, oldInputs, awaited, longPatterns, namedSources
    }

    /// Nothing but what is asked for.
    static let calm = Options()

    private init() {
        (pause, gap, burst, jitter, ring, steps, faults, features) = (0, 0, 1, 0, 896, 0, [], [])
    }

    init(using random: inout some RandomNumberGenerator) {
        func logarithmic(_ low: Double, _ high: Double) -> Int64 {
            // Powers of two are enough of a scale: no function of the C library decides what a seed does.
            var value = low
            let doublings = (high / low).exponent
            for _ in 0..<Int.random(in: 0...Int(doublings), using: &random) { value *= 2 }
            return Int64(value)
        }
        pause = logarithmic(1e6, 1000e9)
        gap = logarithmic(0.05e6, 400e6)
        burst = Int.random(in: 1...40, using: &random)
        jitter = Bool.random(using: &random) ? 0 : 200_000
        ring = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 4...64, using: &random) : 896
        steps = Int.random(in: 200...1500, using: &random)
        faults = Set(Fault.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        features = Set(Feature.allCases.filter { _ in Bool.random(using: &random) })
    }

    var text: String {
        let names = (faults.map(\.rawValue) + features.map(\.rawValue)).sorted().joined(separator: " ")
        return
            "pause \(Nanoseconds(pause)), gap \(Nanoseconds(gap)), burst \(burst), jitter \(Nanoseconds(jitter)), ring \(ring): \(names)"
    }
}
