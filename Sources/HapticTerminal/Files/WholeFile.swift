// SPDX-License-Identifier: MIT
import Glibc

/// The directory of a file that is to be written, and the file's name in it.
///
/// It is opened once, and everything is done in what is open: root may write in a directory of another user, who must not lead it
/// elsewhere in between.
struct OpenFolder: ~Copyable {
    /// The file's.
    let path: String
    let name: String
    let descriptor: Int32

    init(of path: String) throws(Failure) {
        let bytes = path.utf8
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[bytes.index(after: $0)...]) } ?? path
        guard !["", ".", ".."].contains(name) else { throw Self.notAFile(path) }
        let folder = slash.map { $0 == bytes.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        (self.path, self.name, self.descriptor) = (path, name, descriptor)
    }

    deinit { close(descriptor) }

    /// A file that was not there before, for its owner alone; a link is not followed. `asNew`: for whom the umask leaves.
    func create(_ name: String, asNew: Bool = false) throws(Failure) -> Int32 {
        let mode: mode_t = asNew ? 0o666 : 0o600
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure() }
        return file
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// What the system has just refused.
    func failure() -> Failure { Self.failure(path, errno) }

    static func failure(_ path: String, _ code: Int32) -> Failure {
        let advice =
            switch code {
            case EEXIST: "it is left as it is; give another name"
            case ENOENT: "make its directory first"
            case EACCES, EPERM, EROFS: "run it as a user who may write there, or give another place"
            case ENOSPC, EDQUOT: "make room there"
            default: "give another place"
            }
        return Failure("cannot write \(path): \(String(cString: strerror(code))); \(advice)", code: .unwritable)
    }

    static func notAFile(_ path: String) -> Failure {
        Failure(
            "\(path) is not a file that could be replaced; give one in a directory, or `-` for standard output", code: .unwritable
        )
    }
}

/// Writes a file as a whole: who reads it meanwhile finds the old or the new one, never a part.
package enum WholeFile {
    /// One that takes the place of another has its owner and its permissions. A symbolic link is refused: it could be led elsewhere between
    /// being read and being followed. `replacing`: false leaves what is there already as it is, and fails. `forAll`: it is readable by all.
    package static func write(_ text: String, to path: String, replacing: Bool = true, forAll: Bool = false) throws(Failure) {
        let folder = try OpenFolder(of: path)
        var before: stat?
        if replacing {
            before = try replaceable(in: folder)
        } else if NewFile.isTaken(path) {
            throw Failure("\(path) is there already, and is left as it is; give another name, or --force", code: .unwritable)
        }
        // Hidden, and not ending in `.prom`: node_exporter does not read it. In the same directory, so that it can be renamed.
        let temporary = ".\(folder.name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let descriptor = try folder.create(temporary, asNew: before == nil && !forAll)
        do throws(Failure) {
            // Only root may give a file away; whoever else replaces one has it then.
            if let before, !forAll { _ = fchown(descriptor, before.st_uid, before.st_gid) }
            let mode = forAll ? 0o644 : before.map { $0.st_mode & 0o777 }
            guard mode.map({ fchmod(descriptor, $0) == 0 }) ?? true, writeAll(text, to: descriptor) else {
                let failure = folder.failure()
                close(descriptor)
                throw failure
            }
            let isClosed = close(descriptor) == 0
            guard isClosed, renameat(folder.descriptor, temporary, folder.descriptor, folder.name) == 0 else {
                throw folder.failure()
            }
        } catch {
            folder.remove(temporary)
            throw error
        }
    }

    /// What is there; nil: nothing. A device, a pipe or a link would be gone afterwards, so they are refused.
    private static func replaceable(in folder: borrowing OpenFolder) throws(Failure) -> stat? {
        var status = stat()
        guard fstatat(folder.descriptor, folder.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw folder.failure() }
            return nil
        }
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw Failure("\(folder.path) is a symbolic link; give the file itself", code: .unwritable)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw OpenFolder.notAFile(folder.path) }
        return status
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
}
