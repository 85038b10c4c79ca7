// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore

/// What to do where no daemon listens: it depends on who named its socket.
package struct NoDaemon {
    var tried: [String]
    /// `$HAPTICD_SOCKET`, where it is set.
    var variable: String?
    /// Whether systemd runs this machine.
    var hasSystemd = access("/run/systemd/system", F_OK) == 0

    package init(tried: [String], variable: String? = Environment.value("HAPTICD_SOCKET")) {
        (self.tried, self.variable) = (tried, variable)
    }

    /// Whether the only path that was tried leads to a file that is no socket.
    var isOtherFile: Bool { tried.count == 1 && tried.first.flatMap(Self.otherKind) != nil }

    package var message: String {
        if tried.count == 1, let path = tried.first, let kind = Self.otherKind(path) { return otherFile(path, kind) }
        let start = "no hapticd listens at \(tried.joined(separator: " or "))"
        guard let path = tried.first, tried.count == 1, path != SocketPath.candidates(explicit: nil, environment: [:]).first
        else {
            let service = hasSystemd ? "`systemctl start hapticd`, or " : ""
            return "\(start); start it (\(service)`hapticd --simulate`), or name its socket with --socket or $HAPTICD_SOCKET"
        }
        // hapticd makes no folder.
        if let folder = Self.missingFolder(of: path) {
            return path == variable
                ? "\(start), which $HAPTICD_SOCKET names; correct or unset that variable: the folder \(folder) does not exist"
                : "\(start), which --socket names; correct it: the folder \(folder) does not exist"
        }
        let there = shellQuotedPath(path)
        return path == variable
            ? "\(start), which $HAPTICD_SOCKET names; correct or unset that variable, or start one there: `hapticd --simulate --socket \(there)`"
            : "\(start), which --socket names; correct it, or start one there: `hapticd --simulate --socket \(there)`"
    }

    /// The folder of `path`, if it is not there.
    private static func missingFolder(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
        let folder = String(path[..<slash])
        var status = stat()
        return stat(folder, &status) != 0 && errno == ENOENT ? folder : nil
    }

    private func otherFile(_ path: String, _ kind: String) -> String {
        if path == variable {
            return "$HAPTICD_SOCKET names \(path), which is \(kind) and no socket; correct or unset that variable"
        }
        // Only a file in a place that hapticd itself uses is in the way.
        let isDefault = SocketPath.candidates(explicit: nil, environment: [:]).contains { Text($0) == Text(path) }
        return
            "\(path) is \(kind) and no socket; name another one with --socket\(isDefault ? ", or move it and start hapticd" : "")"
    }

    /// The kind of the file at `path`, if it is there and no socket.
    private static func otherKind(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFSOCK: nil
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        default: "a device or a pipe"
        }
    }
}
