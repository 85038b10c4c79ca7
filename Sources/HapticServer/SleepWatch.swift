// SPDX-License-Identifier: MIT
internal import HapticCore

/// Notices that the machine has slept: the time that it has slept in all has grown.
struct SleepWatch {
    /// Less may be the reading of two clocks one after the other, and is nothing that anybody notices.
    static let shortest = Nanoseconds.milliseconds(100)

    private let suspended: () -> Nanoseconds
    private var known: Nanoseconds

    /// `suspended`: how long the machine has slept since it was started. A reading may be too low, and is never too high.
    init(suspended: @escaping () -> Nanoseconds) {
        self.suspended = suspended
        // One that is too low would pass for a sleep at the next look.
        known = max(suspended(), suspended(), suspended())
    }

    /// How long it has slept since this said so last; nil where it has not. What one reading misses the next one adds.
    mutating func slept() -> Nanoseconds? {
        let total = suspended()
        guard total - known >= Self.shortest else { return nil }
        defer { known = total }
        return total - known
    }
}
