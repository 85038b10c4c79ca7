// SPDX-License-Identifier: MIT
import Glibc

/// Writes a file that was not there before, for its owner alone. Nothing is overwritten, and no link is followed.
enum NewFile {
    static func write(_ lines: [String], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        do throws(Failure) {
            // The umask may have taken more away.
            guard fchmod(descriptor, 0o600) == 0 else { throw failure(path, errno) }
            try Outlet.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: descriptor)
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, errno) }
            close(descriptor)
        } catch {
            // A part of a report is worth nothing.
            unlink(path)
            close(descriptor)
            throw error
        }
    }

    /// Whether something is there already, a link included.
    static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func taken(_ path: String) -> Failure { failure(path, EEXIST) }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        let advice =
            switch code {
            case EEXIST: "it is left as it is; give another name with -o"
            case ENOENT: "make its directory first"
            case EACCES, EPERM, EROFS: "give a place where you may write, with -o"
            case ENOSPC, EDQUOT: "make room there"
            default: "give another place with -o"
            }
        return Failure("cannot write \(path): \(String(cString: strerror(code))); \(advice)")
    }
}
