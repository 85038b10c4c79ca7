// SPDX-License-Identifier: MIT
public import HapticCore

/// Cancels what returned it: nothing is called back any more. No effect where that is over.
public typealias Cancellation = () -> Void

/// What the board, and whatever else watches devices, needs of the loop that it lives on. All of it is called, and calls back, on that loop.
public protocol BoardLoop: AnyObject {
    /// CLOCK_MONOTONIC, in the daemon.
    var now: MonotonicInstant { get }

    /// Calls `body` at `instant` or soon after.
    func schedule(at instant: MonotonicInstant, _ body: @escaping () -> Void) -> Cancellation

    /// Watches a descriptor, which stays open.
    func watch(_ descriptor: Int32, _ events: DescriptorEvents) -> Cancellation

    /// Does `work` on a thread, after what was added to `queue` before. Then calls `completed`.
    func perform<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, in queue: ErrandQueue, then completed: @escaping (Answer) -> Void)
}

/// What may happen to a descriptor that is watched.
public struct DescriptorEvents {
    /// There is something to read.
    public var readable: () -> Void
    /// It has come to its end.
    public var ended: () -> Void
    /// It cannot be watched.
    public var failed: (any Error) -> Void

    public init(
        readable: @escaping () -> Void = {}, ended: @escaping () -> Void = {}, failed: @escaping (any Error) -> Void = { _ in }
    ) {
        self.readable = readable
        self.ended = ended
        self.failed = failed
    }
}
