// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire
internal import NIOCore

/// Who may connect, how much they may ask for, and what is kept to some.
extension FeedbackService {
    /// Connections that were refused and have not been closed yet, so that the client gets to read why. More are closed at once:
    /// descriptors are kept for those who are served.
    static let mostLingering = 32

    /// Why another connection of `user` is refused; nil: it is not.
    func refusalOfConnection(user: UInt32) -> Refusal? {
        let bounds = configuration.clientBounds
        if let most = bounds.clientsPerUser, users.connections(of: user) >= most {
            // Where the user has all there are, it is the bound on all that counts.
            if most < bounds.clients { return Refusal(cause: .bound(.clientsPerUser), most: most) }
        }
        return sessions.count >= bounds.clients ? Refusal(cause: .bound(.clients), most: bounds.clients) : nil
    }

    /// Counts a request of `session`; the error where it is one too many, which is then told and counted.
    func spend(_ session: Session) -> WireError? {
        guard hasRates else { return nil }
        let (bounds, now) = (configuration.clientBounds, now())
        if let rate = bounds.requestsPerClient, let wait = session.budget.wait(for: rate, at: now) {
            return overRate(session, Refusal(cause: .bound(.requestsPerClient), most: rate, wait: wait))
        }
        if let rate = bounds.requestsPerUser, let wait = session.user.budget.wait(for: rate, at: now) {
            return overRate(session, Refusal(cause: .bound(.requestsPerUser), most: rate, wait: wait))
        }
        if let rate = bounds.requestsPerClient { session.budget.take(of: rate, at: now) }
        if let rate = bounds.requestsPerUser { session.user.budget.take(of: rate, at: now) }
        return nil
    }

    private func overRate(_ session: Session, _ refusal: Refusal) -> WireError {
        session.isOverRate = true
        return refused(refusal, to: session.user.id)
    }

    /// Throws where `call` is kept to others.
    func checkAccess(_ call: Call, of session: Session) throws(WireError) {
        guard let privilege = privilege(for: call, of: session), !has(privilege, session) else { return }
        throw refused(privilege, to: session.user.id)
    }

    private func has(_ privilege: Privilege, _ session: Session) -> Bool {
        guard let allowed = configuration.access[privilege] else { return true }
        let user = session.user.id
        return user == 0 || user == ownUser || allowed.admits(user: user, groups: session.peer.groups)
    }

    /// Who `session` is, with what the configuration in force lets it do.
    func identity(of session: Session) -> ClientIdentity {
        var client = session.client
        client.mayEndOthers = has(.cancelAll, session)
        return client
    }

    /// Counts and tells a refusal for want of `privilege`.
    @discardableResult
    func refused(_ privilege: Privilege, to user: UInt32) -> WireError {
        refused(Refusal(cause: .access(privilege), allowed: configuration.access[privilege] ?? AccessList()), to: user)
    }

    /// What `call` needs beside the connection.
    private func privilege(for call: Call, of session: Session) -> Privilege? {
        switch call {
        case .progress, .release, .event, .play, .prepare, .patterns, .actuators, .subscribe, .status, .discover: return nil
        case .reload: return .reload
        case .profile(let params): return params.set == nil ? nil : .profile
        case .cancel(let params):
            switch params.target {
            case .source: return nil
            case .all: return .cancelAll
            // Or one could cancel all of them, one after the other.
            case .playback(let playback):
                let owner = loop.engine.user(of: playback)
                return owner == nil || owner == session.user.id ? nil : .cancelAll
            }
        }
    }

    /// Counts and tells a refusal by the engine.
    func refused(by bound: Bound, _ client: ClientIdentity) {
        refused(Refusal(cause: .bound(bound), most: configuration.engine.bounds[bound]), to: client.user)
    }

    /// Counts `refusal`, has it logged where it is news, and returns it as an error.
    @discardableResult
    func refused(_ refusal: Refusal, to user: UInt32) -> WireError {
        statistics.refused[refusal.cause, default: 0] += 1
        let now = now()
        tell(refusals.refused(refusal, to: user, at: now))
        scheduleRefusals(at: now)
        return refusal.error(user: user)
    }

    private func tell(_ notices: [RefusalNotice]) {
        for notice in notices { onRefusal?(notice) }
    }

    /// Wakes up when something that was refused may be over; sleeps for good where nothing was.
    private func scheduleRefusals(at now: MonotonicInstant) {
        guard refusalTimer == nil, refusals.nextDeadline < .distantFuture else { return }
        let delay = max(.zero, refusals.nextDeadline - now)
        refusalTimer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(delay.count)) { [weak self] in
            guard let self else { return }
            refusalTimer = nil
            let now = self.now()
            tell(refusals.advance(to: now))
            scheduleRefusals(at: now)
        }
    }

    /// What was refused, in the order of the configuration's keys.
    func refusedCounts() -> [StatusResult.Refused] {
        let causes = Bound.allCases.map { Refusal.Cause.bound($0) } + Privilege.allCases.map { .access($0) } + [.backlog]
        return causes.compactMap { cause in statistics.refused[cause].map { .init(by: cause.key, count: $0) } }
    }
}

extension ClientBounds {
    var hasRates: Bool { requestsPerClient != nil || requestsPerUser != nil }
}

extension EngineBounds {
    /// How much `bound` allows; 0 where it is none of the engine's, or off.
    fileprivate subscript(_ bound: Bound) -> Int {
        switch bound {
        case .sources: sources
        case .sourcesPerUser: sourcesPerUser
        case .sourcesPerClient: sourcesPerClient ?? 0
        case .playbacks: playbacks
        case .playbacksPerUser: playbacksPerUser ?? 0
        case .playbacksPerClient: playbacksPerClient ?? 0
        case .clients, .clientsPerUser, .requestsPerClient, .requestsPerUser: 0
        }
    }
}

extension Call {
    /// Who an input is about, what it is named and which app it is of, for a decision on one that is not looked into any further.
    var subject: (source: String?, name: String?, app: String?) {
        switch self {
        case .progress(let params): (params.id, nil, params.app)
        case .release(let params): (params.id, nil, params.app)
        case .event(let params): (params.id, params.name, params.app)
        case .play(let params): (params.id, nil, params.app)
        default: (nil, nil, nil)
        }
    }
}

extension WireError {
    static let shuttingDown = WireError(.shuttingDown, "hapticd is stopping; try again once it is back")
}
