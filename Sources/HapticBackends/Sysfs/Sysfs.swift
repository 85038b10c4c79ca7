// SPDX-License-Identifier: MIT
private import Glibc

/// Why the kernel refused a system call.
struct SystemError: Error, Hashable, Sendable {
    var errno: Int32

    /// Of the call before, on this thread.
    static var last: SystemError { SystemError(errno: Glibc.errno) }

    /// Whether the one who asked may not do it; a file system that is read-only refuses as a mode does.
    var isPermission: Bool { errno == EACCES || errno == EPERM || errno == EROFS }
    var isGone: Bool { errno == ENODEV || errno == ENXIO || errno == ENOENT }
    var isBusy: Bool { errno == EBUSY }
    /// The value was not one that the device can take.
    var isRefusedValue: Bool { errno == EINVAL || errno == ERANGE || errno == EDOM || errno == EOPNOTSUPP }
}

/// The small files of sysfs: one value each, read and written whole. All of it may block.
enum Sysfs {
    /// What a file says, without white space at its ends.
    static func text(_ path: String) throws(SystemError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        // sysfs shows a page at most.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .last }
        return trimmed(String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// The number that a file holds. EINVAL where it holds something else.
    static func number(_ path: String) throws(SystemError) -> Int {
        guard let number = Int(try text(path)) else { throw SystemError(errno: EINVAL) }
        return number
    }

    static func write(_ text: String, to path: String) throws(SystemError) {
        try SysfsAttribute(path).write(text)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Why this process could not use a file now, with the rights it acts by; nil where it could.
    static func refusal(of path: String, _ mode: Int32 = W_OK) -> SystemError? {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? nil : .last
    }

    /// The names of what is in a folder, in the order of the numbers in them; empty where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // Read where it is: the entry may be shorter than its type.
            let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// Where a path leads through all its links; nil where it leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}

/// A file of sysfs that is kept open to be written many times. Closed with its last reference.
final class SysfsAttribute: Sendable {
    let path: String
    let descriptor: Int32

    /// Opens a file that is there; never makes one.
    init(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes a value in the place of the one before. May block for as long as the device takes.
    func write(_ text: String) throws(SystemError) {
        var line = text + "\n"
        // Always at 0: sysfs does not care, and where a plain file imitates it nothing is appended.
        let count = line.withUTF8 { bytes in
            var count: Int
            repeat { count = pwrite(descriptor, bytes.baseAddress, bytes.count, 0) } while count < 0 && errno == EINTR
            return count
        }
        guard count >= 0 else { throw .last }
    }
}
