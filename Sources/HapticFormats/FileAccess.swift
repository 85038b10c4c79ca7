// SPDX-License-Identifier: MIT
private import Glibc

/// The files that configuration and patterns come from. Tests give their own, so that they need no disk.
public struct FileAccess: Sendable {
    public struct Failure: Error, Hashable, Sendable {
        /// What went wrong, in words that follow "cannot read X: ".
        public var reason: String

        public init(_ reason: String) { self.reason = reason }
    }

    /// All bytes of the file at `path`; fails where it has more than `limit`.
    public var read: @Sendable (_ path: String, _ limit: Int) throws(Failure) -> [UInt8]
    /// The names of what is in the directory at `path`, in any order.
    public var list: @Sendable (_ path: String) throws(Failure) -> [String]

    public init(
        read: @escaping @Sendable (_ path: String, _ limit: Int) throws(Failure) -> [UInt8],
        list: @escaping @Sendable (_ path: String) throws(Failure) -> [String]
    ) {
        self.read = read
        self.list = list
    }

    /// The disk. Blocks, so not on the event loop.
    public static let disk = FileAccess(read: readFile, list: listDirectory)

    /// More entries of a directory than these are refused.
    static let entryLimit = 65_536

    @Sendable private static func readFile(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Non-blocking, so that opening a FIFO does not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("it is not a regular file") }
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

    @Sendable private static func listDirectory(_ path: String) throws(Failure) -> [String] {
        guard let directory = opendir(path) else { throw .system() }
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

extension FileAccess.Failure {
    /// The failure of the system call before, in the system's words.
    fileprivate static func system() -> Self { Self(String(cString: strerror(errno))) }
}
