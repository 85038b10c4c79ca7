// SPDX-License-Identifier: MIT
import HapticCore

/// The earliest instants at which the shortest interval and the least gap allow the next actuation and the next pulse.
struct ActuationSpacing: Hashable {
    private let minInterval: Nanoseconds
    private let minGap: Nanoseconds
    /// The earliest instant of the next actuation, unless it is an off.
    private(set) var nextChange = MonotonicInstant(nanoseconds: Int64.min / 2)
    private(set) var gapEnd = MonotonicInstant.zero

    init(_ limits: MotorLimits) { (minInterval, minGap) = (limits.minInterval, limits.minGap) }

    /// The same past within `limits`.
    func with(_ limits: MotorLimits) -> ActuationSpacing {
        var spacing = ActuationSpacing(limits)
        (spacing.nextChange, spacing.gapEnd) = (nextChange, gapEnd)
        return spacing
    }

    /// The earliest instant of the next pulse of a motor that is off.
    var nextPulse: MonotonicInstant { max(gapEnd, nextChange) }

    /// The earliest instant of the actuation that follows one at `now`.
    func nextChange(after now: MonotonicInstant) -> MonotonicInstant { max(nextChange + minInterval, now) }

    /// Counts an actuation at `now`.
    mutating func recordActuation(at now: MonotonicInstant) { nextChange = nextChange(after: now) }

    /// Begins the gap after a pulse.
    mutating func beginGap(at instant: MonotonicInstant) { gapEnd = instant + minGap }

    /// This state with `origin` as instant 0.
    func relative(to origin: MonotonicInstant) -> ActuationSpacing {
        var relative = self
        // A gap that is over has the same effect whenever it ended, and so has an interval that ended more than another one ago.
        relative.gapEnd = max(gapEnd, origin - Nanoseconds(1)).relative(to: origin)
        relative.nextChange = max(nextChange, origin - minInterval).relative(to: origin)
        return relative
    }
}
