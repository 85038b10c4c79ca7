// SPDX-License-Identifier: MIT
private import HapticBackends
public import HapticCore

/// When the guard hears that the executor lives: regularly while there is something to do, and once when there no longer is. A
/// value, no clock.
public struct Heartbeat: Hashable, Sendable {
    public enum Signal: Hashable, Sendable {
        /// An output is on, or about to be.
        case beat
        /// Everything is off.
        case idle
    }

    /// When the guard expects to hear more; nil while it is idle.
    private var due: MonotonicInstant?

    public init() {}

    /// The guard has nothing to expect: the next on has to be announced before it comes.
    public var isIdle: Bool { due == nil }

    /// When `signal` has something to say, even where nothing else happens.
    public var deadline: MonotonicInstant { due ?? .distantFuture }

    /// What is to be said now. `isActive`: an output is on, or something is planned.
    @_noLocks
    public mutating func signal(isActive: Bool, at now: MonotonicInstant) -> Signal? {
        switch (due, isActive) {
        case (nil, true):
            due = now + GuardTiming.beatInterval
            return .beat
        case (let due?, true) where due <= now:
            self.due = now + GuardTiming.beatInterval
            return .beat
        // Not at once: pulses 10 ms apart would be as many wake-ups of the guard.
        case (let due?, false) where due <= now:
            self.due = nil
            return .idle
        default: return nil
        }
    }
}
