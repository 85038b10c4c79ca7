// SPDX-License-Identifier: MIT

/// What can be kept to some users, by its key in the configuration.
public enum Privilege: String, CaseIterable, Hashable, Sendable {
    case reload
    /// To cancel what others play: all of it, or one playback.
    case cancelAll
    /// To set the profile; to ask for it is free.
    case profile
    /// To change whatever people set; to ask for it is free.
    case settings
    /// To see the ids and values of other users: in the history, and in notifications of decisions.
    case history
    /// To be believed about its app, and to speak for its own clients (`hello`). The settings of an app can only lower inputs of others that
    /// name it.
    case speakFor
    /// To name the class `alarm`.
    case classes
    /// To assert a condition, which affects the feedback of every user.
    case conditions

    /// Whether everyone may where nothing is configured; else only root and the daemon's user.
    public var isFreeByDefault: Bool { self != .history && self != .speakFor && self != .conditions }
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

    func adding(_ other: AccessList) -> AccessList {
        AccessList(users: users + other.users, groups: groups + other.groups)
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

    /// Who may, and the key that says so; nil: nothing says, see `Privilege.isFreeByDefault`.
    ///
    /// The profile is one of the settings: who may change them all may set it, too, and who is named for one of the two only is so for
    /// both.
    public func allowed(_ privilege: Privilege) -> (list: AccessList, by: Privilege)? {
        let own = lists[privilege].map { ($0, by: privilege) }
        switch privilege {
        case .profile:
            guard let own, let settings = lists[.settings] else { return own ?? lists[.settings].map { ($0, by: .settings) } }
            return (own.0.adding(settings), by: .profile)
        case .settings: return own ?? lists[.profile].map { ($0, by: .profile) }
        case .reload, .cancelAll, .history, .speakFor, .classes, .conditions: return own
        }
    }

    /// Nil: not configured.
    public subscript(_ privilege: Privilege) -> AccessList? {
        get { lists[privilege] }
        set { lists[privilege] = newValue }
    }
}
