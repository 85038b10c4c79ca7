// SPDX-License-Identifier: MIT

/// What can be kept to some users, by its key in the configuration.
public enum Privilege: String, CaseIterable, Hashable, Sendable {
    case reload
    /// To cancel what others play: all of it, or one playback.
    case cancelAll
    /// To set the profile; to ask for it is free.
    case profile
    /// To see the ids and values of other users: in the history, and in notifications of decisions. Unlike the others it is
    /// kept to root and the daemon's user where nothing is configured.
    case history

    /// Whether everyone may where nothing is configured.
    public var isFreeByDefault: Bool { self != .history }
}

/// A user or a group of the system.
public struct Account: Hashable, Sendable {
    public var name: String
    /// Nil where it has not been looked up: then nobody is it.
    public var id: UInt32?

    public init(name: String, id: UInt32?) {
        self.name = name
        self.id = id
    }
}

/// Users and groups. Names at least one.
public struct AccessList: Hashable, Sendable {
    public var users: [Account]
    public var groups: [Account]

    public init(users: [Account] = [], groups: [Account] = []) {
        self.users = users
        self.groups = groups
    }

    public func admits(user: UInt32, groups member: [UInt32]) -> Bool {
        users.contains { $0.id == user } || groups.contains { group in group.id.map(member.contains) ?? false }
    }
}

/// Who may do what. Root and the daemon's own user always may.
public struct AccessRules: Hashable, Sendable {
    private var lists: [Privilege: AccessList] = [:]

    /// Nothing is configured.
    public init() {}

    /// Nil: not configured, see `Privilege.isFreeByDefault`.
    public subscript(_ privilege: Privilege) -> AccessList? {
        get { lists[privilege] }
        set { lists[privilege] = newValue }
    }
}
