// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// What each client may do, by the access rules of a configuration.
struct Rights {
    private let access: AccessRules
    /// The user that the daemon runs as, who may do everything.
    let ownUser: UInt32

    init(_ access: AccessRules, ownUser: UInt32) { (self.access, self.ownUser) = (access, ownUser) }

    /// A connection with a scope has the rights of a user whom the configuration does not name, whoever its door is.
    func has(_ privilege: Privilege, _ client: Client) -> Bool {
        guard client.isScoped else { return may(privilege, client.peer) }
        return privilege.isFreeByDefault && access.allowed(privilege) == nil
    }

    /// Whether the user may, whatever the connection has said.
    private func may(_ privilege: Privilege, _ peer: Peer) -> Bool {
        if isOwn(peer) { return true }
        guard let (allowed, _) = access.allowed(privilege) else { return privilege.isFreeByDefault }
        return allowed.admits(user: peer.user, groups: peer.groups)
    }

    /// Whether it is root's or the daemon's own user's, who may do everything.
    func isOwn(_ client: Client) -> Bool { !client.isScoped && isOwn(client.peer) }

    private func isOwn(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == ownUser }

    /// Whether `client` may see what is wrong with a configuration, which quotes it: the daemon reads files that others may not.
    /// Whoever may reload only because nobody is named may not.
    func seesConfiguration(_ client: Client) -> Bool {
        guard !client.isScoped else { return false }
        return isOwn(client) || access[.reload]?.admits(user: client.peer.user, groups: client.peer.groups) == true
    }

    /// The identity of `client`, with its rights. It changes at `hello` and with each reload.
    func identity(of client: Client) -> ClientIdentity {
        var identity = ClientIdentity(
            connection: client.connection, user: client.peer.user, process: client.peer.process,
            mayEndOthers: has(.cancelAll, client),
            // The app of a scope is the word of its door.
            maySpeakFor: may(.speakFor, client.peer), mayAlarm: has(.classes, client))
        if case .scoped(let scope) = client.greeting { identity.scope = scope.number }
        return identity
    }

    /// The refusal of a request for want of `privilege`.
    func refusal(of privilege: Privilege, isScoped: Bool) -> Refusal {
        let allowed = access.allowed(privilege)
        return Refusal(
            cause: .access(allowed?.by ?? privilege), allowed: allowed?.list ?? AccessList(), asked: privilege, isScoped: isScoped
        )
    }
}

extension ClientBounds {
    /// Counts a request of `client`, or what stands for one; the refusal where it is one too many.
    func charge(_ client: Client, at now: MonotonicInstant) -> Refusal? {
        guard requestsPerClient != nil || requestsPerUser != nil else { return nil }
        if let rate = requestsPerClient, let wait = client.budget.wait(for: rate, at: now) {
            client.isOverRate = true
            return Refusal(cause: .bound(.requestsPerClient), most: rate, wait: wait)
        }
        if let rate = requestsPerUser, let wait = client.user.budget.wait(for: rate, at: now) {
            client.isOverRate = true
            return Refusal(cause: .bound(.requestsPerUser), most: rate, wait: wait)
        }
        if let rate = requestsPerClient { client.budget.take(of: rate, at: now) }
        if let rate = requestsPerUser { client.user.budget.take(of: rate, at: now) }
        return nil
    }
}

extension EngineBounds {
    /// The refusal of what `bound` does not allow.
    func refusal(by bound: Bound) -> Refusal { Refusal(cause: .bound(bound), most: self[bound]) }

    /// How much `bound` allows; 0 where it is none of the engine's, or off.
    private subscript(_ bound: Bound) -> Int {
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
