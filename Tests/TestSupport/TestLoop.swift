// SPDX-License-Identifier: MIT
import Glibc
public import HapticCore
public import HapticThreads

/// A loop whose time the test moves on, and whose threads do what they have to when the test looks, or hang.
public final class TestLoop: BoardLoop {
    private struct Timer {
        let number: Int
        let instant: MonotonicInstant
        let body: () -> Void
    }

    private struct Watch {
        let number: Int
        let descriptor: Int32
        let events: DescriptorEvents
    }

    public private(set) var now = SystemClock.now
    private var timers: [Timer] = []
    private var watches: [Watch] = []
    /// Of each thread, in the order in which they were first used.
    private var jobs: [(thread: ErrandQueue, waiting: [() -> Void])] = []
    private var last = 0
    /// Threads that hang, by the order in which they were first used.
    public var hanging: Set<Int> = []

    public init() {}

    public func schedule(at instant: MonotonicInstant, _ body: @escaping () -> Void) -> Cancellation {
        last += 1
        timers.append(Timer(number: last, instant: instant, body: body))
        return { [number = last, weak self] in self?.timers.removeAll { $0.number == number } }
    }

    public func watch(_ descriptor: Int32, _ events: DescriptorEvents) -> Cancellation {
        last += 1
        watches.append(Watch(number: last, descriptor: descriptor, events: events))
        return { [number = last, weak self] in self?.watches.removeAll { $0.number == number } }
    }

    public func perform<Answer: Sendable>(
        _ work: @escaping @Sendable () -> Answer, in queue: ErrandQueue, then completed: @escaping (Answer) -> Void
    ) {
        let job = { completed(work()) }
        if let index = jobs.firstIndex(where: { $0.thread === queue }) {
            jobs[index].waiting.append(job)
        } else {
            jobs.append((queue, [job]))
        }
    }

    /// What threads that do not hang have to do, and what there is to read.
    public func turn() {
        for index in jobs.indices where !hanging.contains(index) && !jobs[index].waiting.isEmpty {
            jobs[index].waiting.removeFirst()()
        }
        for watch in watches {
            var descriptor = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) == 1, watches.contains(where: { $0.number == watch.number }) else { continue }
            watch.events.readable()
        }
    }

    public func advance(_ time: Nanoseconds) {
        now = now + time
        for timer in timers.sorted(by: { $0.instant < $1.instant })
        where timer.instant <= now && timers.contains(where: { $0.number == timer.number }) {
            timers.removeAll { $0.number == timer.number }
            timer.body()
        }
    }

    /// Whether nothing is scheduled.
    public var isAsleep: Bool { timers.isEmpty }
    /// How many descriptors are watched.
    public var watchCount: Int { watches.count }
    /// Ends every watched descriptor, as NIO does with that of the clock after somebody has set it.
    public func endWatches() { for watch in watches { watch.events.ended() } }

    /// Turns until `condition` holds.
    public func run(until what: String, _ condition: () -> Bool) throws {
        try wait(for: what) {
            turn()
            return condition()
        }
    }
}
