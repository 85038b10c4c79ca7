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
        /// Check whether its node is still there; `withdraw` follows where it is not.
        case probe
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
        enum Ownership: Hashable {
            /// The executor has not said yet that it has it.
            case given
            case taken
            /// The executor has not said yet that it has let go.
            case withdrawn
        }

        var history: History
        var ownership = Ownership.given
    }

    struct Missing: Hashable {
        /// How soon after its loss a device is looked for: it may have come back before its loss was noticed.
        static let firstProbe = Nanoseconds.milliseconds(100)

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
        case .driven(var driven) where driven.ownership != .withdrawn:
            driven.ownership = .withdrawn
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
        case .driven(let driven) where driven.ownership != .withdrawn: return [.probe]
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

/// The answers of threads and of the executor.
extension DeviceState {
    mutating func opened(at now: MonotonicInstant) -> [Action] {
        guard case .opening(let opening) = self else { return [] }
        if let next = opening.next { return close(opening.history, next) }
        if let objection = opening.objection { return fail(opening.history, objection, at: now) }
        self = .driven(Driven(history: opening.history))
        // It may have gone while it was being opened.
        return [.handOver] + (opening.hasChanged ? [.probe] : [])
    }

    mutating func failedToOpen(_ fault: DriverFault, at now: MonotonicInstant) -> [Action] {
        guard case .opening(let opening) = self else { return [] }
        if let next = opening.next { return close(opening.history, next) }
        let actions = fail(opening.history, fault, at: now)
        // It may have come while it was being opened.
        guard opening.hasChanged, case .missing(let missing) = self, missing.awaitsChange else { return actions }
        return actions + open(missing)
    }

    private mutating func close(_ history: History, _ next: Next) -> [Action] {
        self = .closing(Closing(history: history, next: next))
        return [.close]
    }

    /// It could not be opened, or must not be driven.
    private mutating func fail(_ history: History, _ fault: DriverFault, at now: MonotonicInstant) -> [Action] {
        let isNews = history.announced != .lost
        return miss(history, fault, at: now, isNews: isNews, probesSoon: false)
    }

    /// The executor has it.
    mutating func restored() -> [Action] {
        guard case .driven(var driven) = self, driven.ownership == .given else { return [] }
        let announced = driven.history.announced
        driven.ownership = .taken
        driven.history.announced = .nothing
        self = .driven(driven)
        return [.announceThere(after: announced)]
    }

    /// The executor has let go of it.
    mutating func faulted(_ fault: DriverFault, at now: MonotonicInstant) -> [Action] {
        guard case .driven(let driven) = self else { return [] }
        var history = driven.history
        if now - history.lastFault > History.quietTime { history.backOff = BackOff() }
        history.lastFault = now
        // It may be back already under another name, and nobody would notice.
        return miss(history, fault, at: now, isNews: true, probesSoon: fault.cause == .deviceLost)
    }

    private mutating func miss(
        _ history: History, _ fault: DriverFault, at now: MonotonicInstant, isNews: Bool, probesSoon: Bool
    ) -> [Action] {
        var missing = Missing(history: history)
        missing.history.announced = .lost
        // Nobody notices when a line is free again, or a device no longer hangs.
        missing.awaitsChange = fault.awaitsDevice && history.isWatched
        if !missing.awaitsChange {
            missing.retryAt = now + missing.history.backOff.next()
        } else if probesSoon {
            missing.retryAt = now + Missing.firstProbe
        }
        let retry = missing.retryAt.map { [Action.retry(at: $0)] } ?? []
        self = .missing(missing)
        return [.announceLost(fault, isNews: isNews)] + retry
    }

    mutating func closed() -> [Action] {
        guard case .closing(let closing) = self else { return [] }
        switch closing.next {
        case .configured: self = .configured(closing.history)
        case .end: self = .ended
        case .open:
            self = .opening(Opening(history: closing.history))
            return [.open]
        }
        return []
    }
}

extension DeviceState.History {
    /// With the next configuration its faults are forgotten.
    func begunAgain(at now: MonotonicInstant) -> Self { Self(isWatched: isWatched, lastFault: now) }
}

extension DeviceState {
    /// Whether its driver may be asked to prepare: it is open, or will be so soon that nothing else has been announced.
    var takesPreparations: Bool {
        switch self {
        case .driven: true
        case .opening(let opening): opening.next == nil && opening.history.announced == .nothing
        case .configured, .missing, .closing, .ended: false
        }
    }

    var isDriven: Bool { if case .driven = self { true } else { false } }
    var isClosing: Bool { if case .closing = self { true } else { false } }
    var hasEnded: Bool { self == .ended }
}
