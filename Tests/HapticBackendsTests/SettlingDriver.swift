// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

/// A driver for conformance checks: time goes on only once its device has followed, for virtual time is much faster than a thread.
final class SettlingDriver<Inner: ActuatorDriver>: ActuatorDriver {
    let inner: Inner
    private let hasFollowed: @Sendable () -> Bool
    private let hasGivenUp = Atomic(false)

    private init(_ inner: Inner, hasFollowed: @escaping @Sendable () -> Bool) {
        self.inner = inner
        self.hasFollowed = hasFollowed
    }

    var capabilities: ActuatorCapabilities { inner.capabilities }
    var devicePath: String? { inner.devicePath }
    var nextDeadline: MonotonicInstant { inner.nextDeadline }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault) {
        try inner.apply(driven, run: run, planned: planned, at: now)
        settle()
        // What the device's thread has found is thrown by the next call.
        _ = try inner.advance(to: now)
    }

    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        let result = try inner.advance(to: now)
        settle()
        return result
    }

    func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        try inner.switchOff(at: now)
        settle()
    }

    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        try inner.prepare(timelines, at: now)
    }

    func open(at now: MonotonicInstant) throws(DriverFault) { try inner.open(at: now) }
    func close(at now: MonotonicInstant) { inner.close(at: now) }

    /// One that does not follow fails the test, and is waited for once only: there are thousands of calls.
    private func settle() {
        guard !hasGivenUp.load(ordering: .relaxed) else { return }
        do {
            try wait(for: "the device's thread") { hasFollowed() }
        } catch {
            hasGivenUp.store(true, ordering: .relaxed)
            Issue.record(error)
        }
    }

    convenience init(_ inner: EvdevDriver) where Inner == EvdevDriver { self.init(inner) { inner.hasFollowed } }
    convenience init(_ inner: LevelDriver) where Inner == LevelDriver { self.init(inner) { inner.hasFollowed } }
}
