// SPDX-License-Identifier: MIT
import Glibc

/// Writes a file as a whole: who reads it meanwhile finds the old or the new one, never a part.
///
/// Its directory is opened once, and everything is done in what is open: root may write in a directory of another user, who must
/// not lead it elsewhere in between.
enum WholeFile {
    /// Readable by all, as node_exporter runs as a user of its own. A symbolic link is refused: it could be led elsewhere between
    /// being read and being followed.
    static func write(_ text: String, to path: String) throws(Failure) {
        let target = try split(path)
        let directory = open(target.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(path) }
        defer { close(directory) }
        try checkReplaceable(target.name, in: directory, path)
        // Hidden, and not ending in `.prom`: node_exporter does not read it. In the same directory, so that it can be renamed.
        let temporary = ".\(target.name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let descriptor = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(Failure) {
            // The umask must not decide.
            let isReadable = fchmod(descriptor, 0o644) == 0
            guard isReadable, writeAll(text, to: descriptor) else {
                let failure = failure(path)
                close(descriptor)
                throw failure
            }
            guard close(descriptor) == 0, renameat(directory, temporary, directory, target.name) == 0 else { throw failure(path) }
        } catch {
            unlinkat(directory, temporary, 0)
            throw error
        }
    }

    private static func split(_ path: String) throws(Failure) -> (directory: String, name: String) {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[bytes.index(after: slash)...])
        guard !["", ".", ".."].contains(name) else { throw notAFile(path) }
        return (slash == bytes.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// A device, a pipe or a link would be gone afterwards, so they are refused.
    private static func checkReplaceable(_ name: String, in directory: Int32, _ path: String) throws(Failure) {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw failure(path) }
            return
        }
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw Failure("\(path) is a symbolic link; give the file itself", code: .unwritable)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw notAFile(path) }
    }

    private static func notAFile(_ path: String) -> Failure {
        Failure(
            "\(path) is not a file that could be replaced; give one in a directory, or `-` for standard output", code: .unwritable
        )
    }

    private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure(_ path: String) -> Failure {
        let code = errno
        let advice =
            switch code {
            case ENOENT: "make its directory first"
            case EACCES, EPERM, EROFS: "run it as a user who may write there, or give another place"
            case ENOSPC, EDQUOT: "make room there"
            default: "give another place"
            }
        return Failure("cannot write \(path): \(String(cString: strerror(code))); \(advice)", code: .unwritable)
    }
}
