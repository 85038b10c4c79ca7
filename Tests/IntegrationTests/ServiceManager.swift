// SPDX-License-Identifier: MIT
import Foundation

/// A service manager as the daemon sees it: a datagram socket that gets its notifications.
final class ServiceManager {
    let path: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
        path = folder.path("notify")
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard withAddress(of: path, { [descriptor] in bind(descriptor, $0, $1) }) == 0 else {
            throw Waited(what: "a socket at \(path)")
        }
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The variables of the daemon's environment. `watchdog`: its period in s; nil: none.
    func environment(watchdog: Double? = nil) -> [String: String] {
        var result = ["NOTIFY_SOCKET": path]
        if let watchdog { result["WATCHDOG_USEC"] = "\(Int(watchdog * 1_000_000))" }
        return result
    }

    /// The next message, in its lines.
    func message() throws -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw Waited(what: "news of the daemon") }
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The next message with this line, or a line that begins so; those before it are passed over.
    func message(with beginning: String) throws -> [String] {
        while true {
            let lines = try message()
            if lines.contains(where: { $0.hasPrefix(beginning) }) { return lines }
        }
    }

    /// What is there already.
    func messagesNow() -> [[String]] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var all: [[String]] = []
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return all }
            all.append(String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init))
        }
    }
}
