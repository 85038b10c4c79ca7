// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// A folder of this daemon alone, held open and locked until it ends. All calls of the system for what is kept are here. May block.
final class StateFolder: Sendable {
    let path: String
    private let descriptor: CInt

    /// Makes it where it is missing; `makesParents`: those above it, too. Only this user may write in it; what this makes nobody else may
    /// even read. `patience`: how long it waits for another daemon to end.
    init(_ path: String, makesParents: Bool, patience: Nanoseconds) throws(StateFailure) {
        // With a slash behind it, a link would be followed.
        let path = path.removingSlashesAtItsEnd
        self.path = path
        if makesParents { try Self.makeParents(of: path) }
        if try !Self.make(path), errno != EEXIST { throw .last("mkdir", path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A link is no directory either.
            if errno == ENOTDIR || errno == ELOOP {
                throw .unusable(folder: path, why: "it is no folder, or a link to one; \(Self.remedy)")
            }
            throw .last("open", path)
        }
        do throws(StateFailure) {
            try check()
            try lock(patience)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    private static let remedy = "name another one with --state DIR"

    /// Whether it has been made, and its name is on the disk: else a power cut could take away with it what was stored in it. `errno`
    /// says why it has not.
    private static func make(_ path: String) throws(StateFailure) -> Bool {
        guard mkdir(path, 0o700) == 0 else { return false }
        let above = open("\(path)/..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Who may make a folder there need not be allowed to read what there is.
        if above < 0, errno == EACCES { return true }
        guard above >= 0 else { throw .last("open", "\(path)/..") }
        defer { close(above) }
        guard fsync(above) == 0 else { throw .last("fsync", "\(path)/..") }
        return true
    }

    /// What is wrong shows when the folder itself is made.
    private static func makeParents(of path: String) throws(StateFailure) {
        var end = path.utf8.startIndex
        while let slash = path.utf8[path.utf8.index(after: end)...].firstIndex(of: UInt8(ascii: "/")) {
            _ = try make(String(path[..<slash]))
            end = slash
        }
    }

    private func check() throws(StateFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("stat", path) }
        guard status.st_uid == geteuid() else {
            throw .unusable(folder: path, why: "it belongs to the user \(status.st_uid), not to \(geteuid()); \(Self.remedy)")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .unusable(folder: path, why: "others may write in it; take that away (`chmod go-w \(path)`), or \(Self.remedy)")
        }
    }

    /// The lock goes with the process, however that ends. A child that is being started has it for a moment, too.
    private func lock(_ patience: Nanoseconds) throws(StateFailure) {
        let pause = Nanoseconds.milliseconds(10)
        var waited = Nanoseconds.zero
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw .last("flock", path) }
            guard waited < patience else { throw .inUse(folder: path) }
            usleep(UInt32(pause.count / 1000))
            waited += pause
        }
    }

    // MARK: Reading

    enum Found: Hashable, Sendable {
        case nothing
        case bytes([UInt8])
        /// Why it cannot be read, or is not to be.
        case unusable(String)
    }

    /// A file of at most `limit` bytes. Throws where nobody can say what there is.
    func read(_ name: String, limit: Int) throws(StateFailure) -> Found {
        // Non-blocking, so that opening a FIFO does not wait for a writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            switch errno {
            case ENOENT: return .nothing
            case ELOOP: return .unusable("it is a symbolic link")
            // A socket.
            case ENXIO, ENODEV: return .unusable("it is not a regular file")
            // It may well be whole.
            default: throw .lastUnreadable(self[name])
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last("stat", self[name]) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unusable("it is not a regular file") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .lastUnreadable(self[name])
            }
            if count == 0 { return .bytes(bytes) }
            bytes += chunk[..<count]
            if bytes.count > limit { return .unusable("it has more than \(limit) bytes") }
        }
    }

    // MARK: Writing

    /// A new file, which is on the disk when this returns. Whatever had that name is gone; where this fails nothing has it.
    func create(_ name: String, _ bytes: [UInt8]) throws(StateFailure) {
        var file = make(name)
        if file < 0, errno == EEXIST {
            try remove(name)
            file = make(name)
        }
        guard file >= 0 else { throw .last("open", self[name]) }
        do throws(StateFailure) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR { throw .last("write", self[name]) }
                rest = rest.dropFirst(max(0, count))
            }
            guard fsync(file) == 0 else { throw .last("fsync", self[name]) }
        } catch {
            close(file)
            unlinkat(descriptor, name, 0)
            throw error
        }
        close(file)
    }

    private func make(_ name: String) -> CInt {
        openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }

    /// Takes the place of what is called `target`, if anything is.
    func rename(_ name: String, to target: String) throws(StateFailure) {
        guard renameat(descriptor, name, descriptor, target) == 0 else { throw .last("rename", self[name]) }
    }

    /// Nothing has this name any more; a folder only where it is empty.
    private func remove(_ name: String) throws(StateFailure) {
        if unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
        if errno == EISDIR, unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return }
        throw .last("unlink", self[name])
    }

    /// What was made, renamed and removed is on the disk.
    func sync() throws(StateFailure) {
        guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
    }

    /// The path of a file in it.
    subscript(name: String) -> String { "\(path)/\(name)" }
}

extension String {
    fileprivate var removingSlashesAtItsEnd: String {
        let end = utf8.lastIndex { $0 != UInt8(ascii: "/") }
        return end.map { String(self[...$0]) } ?? self
    }
}

extension StateFailure {
    fileprivate static func last(_ call: String, _ path: String) -> Self {
        let code = errno
        return .system(call, path: path, errno: code, message: String(cString: strerror(code)))
    }

    fileprivate static func lastUnreadable(_ file: String) -> Self {
        let code = errno
        return .unreadable(file: file, errno: code, message: String(cString: strerror(code)))
    }

    static func advice(for code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; make room there"
        case EROFS: "; make it writable (mount -o remount,rw), or name another folder with --state DIR"
        case EACCES, EPERM: "; give it to the user that hapticd runs as, or name another folder with --state DIR"
        case ENOENT: "; make the folder above it, or name another folder with --state DIR"
        case EISDIR, ENOTEMPTY, EEXIST: "; remove the folder that has the name of a file of settings"
        case EIO: "; look into the kernel's log (dmesg)"
        default: "; see to that, or name another folder with --state DIR"
        }
    }
}
