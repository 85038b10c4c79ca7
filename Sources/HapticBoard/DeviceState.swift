// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticRuntime

/// Where one device is between missing and driven. Pure: events and instants go in, what is to be done comes out.
///
/// One thread at a time touches the device: the one that opens or closes it, or the executor, which has it from `handOver` until it
/// reports a fault. Each state awaits one event or has a try planned, so that none is stuck.
enum DeviceState: Hashable {
    /// Nothing is held. Awaits an executor that can drive it.
    case configured(History)
    /// A thread opens it. Awaits the end of that.
    case opening(Opening)
    /// The executor has it. Awaits a fault.
    case driven(Driven)
    /// Nobody drives it. A try is planned, or its return is awaited, or both.
    case missing(Missing)
    /// A thread gives it back. Awaits the end of that.
    case closing(Closing)
    /// Nothing is held, and nothing will be.
    case ended

    /// What is to be done about it, in order.
    enum Action: Hashable {
        /// Open it on a thread of its own; `opened` or `failedToOpen` follows.
        case open
        /// Give it back on that thread; `closed` follows.
        case close
        /// The executor may drive it; `restored` follows.
        case handOver
        /// The executor is to let go of it; `faulted` follows.
        case withdraw(DriverFault)
        /// Call `retryIsDue` at that instant.
        case retry(at: MonotonicInstant)
        /// Do not call it.
        case cancelRetry
        /// See whether its node is still there; `withdraw` follows where it is not.
        case look
        /// Say that it is being opened.
        case announceOpening
        /// Say that it is not there. `isNews`: not the same again.
        case announceLost(DriverFault, isNews: Bool)
        /// Say that it is there. `after`: what was said before.
        case announceThere(after: Announced)
    }

    /// What was said of it last.
    enum Announced: Hashable {
        case nothing, opening, lost
    }

    /// What comes after what a thread is doing with it now.
    enum Next: Hashable {
        /// The next executor is awaited.
        case configured
        /// There is one: it is opened for that.
        case open
        case end
    }

    struct History: Hashable {
        /// How long after a fault the next one counts as the first again.
        static let quietTime = Nanoseconds.seconds(60)

        /// Whether its coming, its going and a change of its owner are noticed.
        let isWatched: Bool
        var backOff = BackOff()
        var lastFault: MonotonicInstant
        var announced = Announced.nothing
    }

    struct Opening: Hashable {
        var history: History
        /// Nil: the present executor gets it.
        var next: Next?
        /// Some device has come, gone or changed hands since.
        var hasChanged = false
        /// Why it must not be driven once it is open.
        var objection: DriverFault?
    }

    struct Driven: Hashable {
        enum Hand: Hashable {
            /// The executor has not said yet that it has it.
            case given
            case taken
            /// The executor has not said yet that it has let go.
            case withdrawn
        }

        var history: History
        var hand = Hand.given
    }

    struct Missing: Hashable {
        /// How soon after its loss a device is looked for: it may have come back before its loss was noticed.
        static let firstLook = Nanoseconds.milliseconds(100)

        var history: History
        /// The one try that is planned.
        var retryAt: MonotonicInstant?
        /// It has to come, or to change hands, before another try is worth it.
        var awaitsChange = false
    }

    struct Closing: Hashable {
        var history: History
        var next: Next
    }

    /// `isWatched`: the coming and going of such a device, and a change of its owner, are noticed.
    init(isWatched: Bool, at now: MonotonicInstant) { self = .configured(History(isWatched: isWatched, lastFault: now)) }

    // MARK: From the board

    /// There is an executor that can drive it.
    mutating func begin() -> [Action] {
        switch self {
        case .configured(let history):
            self = .opening(Opening(history: history))
            return [.open]
        case .opening(var opening) where opening.next == .configured:
            opening.next = .open
            self = .opening(opening)
        case .closing(var closing) where closing.next == .configured:
            closing.next = .open
            self = .closing(closing)
        case .opening, .driven, .missing, .closing, .ended: break
        }
        return []
    }

    /// Its executor has ended. `isKept`: the next one is to drive the same device, by another driver.
    mutating func reload(isKept: Bool, at now: MonotonicInstant) -> [Action] {
        let next = isKept ? Next.configured : .end
        switch self {
        case .configured(let history):
            self = isKept ? .configured(history.begunAgain(at: now)) : .ended
        case .opening(var opening):
            // It is being opened for the former driver, so it is given back first.
            opening.history = opening.history.begunAgain(at: now)
            opening.next = next
            self = .opening(opening)
        case .driven(let driven):
            self = .closing(Closing(history: driven.history.begunAgain(at: now), next: next))
            return [.close]
        case .missing(let missing):
            // A device that has failed may still be held.
            self = .closing(Closing(history: missing.history.begunAgain(at: now), next: next))
            return (missing.retryAt == nil ? [] : [.cancelRetry]) + [.close]
        case .closing(var closing):
            closing.history = closing.history.begunAgain(at: now)
            closing.next = next
            self = .closing(closing)
        case .ended: break
        }
        return []
    }

    /// There will be no other executor.
    mutating func shutDown(at now: MonotonicInstant) -> [Action] { reload(isKept: false, at: now) }

    /// Opening it takes so long that nobody waits for it any longer.
    mutating func isLate() -> [Action] {
        switch self {
        case .opening(var opening) where opening.next != .end && opening.history.announced == .nothing:
            opening.history.announced = .opening
            self = .opening(opening)
            return [.announceOpening]
        case .closing(var closing) where closing.next == .open && closing.history.announced == .nothing:
            closing.history.announced = .opening
            self = .closing(closing)
            return [.announceOpening]
        case .configured, .opening, .driven, .missing, .closing, .ended: return []
        }
    }

    /// Someone other than its driver has found that it must not be driven: its node has gone, it hangs, it has no guard.
    mutating func withdraw(_ fault: DriverFault) -> [Action] {
        switch self {
        case .opening(var opening):
            opening.objection = fault
            self = .opening(opening)
        case .driven(var driven) where driven.hand != .withdrawn:
            driven.hand = .withdrawn
            self = .driven(driven)
            return [.withdraw(fault)]
        case .configured, .driven, .missing, .closing, .ended: break
        }
        return []
    }

    /// Some device has come, gone or changed hands.
    mutating func seen() -> [Action] {
        switch self {
        case .opening(var opening) where opening.history.isWatched:
            opening.hasChanged = true
            self = .opening(opening)
        case .driven(let driven) where driven.hand != .withdrawn: return [.look]
        case .missing(let missing) where missing.awaitsChange && !Canary.is("returned-device-not-seen"): return open(missing)
        case .configured, .opening, .driven, .missing, .closing, .ended: break
        }
        return []
    }

    /// The instant of `retry` has come. No effect where the try has been put off or cancelled since.
    mutating func retryIsDue(at now: MonotonicInstant) -> [Action] {
        guard case .missing(var missing) = self, let instant = missing.retryAt, instant <= now else { return [] }
        missing.retryAt = nil
        return open(missing)
    }

    mutating func open(_ missing: Missing) -> [Action] {
        self = .opening(Opening(history: missing.history))
        return (missing.retryAt == nil ? [] : [.cancelRetry]) + [.open]
    }
}
