// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// Who is connected, and what each of them may do.
struct ClientTable {
    /// By the configuration in force.
    private(set) var rights: Rights
    private var clients: [UInt64: Client] = [:]
    private var users = UserTable()
    var scopes = ScopeTable()
    /// Freed with the connection.
    var begunPlays = BegunPlays()
    private var lastConnection: UInt64 = 0

    init(_ rights: Rights) { self.rights = rights }

    var count: Int { clients.count }

    /// Nil where it is connected no more.
    func client(_ connection: UInt64) -> Client? { clients[connection] }

    mutating func connect(_ peer: Peer, at now: MonotonicInstant) -> Client {
        lastConnection += 1
        let client = Client(connection: lastConnection, peer: peer, user: users.connect(peer.user, at: now))
        client.identity = rights.identity(of: client)
        clients[lastConnection] = client
        return client
    }

    /// False where it was not connected.
    mutating func disconnect(_ client: Client, at now: MonotonicInstant) -> Bool {
        guard clients.removeValue(forKey: client.connection) != nil else { return false }
        begunPlays.forget(client.connection)
        if case .scoped(let scope) = client.greeting { scopes.leave(scope.name, of: client.peer.user) }
        users.disconnect(client.user, at: now)
        return true
    }

    /// Why another connection of `user` is refused under `bounds`; nil: it is not.
    func refusal(ofUser user: UInt32, _ bounds: ClientBounds) -> Refusal? {
        if let most = bounds.clientsPerUser, users.connections(of: user) >= most {
            // Where the user has all there are, it is the bound on all that counts.
            if most < bounds.clients { return Refusal(cause: .bound(.clientsPerUser), most: most) }
        }
        return count >= bounds.clients ? Refusal(cause: .bound(.clients), most: bounds.clients) : nil
    }

    /// `client` speaks for `scope` from now on.
    func begin(_ client: Client, as scope: ClientScope) {
        client.greeting = .scoped(scope)
        client.identity = rights.identity(of: client)
    }

    /// `rights` are in force from now on.
    mutating func change(_ rights: Rights) {
        self.rights = rights
        for client in clients.values { client.identity = rights.identity(of: client) }
    }
}

/// What all connections of one user have in common.
final class ConnectedUser {
    let id: UInt32
    fileprivate(set) var connections = 0
    var budget = RequestBudget()

    fileprivate init(_ id: UInt32) { self.id = id }
}

/// The users who are connected, and those who were and whose budget is not full again: hanging up does not fill a budget.
///
/// No more than there are connections and `mostGone`. Nobody waits longer than the second that refilling takes.
struct UserTable {
    static let mostGone = 256

    private var users: [UInt32: ConnectedUser] = [:]
    /// Without a connection, in the order in which they went.
    private var gone: [ConnectedUser] = []

    var count: Int { users.count }

    func connections(of id: UInt32) -> Int { users[id]?.connections ?? 0 }

    mutating func connect(_ id: UInt32, at now: MonotonicInstant) -> ConnectedUser {
        forgetGone(at: now)
        let user = users[id] ?? ConnectedUser(id)
        users[id] = user
        if user.connections == 0 { gone.removeAll { $0 === user } }
        user.connections += 1
        return user
    }

    mutating func disconnect(_ user: ConnectedUser, at now: MonotonicInstant) {
        user.connections -= 1
        if user.connections == 0 { gone.append(user) }
        forgetGone(at: now)
    }

    private mutating func forgetGone(at now: MonotonicInstant) {
        guard !gone.isEmpty else { return }
        let tooMany = gone.count - Self.mostGone
        let forgotten = gone.enumerated().filter { $0.offset < tooMany || $0.element.budget.isFull(at: now) }.map(\.element)
        guard !forgotten.isEmpty else { return }
        for user in forgotten { users[user.id] = nil }
        gone.removeAll { users[$0.id] == nil }
    }
}
