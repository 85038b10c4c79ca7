// SPDX-License-Identifier: MIT
public import HapticWire

/// Why the daemon could not be asked, or what it said no to.
public enum ClientError: Error, Hashable, Sendable {
    /// Nobody listens at any of these paths.
    case noDaemon(tried: [String])
    /// The socket is there and may not be opened.
    case noPermission(path: String)
    /// Longer than a socket's path may be.
    case pathTooLong(path: String)
    /// The daemon closed the connection.
    case closed
    /// The daemon did not answer, or did not read, in time.
    case timedOut
    /// More requests were sent ahead than `HapticClient.mostUntaken`, and nobody took their answers.
    case tooManyUntaken
    /// The interrupt descriptor became readable.
    case interrupted
    /// The daemon answered with an error.
    case refused(WireError)
    /// What came from the daemon is nothing that a daemon says.
    case notUnderstood(String)
    case system(call: String, errno: Int32, message: String)
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noDaemon(let tried):
            "no hapticd listens at \(tried.joined(separator: " or ")); start it (`systemctl start hapticd`, or `hapticd --simulate`), or name its socket with --socket or $HAPTICD_SOCKET"
        case .noPermission(let path):
            "no permission to open \(path); become a member of the group `haptics` (`sudo usermod -aG haptics $USER`, then log in again; where there is no such group, `sudo groupadd --system haptics` and restart hapticd first)"
        case .pathTooLong(let path): "the socket path \(path) is too long; at most \(SocketPath.limit) bytes are possible"
        case .closed:
            "hapticd closed the connection, so it was stopped or restarted; try again, or look at its log (`journalctl -u hapticd`)"
        case .timedOut: "hapticd did not answer in time; look at its log, or restart it"
        case .tooManyUntaken:
            "\(HapticClient.mostUntaken) requests were sent whose answers nobody has taken; take or give up some before sending another"
        case .interrupted: "interrupted"
        case .refused(let error): error.message
        case .notUnderstood(let what): "hapticd said something that is not understood (\(what)); are both of the same version?"
        case .system(let call, _, let message):
            "\(call) failed: \(message); try again, and if it stays so look at the kernel's log (dmesg)"
        }
    }
}
