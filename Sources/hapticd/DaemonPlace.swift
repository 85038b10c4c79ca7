// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticConfig
internal import HapticServer

/// The files beside the socket by which a daemon is found by those that come after it.
struct DaemonPlace: Hashable, Sendable {
    /// Of the socket; nothing has to be there.
    let socket: String

    /// That of the system's service.
    static let system = DaemonPlace(socket: "/run/hapticd/hapticd.sock")

    /// Where the guards of one place find each other.
    var guardLock: String { socket + ".guard" }
    /// What the daemon drives.
    var outputs: DrivenOutputs { DrivenOutputs(path: socket + ".outputs") }
    var folder: String { String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)]) }

    init(socket: String) { self.socket = socket }

    /// Beside the socket, or where that would be had none been inherited. `configuration`: nil where there is none that can be used.
    init(_ configuration: Configuration?, path: String?) {
        let place = try? SocketPlace.choose(configuration, path: path, inherited: 0)
        if case .path(let path, _)? = place { self.init(socket: path) } else { self = .system }
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
