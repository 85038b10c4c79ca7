// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport

/// The features and faults of a seed. Each walk lacks some of them, because frequent events hide rare ones.
struct Options {
    enum Fault: String, CaseIterable {
        case lateEngine, lateExecutor, stopped, lostDoorbell, deviceLost, clientGone, reload, replaced, sleep
    }

    enum Feature: String, CaseIterable {
        case batches, cancels, settings, trains, repetitions, events, oldInputs, awaited, longPatterns, namedSources
        case composed, dense, openPhases, endings, spread, transactions, resume, heat, follow
        case holds, sets, tasks, conditions
        /// Enough holds, sets and tasks to reach bounds.
        case many
    }

    /// Further actions of the service's clients.
    enum ClientFault: String, CaseIterable {
        case hangUp, closeHalf, deaf, flood, halfLine, longLine, rubbish, reload
    }

    /// The mean time between two bursts of inputs, and between two inputs of a burst; nanoseconds.
    var pause: Int64 = 0
    var gap: Int64 = 0
    var burst = 1
    /// The most that the executor wakes up late.
    var jitter: Int64 = 0
    /// The number of orders in the executor's ring.
    var ring = 896
    var steps = 0
    var faults: Set<Fault> = []
    var features: Set<Feature> = []
    /// The time that the service takes between two readings of the clock.
    var tick = Nanoseconds.zero
    /// Whether some rights of the service belong to some users only.
    var isRestricted = false
    /// The most requests a second of a client; nil without a limit.
    var rate: Int?
    var clientFaults: Set<ClientFault> = []

    /// The options without any fault.
    static let calm = Options()

    private init() {}

    init(using random: inout SplitMix64) {
        pause = Self.doubled(1_000_000, upTo: 20, &random)
        gap = Self.doubled(50_000, upTo: 13, &random)
        burst = Int.random(in: 1...40, using: &random)
        jitter = random.chance(2) ? 0 : 200_000
        ring = random.chance(4) ? Int.random(in: 4...64, using: &random) : 896
        steps = Int.random(in: 200...1500, using: &random)
        faults = Set(Fault.allCases.filter { _ in random.chance(3) })
        features = Set(Feature.allCases.filter { _ in random.chance(2) })
        tick = .microseconds(random.one(of: [0, 0, 2, 20] as [Int64]))
        isRestricted = random.chance(2)
        rate = random.chance(3) ? Int.random(in: 5...40, using: &random) : nil
        clientFaults = Set(ClientFault.allCases.filter { _ in random.chance(2) })
    }

    private static func doubled(_ least: Int64, upTo times: Int64, _ random: inout SplitMix64) -> Int64 {
        least << Int64.random(in: 0...times, using: &random)
    }

    func has(_ feature: Feature) -> Bool { features.contains(feature) }

    var text: String {
        let names = (faults.map(\.rawValue) + features.map(\.rawValue)).sorted().joined(separator: " ")
        return "pause \(Nanoseconds(pause)), gap \(Nanoseconds(gap)), burst \(burst), jitter \(jitter), ring \(ring): \(names)"
    }

    var serviceText: String {
        let names = clientFaults.map(\.rawValue).sorted().joined(separator: " ")
        return "; service: tick \(tick), \(isRestricted ? "restricted, " : "")rate \(rate.map { "\($0)" } ?? "any"): \(names)"
    }
}

extension SplitMix64 {
    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }
    mutating func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &self)! }
    mutating func milliseconds(_ range: ClosedRange<Int64>) -> Nanoseconds {
        .milliseconds(Int64.random(in: range, using: &self))
    }
}
