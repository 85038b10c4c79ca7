// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticConfig
internal import HapticServer

/// The files by which a daemon is found by those that come after it. The configuration, which may be another by then, does not
/// decide where they are: only command line and environment do.
struct DaemonPlace: Hashable, Sendable {
    /// Beside this path, that of the socket where neither configuration nor service manager says another; nothing has to be there.
    let socket: String

    /// That of the system's service.
    static let system = DaemonPlace(socket: "/run/hapticd/hapticd.sock")

    /// Where the guards of one place find each other.
    var guardLock: String { socket + ".guard" }
    /// What the daemon drives.
    var outputs: DrivenOutputs { DrivenOutputs(path: socket + ".outputs") }
    var folder: String { String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)]) }

    /// `socket`: of the command line.
    init(socket: String?) {
        let place = try? SocketPlace.choose(nil, path: socket, inherited: 0)
        if case .path(let path, _)? = place { self.socket = path } else { self = .system }
    }
}

extension SocketPlace {
    /// As the environment has it.
    static func choose(_ configuration: Configuration?, path: String?, inherited: Int) throws(SocketError) -> SocketPlace {
        var environment: [String: String] = [:]
        for name in ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return try choose(
            explicit: path, inherited: inherited, configured: configuration?.socket.path, environment: environment,
            isRoot: geteuid() == 0)
    }
}
