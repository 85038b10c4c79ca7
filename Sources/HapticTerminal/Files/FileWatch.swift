// SPDX-License-Identifier: MIT
import Glibc

/// Notices that a file was saved, by asking for its status: an editor may write it, or rename another one into its place, and what
/// a watch of the kernel says of that differs from editor to editor.
package struct FileWatch {
    /// Which file it is, and when it was written.
    struct Stamp: Hashable {
        var device: UInt
        var inode: UInt
        var seconds: Int
        var nanoseconds: Int
        var bytes: Int
    }

    private let readStamp: () -> Stamp?
    /// What was reported last.
    private var reported: Stamp?
    /// What was seen last: a file is left alone while it is being written.
    private var seen: Stamp?

    package init(path: String) { self.init { Self.stamp(path) } }

    /// `readStamp`: nil where there is no file.
    init(readStamp: @escaping () -> Stamp?) { self.readStamp = readStamp }

    /// Whether it has been saved since the last time, and has not changed from one call to the next. The first time any file counts. One that
    /// is missing does not: an editor may be about to put it back.
    package mutating func hasNew() -> Bool {
        let now = readStamp()
        defer { seen = now }
        guard let now, now == seen, now != reported else { return false }
        reported = now
        return true
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec, bytes: Int(status.st_size))
    }
}
