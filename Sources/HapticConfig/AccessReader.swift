// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

/// Reads the table of what is kept to some users; what is left out is as `Privilege.isFreeByDefault` says.
struct AccessReader {
    private let accounts: Accounts
    private var rules = AccessRules()

    static let keys: [Key<Self>] = Privilege.allCases.map { privilege in
        .optional(
            privilege.rawValue, AccessListReader.form,
            default: privilege.isFreeByDefault ? "everyone" : "root and the user of the daemon", privilege.summary
        ) { $0.rules[privilege] = AccessListReader.list($1, $0.accounts) }
    }

    static func rules(_ reader: NodeReader, _ accounts: Accounts) -> AccessRules {
        var access = Self(accounts: accounts)
        _ = reader.read(keys, into: &access)
        return access.rules
    }
}

extension Privilege {
    fileprivate var summary: String {
        switch self {
        case .reload: "`reload`, with the errors of a file that cannot be used"
        case .cancelAll: "`cancel` of all, and of a single playback of another user"
        case .profile: "setting the profile"
        case .settings: "changing user settings: strengths, quiet hours, `off` and the profile"
        case .history: "the ids and values of other users, in `hapticctl why`, in `history` and on the monitor"
        case .speakFor: "the right to be believed about an `app`, and to send `hello`"
        case .classes: "naming the class `alarm`, which takes precedence over everything"
        case .conditions: "asserting a condition, which affects the feedback of every user"
        }
    }
}

private struct AccessListReader {
    let accounts: Accounts
    var list = AccessList()

    /// Names may be longer than those of any system.
    private static let name = Form<Text>.name(limit: 256)
    private static let names = Form<[NodeReader]>.list(of: name.unread, count: 1...64)

    static let form = Form<NodeReader>(.objectOfAny(keys.map(\.member))) { $0 }

    private static let keys: [Key<Self>] = [
        .optional("users", names, "the names of users") {
            $0.list.users = found($1, "user", $0.accounts.user) { "create it (`sudo useradd \($0)`)" }
        },
        .optional("groups", names, "the names of groups") {
            $0.list.groups = found($1, "group", $0.accounts.group) { "create it (`sudo groupadd --system \($0)`)" }
        },
    ]

    static func list(_ reader: NodeReader, _ accounts: Accounts) -> AccessList? {
        guard case .object(let members) = reader.node.content else {
            reader.failExpected("an object such as `{ users: [root] }`")
            return nil
        }
        if members.isEmpty {
            reader.fail("names nobody; give `users` or `groups` (`users: [root]` keeps it to root), or leave the key out")
        }
        var access = Self(accounts: accounts)
        return reader.read(keys, into: &access) ? access.list : nil
    }

    private static func found(
        _ entries: [NodeReader], _ kind: String, _ lookUp: (String) -> Accounts.Found, remedy: (String) -> String
    ) -> [Account] {
        entries.compactMap { entry in
            guard let name = name.read(entry)?.string else { return nil }
            switch lookUp(name) {
            case .id(let id): return Account(name: name, id: id)
            case .notLookedUp: return Account(name: name, id: nil)
            case .unknown: entry.fail("there is no \(kind) \(quoted(name)) here; \(remedy(name)), or take it out of the list")
            case .failed(let reason): entry.fail("the \(kind) \(quoted(name)) could not be looked up: \(reason); try again")
            }
            return nil
        }
    }
}
