// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// Who is connected, and who of them is notified of anything.
struct ClientTable {
    private var clients: [UInt64: Client] = [:]
    private var users = UserTable()
    var scopes = ScopeTable()
    /// Freed with the connection.
    var begunPlays = BegunPlays()
    /// In the order in which they became that: few, where the clients are many.
    private(set) var subscribers: [Client] = []
    /// What any of them is notified of.
    private(set) var wantedTopics: Set<Topic> = []
    /// The subscribers of each topic.
    private var subscriptions: [Topic: Int] = [:]
    private var lastConnection: UInt64 = 0

    var count: Int { clients.count }
    /// In no order.
    var all: some Sequence<Client> { clients.values }

    func connections(of user: UInt32) -> Int { users.connections(of: user) }

    /// Nil where it is connected no more.
    func client(_ connection: UInt64) -> Client? { clients[connection] }

    mutating func connect(_ peer: Peer, at now: MonotonicInstant) -> Client {
        lastConnection += 1
        let client = Client(connection: lastConnection, peer: peer, user: users.connect(peer.user, at: now))
        clients[lastConnection] = client
        return client
    }

    /// False where it was not connected.
    mutating func disconnect(_ client: Client, at now: MonotonicInstant) -> Bool {
        guard clients.removeValue(forKey: client.connection) != nil else { return false }
        begunPlays.forget(client.connection)
        if !client.topics.isEmpty { subscribe(client, to: []) }
        if case .scoped(let scope) = client.greeting { scopes.leave(scope.name, of: client.peer.user) }
        users.disconnect(client.user, at: now)
        return true
    }

    mutating func subscribe(_ client: Client, to topics: Set<Topic>) {
        if topics.isEmpty {
            subscribers.removeAll { $0 === client }
        } else if client.topics.isEmpty {
            subscribers.append(client)
        }
        for topic in topics.symmetricDifference(client.topics) {
            let count = (subscriptions[topic] ?? 0) + (topics.contains(topic) ? 1 : -1)
            subscriptions[topic] = count
            if count > 0 { wantedTopics.insert(topic) } else { wantedTopics.remove(topic) }
        }
        client.topics = topics
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
