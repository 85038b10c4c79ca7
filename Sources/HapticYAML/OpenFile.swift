// SPDX-License-Identifier: MIT
internal import Glibc

/// A file that is open for reading; everything is asked of what is open, so that nobody can put another one in its place in between.
final class OpenFile: Sendable {
    typealias Failure = FileAccess.Failure

    private let descriptor: Int32

    /// In `directory`, or where that is nil wherever `path` leads to.
    init(_ path: String, in directory: OpenDirectory? = nil, follows: Bool = true) throws(Failure) {
        // Non-blocking, so that opening a FIFO does not wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follows ? 0 : O_NOFOLLOW)
        let descriptor = openat(directory?.descriptor ?? AT_FDCWD, path, flags)
        guard descriptor >= 0 else {
            if !follows, errno == ELOOP { throw Failure("it is a symbolic link; put the file itself there") }
            throw .system()
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func regular() throws(Failure) -> OpenFile {
        guard try fileStatus(descriptor).st_mode & S_IFMT == S_IFREG else { throw Failure("it is not a regular file") }
        return self
    }

    /// Fails unless it is root's or this user's. `isExposed`: others may write in its directory, and may have put it there by a
    /// hard link. Then it must have no other name.
    func check(owner: uid_t, isExposed: Bool) throws(Failure) -> OpenFile {
        let status = try fileStatus(descriptor)
        try status.check(owner: owner)
        if isExposed { try status.checkSingle() }
        return self
    }

    /// Fails unless it is root's, this user's or, for root, that of `directory`'s owner, and nobody else can have written it or
    /// put it there.
    func checkPrivate(in directory: OpenDirectory) throws(Failure) -> OpenFile {
        let (status, place) = try (fileStatus(descriptor), fileStatus(directory.descriptor))
        let user = geteuid()
        // Who may put anything there is trusted by root as far as that goes.
        let isTrusted = user == 0 && place.st_mode & (S_IWGRP | S_IWOTH) == 0
        try status.check(owner: isTrusted ? place.st_uid : user)
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 { throw Failure("others may write it; remove it") }
        try status.checkSingle()
        return self
    }

    func read(_ limit: Int) throws(Failure) -> [UInt8] {
        // A file may grow while it is read, so its size is no promise: the limit is checked on what comes.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .system()
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw Failure("it has more than \(limit) bytes") }
        }
    }
}

/// A directory that is open, and the names in it.
final class OpenDirectory: Sendable {
    typealias Failure = FileAccess.Failure

    /// More entries than these are refused.
    static let entryLimit = 65_536

    let descriptor: Int32
    let names: [String]

    /// `named`: its names are read, too.
    init(_ path: String, named: Bool = true) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system() }
        do throws(Failure) {
            names = named ? try Self.names(descriptor) : []
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Fails where others could put something into it, or take it away. Whether they may put in something all the same, as in a sticky one.
    func check(owner: uid_t) throws(Failure) -> Bool {
        let status = try fileStatus(descriptor)
        try status.check(owner: owner)
        // In a sticky one, such as /tmp, each file is its owner's, and that is looked at.
        guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
            throw Failure("everybody may write in it; take that away with `chmod o-w`")
        }
        return status.st_mode & (S_IWGRP | S_IWOTH) != 0
    }

    private static func names(_ descriptor: Int32) throws(Failure) -> [String] {
        // The stream closes what it is given.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let directory = fdopendir(copy) else {
            let failure = Failure.system()
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.append(name) }
            guard names.count <= entryLimit else { throw Failure("it has more than \(entryLimit) entries") }
        }
        return names
    }
}

private func fileStatus(_ descriptor: Int32) throws(FileAccess.Failure) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system() }
    return status
}

extension stat {
    fileprivate func check(owner: uid_t) throws(FileAccess.Failure) {
        guard st_uid == 0 || st_uid == owner else {
            throw FileAccess.Failure(
                "it belongs to the user \(st_uid), and only what belongs to root or to the user that this runs as (\(owner)) is read"
            )
        }
    }
}

extension stat {
    fileprivate func checkSingle() throws(FileAccess.Failure) {
        guard st_nlink == 1 else { throw FileAccess.Failure("it is a hard link: it has \(st_nlink) names; put a copy there") }
    }
}

extension FileAccess.Failure {
    /// The failure of the system call before, in the system's words.
    static func system() -> Self {
        let code = errno
        var failure = Self(String(cString: strerror(code)))
        failure.isDenied = code == EACCES || code == EPERM
        return failure
    }
}
