// SPDX-License-Identifier: MIT
import Glibc

/// Writes a file as a whole: who reads it meanwhile finds the old or the new one, never a part.
enum WholeFile {
    /// Readable by all, as node_exporter runs as a user of its own. A symbolic link stays one.
    static func write(_ text: String, to path: String) throws(Failure) {
        let target = try target(of: path)
        // Hidden, and not ending in `.prom`: node_exporter does not read it. In the same directory, so that it can be renamed.
        let slash = target.lastIndex(of: "/")
        let (directory, name) = slash.map { (target[...$0], target[target.index(after: $0)...]) } ?? ("", target[...])
        var template = Array("\(directory).\(name).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure(path) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(Failure) {
            // mkstemp gives it to its owner alone, and the umask must not decide.
            let isReadable = fchmod(descriptor, 0o644) == 0
            guard isReadable, writeAll(text, to: descriptor) else {
                let failure = failure(path)
                close(descriptor)
                throw failure
            }
            guard close(descriptor) == 0, rename(temporary, target) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// What is to be replaced. A device or a pipe would be gone afterwards, so they are refused.
    private static func target(of path: String) throws(Failure) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // Renaming would put the file in the place of the link.
            guard lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFLNK else {
                throw Failure("\(path) is a symbolic link to what is not there; make that first, or remove the link")
            }
            return path
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(path) is not a file that could be replaced; give one in a directory, or `-` for standard output")
        }
        guard let resolved = realpath(path, nil) else { throw failure(path) }
        defer { free(resolved) }
        return String(cString: resolved)
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
        return Failure("cannot write \(path): \(String(cString: strerror(code))); \(advice)")
    }
}
