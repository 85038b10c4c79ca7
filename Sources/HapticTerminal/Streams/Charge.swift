// SPDX-License-Identifier: MIT
package import HapticCore

/// The press-and-hold charge as a stream: every tick adds an increment that itself grows, until 1 or until one lets go.
package struct Charge: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case progress(Progress)
        case release
    }

    /// More ticks than these are not a charge that anyone waits for.
    package static let mostTicks = 100_000

    /// What the first tick adds; 0 or more.
    package var increment: Double
    /// What every tick adds to the increment; 0 or more.
    package var acceleration: Double
    /// More than 0.
    package var tick: Nanoseconds
    /// One lets go in the tick after the first that reaches this; nil: never.
    package var releaseAt: Progress?

    package init(
        increment: Double = 0.0007, acceleration: Double = 0.00007, tick: Nanoseconds = .milliseconds(10),
        releaseAt: Progress? = nil
    ) {
        (self.increment, self.acceleration, self.tick, self.releaseAt) = (increment, acceleration, tick, releaseAt)
    }

    /// What happens at tick 1, 2, …: step k belongs at k · `tick`. Nil where it would take more than `mostTicks`.
    package func steps() -> [Step]? {
        var steps: [Step] = []
        var (value, increment) = (0.0, increment)
        while steps.count < Self.mostTicks {
            value = min(1, value + increment)
            increment += acceleration
            steps.append(.progress(Progress(clamping: value)))
            if let releaseAt, value >= releaseAt.value { return steps + [.release] }
            if value == 1 { return steps }
        }
        return nil
    }
}
