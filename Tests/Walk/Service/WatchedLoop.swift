// SPDX-License-Identifier: MIT
import Dispatch
import HapticCore
import NIOCore
import NIOEmbedded

/// NIO's event loop for tests in the time of a walk, with the instant of its next work. One thread.
final class WatchedLoop: EventLoop, @unchecked Sendable {
    let inner = EmbeddedEventLoop()
    /// The deadlines of scheduled work; some of the work may have been cancelled.
    private var deadlines: [Int64] = []
    private var first = Int64.max

    /// The instant before which no work is due.
    var nextDeadline: MonotonicInstant { MonotonicInstant(nanoseconds: first) }

    func advance(to now: MonotonicInstant) {
        inner.advanceTime(to: .uptimeNanoseconds(UInt64(now.nanoseconds)))
        guard first <= now.nanoseconds else { return }
        deadlines.removeAll { $0 <= now.nanoseconds }
        first = deadlines.min() ?? .max
    }

    private func note(_ deadline: NIODeadline) {
        let nanoseconds = Int64(deadline.uptimeNanoseconds)
        deadlines.append(nanoseconds)
        first = min(first, nanoseconds)
    }

    /// Drops all scheduled work.
    func close() { try? inner.syncShutdownGracefully() }

    // MARK: EventLoop

    var inEventLoop: Bool { true }
    var now: NIODeadline { inner.now }

    func execute(_ task: @escaping @Sendable () -> Void) { inner.execute(task) }

    @discardableResult
    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        note(deadline)
        return inner.scheduleTask(deadline: deadline, task)
    }

    @discardableResult
    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: inner.now + delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        inner.shutdownGracefully(queue: queue, callback)
    }
}
