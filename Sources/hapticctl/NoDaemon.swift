// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore

/// What to do where no daemon listens: it depends on who named its socket.
struct NoDaemon {
    var tried: [String]
    /// `$HAPTICD_SOCKET`, where it is set.
    var variable = Environment.value("HAPTICD_SOCKET")
    /// Whether systemd runs this machine.
    var hasSystemd = access("/run/systemd/system", F_OK) == 0

    init(tried: [String]) { self.tried = tried }

    var message: String {
        let start = "no hapticd listens at \(tried.joined(separator: " or "))"
        guard let path = tried.first, tried.count == 1, path != SocketPath.candidates(explicit: nil, environment: [:]).first
        else {
            let service = hasSystemd ? "`systemctl start hapticd`, or " : ""
            return "\(start); start it (\(service)`hapticd --simulate`), or name its socket with --socket or $HAPTICD_SOCKET"
        }
        if path == variable {
            return
                "\(start), which $HAPTICD_SOCKET names; correct or unset that variable, or start one there: `hapticd --simulate --socket \(shellQuotedPath(path))`"
        }
        return
            "\(start), which --socket names; correct it, or start one there: `hapticd --simulate --socket \(shellQuotedPath(path))`"
    }
}
