// SPDX-License-Identifier: MIT
import HapticCore

/// The share of the time that a motor may be on, its recent on-time, and the instant at which the present pulse has used up that share.
struct DutyLimit: Hashable {
    /// Less than this is not worth switching a motor on for.
    private static let leastOn = Nanoseconds.milliseconds(1)

    private var share: Share
    private var ledger = DutyLedger()
    /// When to ask `allows` again; `distantFuture` if the motor is off or not limited.
    private(set) var nextCheck = MonotonicInstant.distantFuture

    init(_ share: Share) { self.share = share }

    /// The same past within `share`.
    func with(_ share: Share) -> DutyLimit {
        var limit = self
        limit.share = share
        return limit
    }

    var isLimited: Bool { share < .one }

    /// Sets the `nextCheck` of a pulse that began at `start`. Returns false if no time is left for it at `now`.
    mutating func allows(_ start: MonotonicInstant, at now: MonotonicInstant) -> Bool {
        let allowed = MotorLimits.dutyWindow.scaled(by: share.value)
        let present: Nanoseconds = Canary.is("duty-forgets-present-pulse") ? .zero : now - start
        let left = allowed - ledger.onTime(until: now) - present
        guard left >= Self.leastOn else { return false }
        nextCheck = now + left
        return true
    }

    /// Ends a pulse that began at `start`.
    mutating func end(_ start: MonotonicInstant, at now: MonotonicInstant) {
        if isLimited { ledger.record(from: start, to: now) }
        nextCheck = .distantFuture
    }

    /// This state with `origin` as instant 0, on the condition of `DutyLedger.relative`.
    func relative(to origin: MonotonicInstant) -> DutyLimit {
        var relative = self
        relative.nextCheck = nextCheck.relative(to: origin)
        if isLimited { relative.ledger = ledger.relative(to: origin) }
        return relative
    }
}
