// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

/// Reads the table of what is kept to some users; what is left out is everyone's.
struct AccessReader {
    private static let most = 64
    /// Longer than any system's names.
    private static let longestName = 256

    let accounts: Accounts

    func rules(_ reader: NodeReader) -> AccessRules {
        var rules = AccessRules()
        let _: Bool? = reader.object { fields in
            for privilege in Privilege.allCases {
                guard let field = fields.optional(privilege.rawValue) else { continue }
                rules[privilege] = list(field)
            }
            return true
        }
        return rules
    }

    private func list(_ reader: NodeReader) -> AccessList? {
        guard case .object = reader.node.content else {
            reader.failExpected("an object such as `{ users: [root] }`")
            return nil
        }
        return reader.object { fields in
            if fields.isEmpty {
                fields.fail("names nobody; give `users` or `groups` (`users: [root]` keeps it to root), or leave the key out")
            }
            return AccessList(
                users: accounts(fields.optional("users"), "user", accounts.user) { "create it (`sudo useradd \($0)`)" },
                groups: accounts(fields.optional("groups"), "group", accounts.group) {
                    "create it (`sudo groupadd --system \($0)`)"
                }
            )
        }
    }

    private func accounts(
        _ field: NodeReader?, _ kind: String, _ lookUp: (String) -> Accounts.Found, remedy: (String) -> String
    ) -> [Account] {
        (field?.list(count: 1...Self.most) ?? []).compactMap { entry in
            guard let name = entry.name(limit: Self.longestName)?.string else { return nil }
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
