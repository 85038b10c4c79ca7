// SPDX-License-Identifier: MIT

/// Where the daemon listens.
public enum SocketPlace: Hashable, Sendable {
    /// A socket of ours at this path. Its directory is made where it is missing and `makesDirectory` says so.
    case path(String, makesDirectory: Bool)
    /// One that was made for us (systemd's socket activation): it is never changed or removed.
    case inherited(descriptor: CInt)

    /// The first descriptor that is handed over by socket activation.
    public static let firstInherited: CInt = 3

    // by characters: the environment is the owner's.
    /// In order: `explicit`, an inherited descriptor, `configured`, `$RUNTIME_DIRECTORY`, the system's place if root, the user's.
    /// `inherited`: how many descriptors were handed over.
    public static func choose(
        explicit: String?, inherited: Int = 0, configured: String? = nil, environment: [String: String], isRoot: Bool
    ) throws(SocketError) -> SocketPlace {
        if let explicit { return .path(explicit, makesDirectory: false) }
        if inherited > 0 {
            guard inherited == 1 else { throw .tooManyInherited(inherited) }
            return .inherited(descriptor: firstInherited)
        }
        if let configured { return .path(configured, makesDirectory: false) }
        // systemd separates several directories by colons; ours is the first.
        if let directory = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first {
            return .path("\(directory)/hapticd.sock", makesDirectory: false)
        }
        if isRoot { return .path("/run/hapticd/hapticd.sock", makesDirectory: true) }
        guard let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty else { throw .noPlace }
        return .path("\(directory)/hapticd/hapticd.sock", makesDirectory: true)
    }
}

/// Why the daemon cannot listen.
public enum SocketError: Error, Hashable, Sendable {
    case noPlace
    case tooManyInherited(Int)
    /// The descriptor is not a listening Unix stream socket.
    case notASocketToInherit(descriptor: CInt)
    case pathTooLong(String)
    /// Another daemon listens there.
    case inUse(path: String)
    /// Something that is not a socket; it is never removed.
    case notASocket(path: String)
    case noGroup(String)
    /// The directory of the socket is not there, or nothing can be made in it.
    case unusableDirectory(of: String, isMissing: Bool)
    case system(call: String, path: String, errno: Int32, message: String)

    /// Bytes of a path that fit into a socket address, beside its final zero.
    public static let longestPath = 107
}

extension SocketError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPlace: "there is no place for the socket: $XDG_RUNTIME_DIR is not set; name one with --socket PATH"
        case .tooManyInherited(let count):
            "\(count) sockets were handed over, and hapticd serves one; leave one ListenStream= in hapticd.socket"
        case .notASocketToInherit(let descriptor):
            "the inherited descriptor \(descriptor) is not a listening Unix stream socket; hapticd.socket needs ListenStream= with a path"
        case .pathTooLong(let path):
            "the socket path \(path) is \(path.utf8.count) bytes long; at most \(Self.longestPath) are possible: choose a shorter one with --socket"
        case .inUse(let path):
            "another hapticd listens on \(path) already; stop it first, or choose another path with --socket"
        case .notASocket(let path):
            "\(path) exists and is not a socket, so it is left alone; move it away, or choose another path with --socket"
        case .unusableDirectory(let path, let isMissing):
            isMissing
                ? "the directory of \(path) does not exist; create it, or choose another path with --socket"
                : "the directory of \(path) is not writable for this user; choose another path with --socket"
        case .noGroup(let name):
            "the group `\(name)` of the socket does not exist; make it (`sudo groupadd --system \(name)`), or change `socket: { group: … }` in the configuration"
        case .system(let call, let path, _, let message):
            "\(call) of \(path) failed: \(message); choose another path with --socket"
        }
    }
}

/// Who may open the socket.
public struct SocketAccess: Hashable, Sendable {
    /// The permission bits.
    public var mode: UInt32
    public var group: String
    /// False: without the group, or the right to give the socket to it, it stays the daemon's own group's, with a warning.
    public var isGroupRequired: Bool

    public init(mode: UInt32, group: String, isGroupRequired: Bool) {
        self.mode = mode
        self.group = group
        self.isGroupRequired = isGroupRequired
    }

    public static let standard = SocketAccess(mode: 0o660, group: "haptics", isGroupRequired: false)
}
