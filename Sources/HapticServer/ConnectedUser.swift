// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine

/// What all connections of one user have in common. On the event loop.
final class ConnectedUser {
    let id: UInt32
    fileprivate(set) var connections = 0
    var budget = RequestBudget()
    /// Bytes that are kept for its connections, see `Backlog.bytes`.
    var unread = 0

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
