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

/// A PWM chip of plain files in a folder, with one channel that is there already. `hangs`: reading how many channels it has waits until
/// `getOn` is called.
final class FileChip {
    let folder: URL
    private let hangs: Bool

    init(in temporary: TemporaryFolder, name: String = "pwmchip0", hangs: Bool = false) throws {
        folder = temporary.url.appendingPathComponent(name)
        self.hangs = hangs
        let channel = folder.appendingPathComponent("pwm0")
        try FileManager.default.createDirectory(at: channel, withIntermediateDirectories: true)
        for (file, text) in [("period", "0"), ("duty_cycle", "0"), ("enable", "0"), ("polarity", "normal")] {
            try Data("\(text)\n".utf8).write(to: channel.appendingPathComponent(file))
        }
        if hangs {
            guard mkfifo(path("npwm"), 0o600) == 0 else { throw Waited(what: "a FIFO") }
        } else {
            try Data("1\n".utf8).write(to: folder.appendingPathComponent("npwm"))
        }
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// An actuator's configuration.
    func actuator(_ name: String) -> String {
        "  - { name: \(name), backend: pwm, chip: \"\(folder.path)\", channel: 0, frequency: 1000Hz }\n"
    }

    /// Of a plain file: its first line, for what was longer before keeps its end.
    var duty: Int {
        let text = (try? String(contentsOfFile: path("pwm0/duty_cycle"), encoding: .utf8)) ?? ""
        return Int(text.prefix { $0 != "\n" }) ?? -1
    }

    /// Lets the one who reads go on.
    func getOn() throws {
        let end = try FileHandle(forWritingTo: folder.appendingPathComponent("npwm"))
        try end.write(contentsOf: Data("1\n".utf8))
        try end.close()
    }

    /// The same, where somebody reads; else nothing.
    func getOnIfRead() {
        let end = open(path("npwm"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard end >= 0 else { return }
        _ = write(end, "1\n", 2)
        close(end)
    }
}
