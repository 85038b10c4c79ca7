// SPDX-License-Identifier: MIT
import HapticBoard
import HapticCore
import HapticEngine
import HapticPlanning
import HapticThreads
import Logging

@testable import HapticServer
@testable import HapticService

/// A loop in virtual time. Work of threads is done immediately, or only in `turn`, as in a real loop.
final class TestLoop: BoardLoop {
    private(set) var now = MonotonicInstant.zero
    private var timers: [(number: Int, at: MonotonicInstant, body: () -> Void)] = []
    private(set) var watched: [Int: DescriptorEvents] = [:]
    private var last = 0
    private let isLate: Bool
    private var answers: [() -> Void] = []

    init(isLate: Bool = false) { self.isLate = isLate }

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
    ) {
        answers.append { completed(work()) }
        if !isLate { turn() }
    }

    func turn() { while !answers.isEmpty { answers.removeFirst()() } }

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
    /// Ends every watched descriptor, as NIO does after a change of the clock.
    func setClock() { for events in watched.values { events.ended() } }
    /// Reports every watched descriptor as readable.
    func read() { for events in watched.values { events.readable() } }
}

final class NoSink: ActuationSink {
    func apply(_ order: ActuationOrder) {}
    func commit() {}
    func replaceActuators(_ actuators: [EngineActuator]) {}
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {}
    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) {}
}

let silentLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A path without a file.
func newPath() -> String { "/tmp/hapticd-test-\(UInt32.random(in: .min ... .max))" }
