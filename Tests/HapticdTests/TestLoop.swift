// SPDX-License-Identifier: MIT
import HapticBoard
import HapticCore
import HapticThreads

/// A loop whose time the test moves on; what is done on threads is done at once.
final class TestLoop: BoardLoop {
    private(set) var now = MonotonicInstant.zero
    private var timers: [(number: Int, at: MonotonicInstant, body: () -> Void)] = []
    private(set) var watched: [Int: DescriptorEvents] = [:]
    private var last = 0

    func schedule(at instant: MonotonicInstant, _ body: @escaping () -> Void) -> Cancellation {
        last += 1
        timers.append((last, instant, body))
        return { [number = last, weak self] in self?.timers.removeAll { $0.number == number } }
    }

    func watch(_ descriptor: Int32, _ events: DescriptorEvents) -> Cancellation {
        last += 1
        watched[last] = events
        return { [number = last, weak self] in self?.watched[number] = nil }
    }

    func perform<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, in queue: ErrandQueue, then completed: @escaping (Answer) -> Void
    ) { completed(work()) }

    func advance(_ time: Nanoseconds) {
        let end = now + time
        while let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }), timers[next].at <= end {
            let timer = timers.remove(at: next)
            now = max(now, timer.at)
            timer.body()
        }
        now = end
    }

    var isAsleep: Bool { timers.isEmpty }
    /// What NIO makes of reading it once the clock has been set.
    func setClock() { for events in watched.values { events.ended() } }
}
