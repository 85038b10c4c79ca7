// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
public import HapticBackends
public import HapticCore
private import HapticThreads
private import Synchronization

/// The thread that applies actuations at their time, through a driver for each actuator.
///
/// It sleeps until the next actuation is due; an order wakes it at once. It never waits for those who use it: where the ring of
/// reports is full it counts what was missed. All methods are for one thread, the event loop's, except where noted.
public final class Executor: Sendable {
    /// Readable when there are reports for `nextReport`. It becomes readable again only after all of them have been taken. An
    /// eventfd that belongs to the executor: do not close it.
    public var reportDescriptor: Int32 { shared.reports.descriptor }
    /// What the kernel granted at the start.
    public let realtimeState: RealtimeState

    private let shared: ExecutorShared
    private let thread: pthread_t
    private let isStopped = Atomic<Bool>(false)

    /// Starts the thread. `drivers`, by `ActuatorIndex`, are open and off, and belong to the executor until `stop` has returned.
    /// Those that could not be opened are `faulty` until they are restored. `notifyGuard` is called on the executor's thread and must
    /// not wait; nil: there is no guard.
    public init(
        drivers: [any ActuatorDriver], faulty: [ActuatorIndex] = [], configuration: ExecutorConfiguration,
        notifyGuard: (@Sendable (Heartbeat.Signal) -> Void)? = nil
    ) throws(ExecutorError) {
        let shared = ExecutorShared(
            drivers: drivers, faulty: faulty, configuration: configuration,
            reports: try ReportChannel(capacity: configuration.reportCapacity, actuatorCount: drivers.count),
            notifyGuard: notifyGuard)
        let memory = Self.lockMemory(configuration)
        let thread = try startThread(shared)
        realtimeState = RealtimeState(
            scheduling: Self.schedule(thread, configuration), memory: memory, pinning: Self.pin(thread, configuration))
        if realtimeState.scheduling == .granted, realtimeState.pinning != .granted { shared.placement.turnOn() }
        self.shared = shared
        self.thread = thread
    }

    deinit { stop() }

    /// Hands over an order. False where the ring is full: nothing has happened then, try again after reading reports. Never waits.
    public func submit(_ order: ExecutorOrder) -> Bool {
        guard shared.orders.push(order) else { return false }
        wake(isUrgent: order.isUrgent(at: SystemClock.now))
        return true
    }

    /// Hands over orders one after the other, as far as the ring has room, and wakes the thread once for all of them. Returns how
    /// many it took; try again with the rest after reading reports. Never waits.
    public func submit(_ orders: [ExecutorOrder]) -> Int {
        var count = 0
        for order in orders {
            guard shared.orders.push(order) else { break }
            count += 1
        }
        // Also where there was no room: only the thread can make some.
        guard !orders.isEmpty else { return 0 }
        let now = SystemClock.now
        wake(isUrgent: orders[..<count].contains { $0.isUrgent(at: now) })
        return count
    }

    /// What is only planned ahead has time: the thread may wake wherever the kernel wakes it.
    private func wake(isUrgent: Bool) {
        if isUrgent { shared.placement.willWake() }
        shared.doorbell.ring()
    }

    /// `submit(.allOff)`.
    public func allOff() -> Bool { submit(.allOff) }

    /// `submit(.restore(actuator))`, after its driver has been reopened.
    public func restore(_ actuator: ActuatorIndex) -> Bool { submit(.restore(actuator)) }

    /// The oldest report; nil when all have been read. Read until nil each time the descriptor is readable.
    public func nextReport() -> ExecutorReport? { shared.reports.next() }

    /// Switches every actuator off, drops what is still planned, and ends the thread. Waits for that. The reports can still be read.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        shared.isStopping.store(true, ordering: .releasing)
        shared.doorbell.ring()
        pthread_join(thread, nil)
    }

    /// Reports that were lost because nobody read them. Any thread.
    public var missedReportCount: Int { shared.reports.missedCount.load(ordering: .relaxed) }
    /// Actuations that reached no driver: for faulty or cut-off actuators, or too late. Any thread.
    public var droppedActuationCount: Int { shared.counts.dropped.load(ordering: .relaxed) }
    /// Actuations that found the queue full. Any thread.
    public var refusedActuationCount: Int { shared.counts.refused.load(ordering: .relaxed) }
    /// `beat` orders that the thread has got to, each after what was due before it. Any thread.
    public var beatCount: Int { shared.counts.beats.load(ordering: .acquiring) }
    /// Whether nothing is planned, and every output is off, also those of devices with a thread of their own: as of the last
    /// beat, or later. Any thread.
    public var isAtRest: Bool { shared.counts.isAtRest.load(ordering: .relaxed) }
    /// How often the thread has woken up: it stands still while nothing is due. Any thread.
    public var wakeUpCount: Int { shared.counts.wakeUps.load(ordering: .relaxed) }

    // MARK: What the kernel is asked for

    private static func schedule(_ thread: pthread_t, _ configuration: ExecutorConfiguration) -> RealtimeState.Answer {
        guard let priority = configuration.priority else { return .notAskedFor }
        var parameters = sched_param()
        parameters.sched_priority = Int32(clamping: priority)
        return answer(pthread_setschedparam(thread, SCHED_FIFO, &parameters))
    }

    private static func pin(_ thread: pthread_t, _ configuration: ExecutorConfiguration) -> RealtimeState.Answer {
        guard let cpu = configuration.cpu else { return .notAskedFor }
        return answer(clinux_thread_pin(thread, Int32(clamping: cpu)))
    }

    private static func lockMemory(_ configuration: ExecutorConfiguration) -> RealtimeState.Answer {
        guard configuration.locksMemory else { return .notAskedFor }
        return answer(clinux_lock_memory())
    }

    private static func answer(_ errno: Int32) -> RealtimeState.Answer { errno == 0 ? .granted : .refused(errno: errno) }
}
