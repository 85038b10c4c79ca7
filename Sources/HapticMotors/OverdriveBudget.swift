// SPDX-License-Identifier: MIT
public import HapticCore

/// What is left of the time for which a motor may get more than its rated drive. It comes back as fast as it goes. Time goes forward only.
public struct OverdriveBudget: Hashable, Sendable {
    private var time: Nanoseconds
    /// What was left at `since`.
    private var left: Nanoseconds
    private var since = MonotonicInstant.zero
    private var isGoing = false

    /// `time`: at once, and after a rest; nil: none.
    public init(_ time: Nanoseconds?) {
        self.time = time ?? .zero
        left = self.time
    }

    /// The motor gets `drive` from `now` on.
    public mutating func follow(_ drive: Drive, at now: MonotonicInstant) {
        left = left(at: now)
        since = now
        isGoing = drive > .rated
    }

    /// How long it may get more than its rated drive from `now` on; 0: not at all.
    public func left(at now: MonotonicInstant) -> Nanoseconds {
        let passed = min(now - since, time)
        return isGoing ? max(.zero, left - passed) : min(time, left + passed)
    }

    /// When nothing is left, unless the motor gets less before; `distantFuture` where it does.
    public var end: MonotonicInstant { isGoing ? since + left : .distantFuture }

    /// The same past, where the whole is `time` from now on.
    public func with(_ time: Nanoseconds?) -> OverdriveBudget {
        var budget = self
        budget.time = time ?? .zero
        budget.left = min(left, budget.time)
        return budget
    }

    /// This state with `origin`, which is `since` or later, as instant 0. Budgets that are equal after this are alike from their origins on.
    public func relative(to origin: MonotonicInstant) -> OverdriveBudget {
        var budget = self
        budget.left = isGoing ? left : left(at: origin)
        budget.since = isGoing ? since.relative(to: origin) : .zero
        return budget
    }
}
