// SPDX-License-Identifier: MIT
internal import HapticCore

/// A share of each period on, the rest off: when the line of a pulse-width modulation by software has to change. A value, no clock.
///
/// Every edge is planned from the start of the modulation, so lateness does not add up. A period that was missed as a whole is left out.
struct SoftwarePWM: Hashable, Sendable {
    /// Of one on and one off; nil: the line is on wherever the share is more than 0.
    let period: Nanoseconds?
    private var share = Share.zero
    /// Start of the period that runs.
    private var start = MonotonicInstant.zero
    private(set) var isActive = false
    /// When the line has to change next; `.distantFuture` where it stays as it is.
    private(set) var nextEdge = MonotonicInstant.distantFuture

    init(period: Nanoseconds?) { self.period = period }

    /// Takes up a new share. What was off begins a period now, what runs keeps its rhythm.
    mutating func set(_ new: Share, at now: MonotonicInstant) {
        if share == .zero { start = now }
        share = new
        advance(to: now)
    }

    /// Brings the line to what it should be at `now`.
    mutating func advance(to now: MonotonicInstant) {
        guard let period, share > .zero, share < .one else {
            isActive = share > .zero
            nextEdge = .distantFuture
            return
        }
        let elapsed = Nanoseconds((now - start).count / period.count * period.count)
        start = start + elapsed
        let fall = start + period.scaled(by: share.value)
        isActive = now < fall
        nextEdge = isActive ? fall : start + period
    }
}
