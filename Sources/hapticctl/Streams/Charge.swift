// SPDX-License-Identifier: MIT
import HapticCore

/// The press-and-hold charge as a stream: every tick adds an increment that itself grows, until 1 or until one lets go.
struct Charge: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case progress(Progress)
        case release
    }

    /// More ticks than these are not a charge that anyone waits for.
    static let mostTicks = 100_000

    /// What the first tick adds; 0 or more.
    var increment = 0.0007
    /// What every tick adds to the increment; 0 or more.
    var acceleration = 0.00007
    /// More than 0.
    var tick = Nanoseconds.milliseconds(10)
    /// One lets go in the tick after the first that reaches this; nil: never.
    var releaseAt: Progress?

    /// What happens at tick 1, 2, …: step k belongs at k · `tick`. Nil where it would take more than `mostTicks`.
    func steps() -> [Step]? {
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
