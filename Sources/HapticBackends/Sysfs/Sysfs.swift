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
    private static let longest = 65_536

    /// What a file says: its first line, without white space at the ends.
    static func text(_ path: String) throws(SystemError) -> String {
        trimmed(try bytes(path).prefix { $0 != UInt8(ascii: "\n") })
    }

    /// All its lines.
    static func lines(_ path: String) throws(SystemError) -> [String] {
        try bytes(path).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func bytes(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        // Most files show a page at most; the list of triggers is longer where there are many processors.
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while bytes.count < longest {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, Glibc.errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
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

    /// Why this process could not write a file now, with the rights it acts by; nil where it could.
    static func refusal(of path: String) -> SystemError? { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? nil : .last }

    /// Why this process could not write all of these files; nil where it could.
    static func fault(ofWriting paths: [String]) -> DriverFault? {
        for path in paths {
            guard let refusal = refusal(of: path) else { continue }
            return refusal.isPermission ? DriverFault(.permission, device: path) : DriverFault(errno: refusal.errno, device: path)
        }
        return nil
    }

    /// The names of what is in a folder, in the order of the numbers in them; empty where it cannot be read.
    static func names(in folder: String) -> [String] { entries(of: folder).sorted { ($0.count, $0) < ($1.count, $1) } }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}

extension OffCall {
    /// Writes 0 to a file of sysfs, which may belong to a bus that hangs.
    static let zero = OffCall(.write(bytes: Array("0\n".utf8), offset: 0), mayBlock: true)
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
