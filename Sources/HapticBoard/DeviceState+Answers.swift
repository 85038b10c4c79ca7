// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticRuntime

/// What threads and the executor answer.
extension DeviceState {
    mutating func opened(at now: MonotonicInstant) -> [Action] {
        guard case .opening(let opening) = self else { return [] }
        if let next = opening.next { return close(opening.history, next) }
        if let objection = opening.objection { return fail(opening.history, objection, at: now) }
        self = .driven(Driven(history: opening.history))
        // It may have gone while it was being opened.
        return [.handOver] + (opening.hasChanged ? [.look] : [])
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
        return miss(history, fault, at: now, isNews: isNews, looksSoon: false)
    }

    /// The executor has it.
    mutating func restored() -> [Action] {
        guard case .driven(var driven) = self, driven.hand == .given else { return [] }
        let announced = driven.history.announced
        driven.hand = .taken
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
        return miss(history, fault, at: now, isNews: true, looksSoon: fault.cause == .deviceLost)
    }

    private mutating func miss(
        _ history: History, _ fault: DriverFault, at now: MonotonicInstant, isNews: Bool, looksSoon: Bool
    ) -> [Action] {
        var missing = Missing(history: history)
        missing.history.announced = .lost
        // Nobody notices when a line is free again, or a device no longer hangs.
        missing.awaitsChange = fault.awaitsDevice && history.isWatched
        if !missing.awaitsChange {
            missing.retryAt = now + missing.history.backOff.next()
        } else if looksSoon {
            missing.retryAt = now + Missing.firstLook
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
