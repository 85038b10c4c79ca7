// SPDX-License-Identifier: MIT
public import HapticCore

/// The longest on-time of an actuator, kept below the scheduler: a part of every driver. A value; one thread.
///
/// What was cut off stays off until an off comes: the next frame of the same vibration must not switch it on again.
public struct OnTimeGuard: Hashable, Sendable {
    public let maxOn: Nanoseconds?
    private var onSince: MonotonicInstant?
    private var isHeldOff = false

    public init(maxOn: Nanoseconds?) { self.maxOn = maxOn }

    /// When the output has to go off; `.distantFuture` where it is off or may stay on.
    public var deadline: MonotonicInstant {
        guard let maxOn, let onSince else { return .distantFuture }
        return onSince + maxOn
    }

    /// What may be shown for `driven`: itself, or off after a cut-off.
    public mutating func admit(_ driven: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel {
        guard driven.isOn else {
            isHeldOff = false
            onSince = nil
            return .off
        }
        guard !isHeldOff else { return .off }
        onSince = Canary.is("max-on-from-last-level") ? now : onSince ?? now
        return driven
    }

    /// True where the on-time is over: the output has to go off now.
    public mutating func cutsOff(at now: MonotonicInstant) -> Bool {
        guard deadline <= now else { return false }
        isHeldOff = true
        onSince = nil
        return true
    }
}
