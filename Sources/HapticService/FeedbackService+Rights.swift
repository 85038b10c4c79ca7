// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
public import HapticWire

/// Who may connect, how much they may ask for, and what is kept to some.
extension FeedbackService {
    /// Why another connection of `user` is refused; nil: it is not.
    func refusalOfConnection(user: UInt32) -> Refusal? {
        let bounds = configuration.clientBounds
        if let most = bounds.clientsPerUser, clients.connections(of: user) >= most {
            // Where the user has all there are, it is the bound on all that counts.
            if most < bounds.clients { return Refusal(cause: .bound(.clientsPerUser), most: most) }
        }
        return clients.count >= bounds.clients ? Refusal(cause: .bound(.clients), most: bounds.clients) : nil
    }

    /// Counts a request of `client`, or what stands for one; the error where it is one too many.
    public func charge(_ client: Client, at now: MonotonicInstant) -> WireError? {
        let bounds = configuration.clientBounds
        guard bounds.hasRates else { return nil }
        if let rate = bounds.requestsPerClient, let wait = client.budget.wait(for: rate, at: now) {
            return overRate(client, Refusal(cause: .bound(.requestsPerClient), most: rate, wait: wait), at: now)
        }
        if let rate = bounds.requestsPerUser, let wait = client.user.budget.wait(for: rate, at: now) {
            return overRate(client, Refusal(cause: .bound(.requestsPerUser), most: rate, wait: wait), at: now)
        }
        if let rate = bounds.requestsPerClient { client.budget.take(of: rate, at: now) }
        if let rate = bounds.requestsPerUser { client.user.budget.take(of: rate, at: now) }
        return nil
    }

    /// The same for a line that cannot be read. It may have been a part of a set, which is not to be taken without it.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line.
    ///   - client: The client whose line it is.
    ///   - fault: The reason why it cannot be read.
    ///   - now: The time.
    public func chargeUnusable(_ line: [UInt8], of client: Client, _ fault: WireError, at now: MonotonicInstant) -> WireError? {
        client.noteUnreadable(line, fault)
        let error = charge(client, at: now)
        client.miss(PresentGap(reason: error == nil ? .invalidParams : .quota, name: nil, continues: nil))
        let missed = error ?? WireError(.parse, "a line could not be read")
        clients.begunPlays.mayHaveMissed(for: missed, of: client.connection)
        return error
    }

    private func overRate(_ client: Client, _ refusal: Refusal, at now: MonotonicInstant) -> WireError {
        client.isOverRate = true
        return refused(refusal, to: client.peer.user, at: now)
    }

    /// A connection with a scope has the rights of a user whom the configuration does not name, whoever its door is.
    func has(_ privilege: Privilege, _ client: Client) -> Bool {
        guard client.isScoped else { return may(privilege, client.peer) }
        return privilege.isFreeByDefault && configuration.access.allowed(privilege) == nil
    }

    /// Whether the user may, whatever the connection has said.
    private func may(_ privilege: Privilege, _ peer: Peer) -> Bool {
        if isOwn(peer) { return true }
        guard let (allowed, _) = configuration.access.allowed(privilege) else { return privilege.isFreeByDefault }
        return allowed.admits(user: peer.user, groups: peer.groups)
    }

    /// Whether it is root's or the daemon's own user's, who may do everything.
    func isOwn(_ client: Client) -> Bool { !client.isScoped && isOwn(client.peer) }

    private func isOwn(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == daemon.user }

    /// Whether `client` may see what is wrong with a configuration, which quotes it: the daemon reads files that others may not.
    /// Whoever may reload only because nobody is named may not.
    func seesConfiguration(_ client: Client) -> Bool {
        guard !client.isScoped else { return false }
        return isOwn(client) || configuration.access[.reload]?.admits(user: client.peer.user, groups: client.peer.groups) == true
    }

    /// Whether `client` may see ids and values of other owners.
    public func seesOthers(_ client: Client) -> Bool { has(.history, client) }

    /// The identity of `client`, with its rights under the configuration in force. It changes at `hello` and with each reload.
    func identity(of client: Client) -> ClientIdentity {
        var identity = ClientIdentity(
            connection: client.connection, user: client.peer.user, process: client.peer.process,
            mayEndOthers: has(.cancelAll, client),
            // The app of a scope is the word of its door.
            maySpeakFor: may(.speakFor, client.peer), mayAlarm: has(.classes, client))
        if case .scoped(let scope) = client.greeting { identity.scope = scope.number }
        return identity
    }

    /// `client` speaks for `scope` from now on.
    func begin(_ client: Client, as scope: ClientScope) {
        client.greeting = .scoped(scope)
        client.identity = identity(of: client)
    }

    // MARK: What is refused

    /// The engine has refused what `client` asked for.
    func refused(by bound: Bound, _ client: ClientIdentity, at now: MonotonicInstant) {
        refused(Refusal(cause: .bound(bound), most: configuration.engine.bounds[bound]), to: client.user, at: now)
    }

    /// `privilege` is wanting.
    @discardableResult
    func refused(_ privilege: Privilege, to user: UInt32, isScoped: Bool = false, at now: MonotonicInstant) -> WireError {
        let allowed = configuration.access.allowed(privilege)
        let refusal = Refusal(
            cause: .access(allowed?.by ?? privilege), allowed: allowed?.list ?? AccessList(), asked: privilege, isScoped: isScoped
        )
        return refused(refusal, to: user, at: now)
    }

    /// `client` is closed: with it, more than `most` bytes wait for clients that do not read.
    public func refusedBacklog(of client: Client, most: Int, at now: MonotonicInstant) {
        refused(Refusal(cause: .backlog, most: most), to: client.peer.user, at: now)
    }

    /// Counts `refusal`, has it logged where it is news, and returns it as an error.
    @discardableResult
    func refused(_ refusal: Refusal, to user: UInt32, at now: MonotonicInstant) -> WireError {
        outputs.append(refusals.refused(refusal, to: user, at: now))
        return refusal.error(user: user)
    }
}

extension ClientBounds {
    fileprivate var hasRates: Bool { requestsPerClient != nil || requestsPerUser != nil }
}

extension EngineBounds {
    /// How much `bound` allows; 0 where it is none of the engine's, or off.
    fileprivate subscript(_ bound: Bound) -> Int {
        switch bound {
        case .sources: sources
        case .sourcesPerUser: sourcesPerUser
        case .sourcesPerClient: sourcesPerClient ?? 0
        case .things: things
        case .thingsPerUser: thingsPerUser
        case .playbacks: playbacks
        case .playbacksPerUser: playbacksPerUser ?? 0
        case .playbacksPerClient: playbacksPerClient ?? 0
        case .clients, .clientsPerUser, .requestsPerClient, .requestsPerUser: 0
        }
    }
}

extension WireError {
    static let shuttingDown = WireError(.shuttingDown, "hapticd is stopping; try again once it is back")
}
