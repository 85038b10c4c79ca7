// SPDX-License-Identifier: MIT
internal import Glibc

/// The files that configuration and patterns come from. Tests give their own, so that they need no disk.
public struct FileAccess: Sendable {
    public struct Failure: Error, Hashable, Sendable {
        /// What went wrong, in words that follow "cannot read X: ".
        public var reason: String
        /// It is there, or may be, and is not for this user to read.
        public var isDenied = false

        public init(_ reason: String) { self.reason = reason }
    }

    /// A directory that is held open, so that all that is read of it is of the same one.
    public struct Directory: Sendable {
        /// Of what is in it, in any order.
        public var names: [String]
        /// All bytes of the file with one of these names; fails where it has more than `limit`.
        public var read: @Sendable (_ name: String, _ limit: Int) throws(Failure) -> [UInt8]

        public init(names: [String], read: @escaping @Sendable (_ name: String, _ limit: Int) throws(Failure) -> [UInt8]) {
            self.names = names
            self.read = read
        }
    }

    /// All bytes of the file at `path`; fails where it has more than `limit`.
    public var read: @Sendable (_ path: String, _ limit: Int) throws(Failure) -> [UInt8]
    public var directory: @Sendable (_ path: String) throws(Failure) -> Directory

    public init(
        read: @escaping @Sendable (_ path: String, _ limit: Int) throws(Failure) -> [UInt8],
        directory: @escaping @Sendable (_ path: String) throws(Failure) -> Directory
    ) {
        self.read = read
        self.directory = directory
    }

    /// The disk, as the one who runs the program sees it: links are followed. Blocks, so not on the event loop.
    public static let disk = FileAccess(
        read: { path, limit throws(Failure) in
            try OpenFile(path).regular().read(limit)
        },
        directory: { path throws(Failure) in
            let directory = try OpenDirectory(path)
            return Directory(names: directory.names) { name, limit throws(Failure) in
                try OpenFile(name, in: directory).regular().read(limit)
            }
        })

    /// The disk, as a service sees it: whoever can put a file into a directory must not have files read, and quoted in an error,
    /// that only the service may read. So in a directory no link is followed, nor taken a hard link where others may write, and
    /// it and its files have to be root's or this user's. Paths are the word of who wrote the configuration.
    public static let service = service(of: geteuid())

    static func service(of user: uid_t) -> FileAccess {
        FileAccess(
            read: disk.read,
            directory: { path throws(Failure) in
                let directory = try OpenDirectory(path)
                let isExposed = try directory.check(owner: user)
                return Directory(names: directory.names) { name, limit throws(Failure) in
                    let file = try OpenFile(name, in: directory, follows: false).regular()
                    return try file.check(owner: user, isExposed: isExposed).read(limit)
                }
            })
    }

    /// All bytes of a file that a program of this user has left for itself; nil where there is none. It is no link, belongs to
    /// root or this user, and nobody else may write it. Root also reads that of another user, in a directory in which only that
    /// user may write.
    public static func ownFile(_ path: String, limit: Int) throws(Failure) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0 || errno != ENOENT else { return nil }
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let directory = try OpenDirectory(name == path.startIndex ? "." : String(path[..<name]), named: false)
        let file = try OpenFile(String(path[name...]), in: directory, follows: false).regular()
        return try file.checkPrivate(in: directory).read(limit)
    }
}
