// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import HapticThreads
internal import Synchronization

/// The executor's reports on their way to the event loop, and the descriptor that has it look. Lives inside of what both share.
struct ReportChannel: ~Copyable, Sendable {
    let descriptor: Int32
    /// Reports that found the ring full.
    let missedCount = Atomic<Int>(0)
    private let ring: SPSCRing<ExecutorReport>
    /// Slots kept for what must not be missed: a fault and its restoration, a cut-off.
    private let reserve: Int
    /// The descriptor is readable, or about to be: one system call for all reports until they have been read.
    private let isSignalled = Atomic<Bool>(false)

    init(capacity: Int, actuatorCount: Int) throws(ExecutorError) {
        let descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw .noReportDescriptor(errno: -descriptor) }
        self.descriptor = descriptor
        reserve = 4 * actuatorCount
        ring = SPSCRing(capacity: capacity + reserve)
    }

    deinit { close(descriptor) }

    /// The executor's thread.
    func send(_ report: ExecutorReport) {
        let isOrdinary =
            switch report {
            case .actuated, .missed, .refused: true
            case .cutOff, .abandoned, .faulted, .restored: false
            }
        guard ring.push(report, keeping: isOrdinary ? reserve : 0) else {
            missedCount.add(1, ordering: .relaxed)
            return
        }
        if !isSignalled.exchange(true, ordering: .acquiringAndReleasing) { clinux_eventfd_signal(descriptor) }
    }

    /// The oldest report. Nil: all have been read, and `descriptor` is readable again with the next one. The event loop's thread.
    func next() -> ExecutorReport? {
        if let report = ring.pop() { return report }
        guard isSignalled.load(ordering: .acquiring) else { return nil }
        // In this order, and with a last look, a report that is sent meanwhile is either seen here or signalled again.
        clinux_eventfd_clear(descriptor)
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
        return ring.pop()
    }
}
