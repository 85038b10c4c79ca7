// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc
internal import HapticBackends
internal import HapticCore
internal import HapticThreads
internal import Synchronization

/// What the executor's thread starts from, and what it shares with the others: rings, a doorbell, counts.
final class ExecutorShared: Sendable {
    /// Written by the executor's thread, read by any.
    struct Counts: ~Copyable {
        let dropped = Atomic<Int>(0)
        let refused = Atomic<Int>(0)
        let wakeUps = Atomic<Int>(0)
        let beats = Atomic<Int>(0)
        let isAtRest = Atomic<Bool>(true)
    }

    let drivers: [any ActuatorDriver]
    let faulty: [ActuatorIndex]
    let configuration: ExecutorConfiguration
    let notifyGuard: (@Sendable (Heartbeat.Signal) -> Void)?
    let orders: SPSCRing<ExecutorOrder>
    let reports: ReportChannel
    let doorbell = Doorbell()
    let placement = WakePlacement()
    let isStopping = Atomic<Bool>(false)
    let counts = Counts()

    init(
        drivers: [any ActuatorDriver], faulty: [ActuatorIndex], configuration: ExecutorConfiguration,
        reports: consuming ReportChannel,
        notifyGuard: (@Sendable (Heartbeat.Signal) -> Void)?
    ) {
        self.drivers = drivers
        self.faulty = faulty
        self.configuration = configuration
        self.notifyGuard = notifyGuard
        self.reports = reports
        orders = SPSCRing(capacity: configuration.orderCapacity)
    }

    /// After so many orders actuations get their turn, and the other way round: a flood of one delays the other by a few µs.
    private static let turn = 64

    /// The whole life of the thread.
    fileprivate func run() {
        // All memory is taken here. In the loop nothing is allocated, except by a driver that fails.
        var core = ExecutorCore(
            drivers: drivers, faulty: faulty, queueCapacity: configuration.queueCapacity, minGaps: configuration.minGaps)
        var heartbeat = Heartbeat()
        let notifyGuard = notifyGuard
        let affinity = placement.begin()
        while !isStopping.load(ordering: .acquiring) {
            let rings = doorbell.count
            let hasMore = takeOrders(into: &core)
            // After the orders, each of which reads the clock itself: an actuation that they brought may be due by now.
            let now = SystemClock.now
            // Before anything is switched on: the guard then knows of it, should the daemon die in between.
            if let notifyGuard, heartbeat.isIdle, core.nextDeadline < .distantFuture,
                let signal = heartbeat.signal(isActive: true, at: now)
            {
                notifyGuard(signal)
            }
            let isBusy = applyDue(in: &core, at: now)
            // After what was due: a heartbeat that only goes on can wait for some microseconds.
            if let notifyGuard, let signal = heartbeat.signal(isActive: core.nextDeadline < .distantFuture, at: now) {
                notifyGuard(signal)
            }
            counts.dropped.store(core.droppedCount, ordering: .relaxed)
            counts.refused.store(core.refusedCount, ordering: .relaxed)
            counts.isAtRest.store(core.isAtRest, ordering: .relaxed)
            // After that: who sees the beat sees how it was then, or later.
            counts.beats.store(core.beatCount, ordering: .releasing)
            placement.restoreAffinity(affinity)
            guard !hasMore, !isBusy, !isStopping.load(ordering: .acquiring) else { continue }
            placement.willSleep()
            doorbell.wait(after: rings, until: min(core.nextDeadline, heartbeat.deadline))
            placement.hasWoken()
            counts.wakeUps.add(1, ordering: .relaxed)
        }
        core.handle(.allOff, at: SystemClock.now, report: { reports.send($0) })
        notifyGuard?(.idle)
    }

    /// True where there may be more.
    private func takeOrders(into core: inout ExecutorCore) -> Bool {
        for _ in 0..<Self.turn {
            guard let order = orders.pop() else { return false }
            core.handle(order, at: SystemClock.now, report: { reports.send($0) })
        }
        return true
    }

    /// True where more may be due. What has become due since `now` is left to the next turn: the wait before that is over at once.
    private func applyDue(in core: inout ExecutorCore, at now: MonotonicInstant) -> Bool {
        var now = now
        for _ in 0..<Self.turn {
            guard core.step(at: now, report: { reports.send($0) }), core.nextDeadline <= now else { return false }
            // Each is reported with its own real time.
            now = SystemClock.now
        }
        return true
    }
}

/// Starts the thread on `shared`; the caller joins it.
func startThread(_ shared: ExecutorShared) throws(ExecutorError) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Locked memory makes the usual 8 MiB worth saving; the deepest call here needs a few KiB.
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    let context = Unmanaged.passRetained(shared)
    var thread = pthread_t()
    let error = pthread_create(
        &thread, &attributes,
        { context in
            // trap: pthread_create gives the thread what it was given, and that is never nil.
            let shared = Unmanaged<ExecutorShared>.fromOpaque(context!).takeRetainedValue()
            // Signals are for the threads that expect them.
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            // Without SCHED_FIFO the kernel may be 50 µs late on purpose; with it this changes nothing.
            clinux_set_timer_slack(1)
            clinux_touch_stack(64 * 1024)
            shared.run()
            return nil
        }, context.toOpaque())
    guard error == 0 else {
        context.release()
        throw .noThread(errno: error)
    }
    _ = clinux_thread_set_name(thread, "hapticd-exec")
    return thread
}
