// SPDX-License-Identifier: MIT
internal import HapticCore
private import HapticThreads

// Not internal for the reason that `ActuationQueue.Entry` gives.
/// The deadline of each actuator, and the first of them, which is found without a search.
///
/// Allocates nothing after `init`.
@usableFromInline struct ActuatorDeadlines: ~Copyable {
    private var deadlines: FixedBuffer<MonotonicInstant>
    private(set) var first = MonotonicInstant.distantFuture
    /// The actuator that `first` belongs to.
    private(set) var firstIndex = 0

    /// `.distantFuture` for each actuator.
    init(count: Int) { deadlines = FixedBuffer(repeating: .distantFuture, count: count) }

    subscript(index: Int) -> MonotonicInstant {
        @_noLocks get { deadlines[index] }
    }

    /// Sets the deadline of an actuator. O(actuators) if it changes.
    @_noLocks
    mutating func set(_ deadline: MonotonicInstant, of index: Int) {
        guard deadlines[index] != deadline else { return }
        deadlines[index] = deadline
        first = .distantFuture
        for index in 0..<deadlines.count where deadlines[index] < first {
            first = deadlines[index]
            firstIndex = index
        }
    }
}
