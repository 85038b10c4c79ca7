// SPDX-License-Identifier: MIT
private import HapticBackends
internal import HapticCore

/// When the guard steps in. A value, no clock: its instants come in.
enum GuardState: Hashable {
    /// Everything is off, the daemon has said so: nothing to do until it says more.
    case idle
    /// An output may be on; the daemon has to be heard of before this instant.
    case watching(until: MonotonicInstant)
    /// The daemon has not been heard of in time. Everything is off, and is switched off again at this instant, for a daemon may
    /// wake up, switch something on and stand still before its next beat.
    case hung(until: MonotonicInstant)
    /// The daemon has gone. Everything is off, and kept so until the next daemon's guard takes over.
    case orphaned

    enum Event: Hashable {
        case beat, idle, goodbye
        /// The daemon has died: its end of the socket is closed, or its thread has ended.
        case daemonGone
        /// SIGTERM: from the guard of the next daemon, or from an administrator.
        case asked
        case timePassed
    }

    enum Action: Hashable {
        case nothing, switchOff
        /// Off, and the end.
        case leave
    }

    /// When `timePassed` has to be called.
    var deadline: MonotonicInstant {
        switch self {
        case .watching(let until), .hung(let until): until
        case .idle, .orphaned: .distantFuture
        }
    }

    /// `isHolding`: the guard has outputs.
    mutating func handle(_ event: Event, at now: MonotonicInstant, isHolding: Bool) -> Action {
        switch (event, self) {
        case (.goodbye, _), (.asked, .orphaned):
            return .leave
        case (_, .orphaned):
            return .nothing
        case (.daemonGone, _):
            guard isHolding else { return .leave }
            self = .orphaned
            return .switchOff
        // As long as its daemon lives a guard is not to be sent away: a signal to all processes of a name or a session reaches it too.
        case (.asked, _):
            return .nothing
        case (.beat, _):
            self = .watching(until: now + GuardTiming.patience)
            return .nothing
        case (.idle, _):
            self = .idle
            return .nothing
        case (.timePassed, .watching(let until)) where until <= now, (.timePassed, .hung(let until)) where until <= now:
            self = .hung(until: now + GuardTiming.patience)
            return .switchOff
        case (.timePassed, _):
            return .nothing
        }
    }
}
