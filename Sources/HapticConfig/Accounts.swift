// SPDX-License-Identifier: MIT
private import Glibc

/// The users and groups of a system, by name. To look one up may block: not for the event loop.
public struct Accounts: Sendable {
    public enum Found: Hashable, Sendable {
        case id(UInt32)
        case unknown
        /// Why it is not known whether there is one.
        case failed(String)
        /// Nobody asked.
        case notLookedUp
    }

    public let user: @Sendable (String) -> Found
    public let group: @Sendable (String) -> Found

    public init(user: @escaping @Sendable (String) -> Found, group: @escaping @Sendable (String) -> Found) {
        self.user = user
        self.group = group
    }

    /// Those of this machine: of its files, and of whatever else its name service knows.
    public static let system = Accounts(
        user: { name in
            found { buffer, size in
                var (entry, result) = (passwd(), UnsafeMutablePointer<passwd>?.none)
                let error = getpwnam_r(name, &entry, buffer, size, &result)
                return (error, result == nil ? nil : .id(entry.pw_uid))
            }
        },
        group: { name in
            found { buffer, size in
                var (entry, result) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
                let error = getgrnam_r(name, &entry, buffer, size, &result)
                return (error, result == nil ? nil : .id(entry.gr_gid))
            }
        })

    /// For a file that may be another machine's: every name is taken as it is.
    public static let notLookedUp = Accounts(user: { _ in .notLookedUp }, group: { _ in .notLookedUp })

    /// The name of the user `id` of this machine; nil where it has none. May block.
    public static func name(ofUser id: UInt32) -> String? {
        var name: String?
        _ = found { buffer, size in
            var (entry, result) = (passwd(), UnsafeMutablePointer<passwd>?.none)
            let error = getpwuid_r(id, &entry, buffer, size, &result)
            // The name is in the buffer.
            if result != nil { name = String(cString: entry.pw_name) }
            return (error, result == nil ? nil : .id(id))
        }
        return name
    }

    /// The name of the group `id` of this machine; nil where it has none. May block.
    public static func name(ofGroup id: UInt32) -> String? {
        var name: String?
        _ = found { buffer, size in
            var (entry, result) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
            let error = getgrgid_r(id, &entry, buffer, size, &result)
            if result != nil { name = String(cString: entry.gr_name) }
            return (error, result == nil ? nil : .id(id))
        }
        return name
    }

    /// Room for an entry: the one of a group holds the names of all its members.
    private static let rooms = [16 * 1024, 256 * 1024, 4 * 1024 * 1024]

    /// What `look` finds, which is given more room where it needs it.
    private static func found(_ look: (UnsafeMutablePointer<CChar>, Int) -> (error: CInt, found: Found?)) -> Found {
        var error: CInt = 0
        for room in rooms {
            var buffer = [CChar](repeating: 0, count: room)
            // trap: an array that is not empty has one.
            let result = buffer.withUnsafeMutableBufferPointer { look($0.baseAddress!, room) }
            if let found = result.found { return found }
            error = result.error
            guard error == ERANGE else { break }
        }
        // "Or similar", says the manual of those that mean that there is none.
        return [0, ENOENT, ESRCH].contains(error) ? .unknown : .failed(String(cString: strerror(error)))
    }
}
