// SPDX-License-Identifier: MIT
internal import HapticBoard
internal import HapticCore
internal import HapticThreads
internal import NIOCore

/// The event loop, as the board needs it.
final class BoardEventLoop: BoardLoop {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    var now: MonotonicInstant { SystemClock.now }

    func schedule(at instant: MonotonicInstant, _ body: @escaping () -> Void) -> Cancellation {
        let wait = max(instant - now, .zero)
        let task = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(wait.count), body)
        return { task.cancel() }
    }

    func watch(_ descriptor: Int32, _ events: DescriptorEvents) -> Cancellation {
        let handler = DescriptorHandler.watch(descriptor, events, on: eventLoop)
        return { handler.cancel() }
    }

    func perform<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, in queue: ErrandQueue, then completed: @escaping (Answer) -> Void
    ) {
        let completed = NIOLoopBound(completed, eventLoop: eventLoop)
        let eventLoop = eventLoop
        queue.add {
            let answer = work()
            eventLoop.execute { completed.value(answer) }
        }
    }
}
