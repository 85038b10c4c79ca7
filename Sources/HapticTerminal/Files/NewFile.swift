// SPDX-License-Identifier: MIT
import Glibc

/// Writes a file that was not there before, for its owner alone. Nothing is overwritten, and no link is followed.
package enum NewFile {
    /// Who has become root by sudo: what root makes is that user's.
    package struct Owner: Hashable {
        let user: uid_t
        let group: gid_t

        /// Nil where nobody has.
        init?(isRoot: Bool = geteuid() == 0, variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
            guard isRoot, let user = Self.number(variable("SUDO_UID")), user != 0,
                let group = Self.number(variable("SUDO_GID"))
            else { return nil }
            (self.user, self.group) = (user, group)
        }

        /// Not the number that stands for no change.
        private static func number(_ text: String?) -> UInt32? {
            guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text) else { return nil }
            return number == .max ? nil : number
        }
    }

    package static func write(_ lines: [String], to path: String, for owner: Owner? = Owner()) throws(Failure) {
        let folder = try OpenFolder(of: path)
        let descriptor = try folder.create(folder.name)
        defer { close(descriptor) }
        do throws(Failure) {
            // The umask may have taken more away.
            guard fchmod(descriptor, 0o600) == 0 else { throw folder.failure() }
            try Outlet.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: descriptor)
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw folder.failure() }
        } catch {
            // A part of a report is worth nothing.
            folder.remove(folder.name)
            throw error
        }
        // A file system may know no owners; then root has the file.
        if let owner { _ = fchown(descriptor, owner.user, owner.group) }
    }

    /// Whether something is there already, a link included.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    package static func taken(_ path: String) -> Failure { OpenFolder.failure(path, EEXIST) }
}
