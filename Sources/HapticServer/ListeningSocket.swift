// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc

/// The daemon's listening socket and, where the path is ours, the lock on it. May block; not for the event loop.
///
/// The lock is a file beside the socket that stays when the daemon ends: removing it would let two daemons hold locks on
/// two files of one name.
public final class ListeningSocket: Sendable {
    /// Bound and listening; whoever serves it closes it.
    public let descriptor: CInt
    /// Nil for an inherited one.
    public let path: String?
    /// What was not as the configuration wants it.
    public let warnings: [String]
    private let lock: CInt?
    private let identity: FileIdentity?

    private struct FileIdentity: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    public init(_ place: SocketPlace, access: SocketAccess) throws(SocketError) {
        switch place {
        case .inherited(let descriptor):
            guard Self.isListening(descriptor) else { throw .notASocketToInherit(descriptor: descriptor) }
            self.descriptor = descriptor
            (path, warnings, lock, identity) = (nil, [], nil, nil)
        case .path(let path, let makesDirectory):
            guard path.utf8.count <= SocketError.longestPath else { throw .pathTooLong(path) }
            if makesDirectory { try Self.makeDirectory(of: path) }
            // Before a lock is left beside what is no socket.
            guard Self.mayBeSocket(path) else { throw .notASocket(path: path) }
            let lock = try Self.lock(path)
            do throws(SocketError) {
                try Self.removeStale(path)
                (descriptor, identity, warnings) = try Self.listen(path, access)
            } catch {
                close(lock)
                throw error
            }
            self.lock = lock
            self.path = path
        }
    }

    deinit {
        if let lock { close(lock) }
    }

    /// Removes the file, where it is still the one that was made here. Does not close the descriptor.
    public func remove() {
        guard let path, let identity, Self.identity(of: path) == identity else { return }
        unlink(path)
    }

    // MARK: Steps

    private static func makeDirectory(of path: String) throws(SocketError) {
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
        throw .last("mkdir", directory)
    }

    /// Held until the process ends, however it ends.
    private static func lock(_ path: String) throws(SocketError) -> CInt {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .unusableDirectory(of: path, isMissing: true)
            case EACCES, EROFS: throw .unusableDirectory(of: path, isMissing: false)
            default: throw .last("open", lockPath)
            }
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
        let code = errno
        close(descriptor)
        if code == EWOULDBLOCK { throw .inUse(path: path) }
        throw .failed("flock", lockPath, code)
    }

    /// Whether there is a socket, or nothing yet, as far as can be seen.
    private static func mayBeSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK
    }

    /// With the lock held, a socket that nobody listens on is of a daemon that has died.
    private static func removeStale(_ path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .last("lstat", path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .last("socket", path) }
        defer { close(probe) }
        // Anything but a refusal means that someone is there, with a full queue perhaps.
        let isRefused = withAddress(of: path) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
        guard isRefused else { throw .inUse(path: path) }
        guard unlink(path) == 0 else { throw .last("unlink", path) }
    }

    /// Nobody can connect before `listen`, so mode and group are in force from the first moment.
    private static func listen(_ path: String, _ access: SocketAccess) throws(SocketError) -> (CInt, FileIdentity, [String]) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last("socket", path) }
        var bound: FileIdentity?
        do throws(SocketError) {
            guard withAddress(of: path, { bind(descriptor, $0, $1) }) == 0 else { throw .last("bind", path) }
            // From here on the file itself is held: where others may write in the directory they could put another one, or a
            // link, in its place.
            let file = clinux_open_node(path)
            guard file >= 0 else { throw .failed("open", path, -file) }
            defer { close(file) }
            let identity = try identity(ofSocket: file, path)
            bound = identity
            let warnings = try giveToGroup(file, path, access)
            guard chmod(node(file), mode_t(access.mode)) == 0 else { throw .last("chmod", path) }
            guard Glibc.listen(descriptor, SOMAXCONN) == 0 else { throw .last("listen", path) }
            return (descriptor, identity, warnings)
        } catch {
            if let bound, Self.identity(of: path) == bound { unlink(path) }
            close(descriptor)
            throw error
        }
    }

    /// A name of the file that is open, for calls that take no descriptor of a file that is not open for reading, which a
    /// socket's cannot be.
    private static func node(_ file: CInt) -> String { "/proc/self/fd/\(file)" }

    private static func giveToGroup(_ file: CInt, _ path: String, _ access: SocketAccess) throws(SocketError) -> [String] {
        guard let group = groupID(access.group) else {
            if access.isGroupRequired { throw .noGroup(access.group) }
            return ["the group `\(access.group)` does not exist, so \(path) stays with the daemon's own group"]
        }
        if chown(node(file), uid_t.max, group) == 0 { return [] }
        if access.isGroupRequired { throw .last("chown to the group `\(access.group)`", path) }
        return ["\(path) stays with the daemon's own group: the daemon is not a member of `\(access.group)`"]
    }

    private static func groupID(_ name: String) -> gid_t? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 64 * 1024)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }

    private static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Of what was bound just now: a socket of this user that has no other name. Anything else was put there by others, and is
    /// left alone.
    private static func identity(ofSocket file: CInt, _ path: String) throws(SocketError) -> FileIdentity {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last("stat", path) }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid(), status.st_nlink == 1 else {
            throw .notASocket(path: path)
        }
        return FileIdentity(status)
    }

    private static func isListening(_ descriptor: CInt) -> Bool {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN) == 1
    }

    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}

extension SocketError {
    fileprivate static func last(_ call: String, _ path: String) -> SocketError { .failed(call, path, errno) }

    fileprivate static func failed(_ call: String, _ path: String, _ code: Int32) -> SocketError {
        .system(call: call, path: path, errno: code, message: String(cString: strerror(code)))
    }
}
