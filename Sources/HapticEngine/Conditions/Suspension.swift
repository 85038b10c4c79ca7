// SPDX-License-Identifier: MIT
public import HapticCore

/// The condition that the engine asserts itself: from the moment when the machine prepares to sleep until it has slept. Nothing begins in
/// it, not even an alarm, because nobody could switch it off before the machine wakes up.
public struct Suspension: Hashable, Sendable {
    /// A machine that is still awake after this, in its own time, does not sleep after all.
    public static let longest = Nanoseconds.seconds(10)

    private var until: MonotonicInstant?

    init() {}

    mutating func begin(at now: MonotonicInstant) { until = now + Self.longest }
    mutating func end() { until = nil }
    func contains(_ now: MonotonicInstant) -> Bool { until.map { now < $0 } ?? false }
}
