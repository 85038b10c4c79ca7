// SPDX-License-Identifier: MIT
internal import Glibc

/// feedbackd on a session bus of its own, where no device is and sound goes nowhere.
final class Feedbackd {
    /// From its start to having its name, in ns.
    let readyAfter: Int64
    let process: pid_t
    private let bus: Program
    private let starter: Program
    private let environment: [String: String]
    private let site: Site

    init(_ site: Site) throws {
        self.site = site
        let folder = try site.newFolder()
        // Without this it looks for a sound card at each call and fills its log.
        try write("pcm.!default { type null }\nctl.!default { type null }\n", to: folder + "/asound.conf")
        let address = "unix:path=\(folder)/bus"
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": address, "ALSA_CONFIG_PATH": folder + "/asound.conf", "HOME": folder,
            "XDG_RUNTIME_DIR": folder, "GSETTINGS_BACKEND": "memory",
        ]
        bus = try Program(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address", "--address=\(address)"],
            environment: environment, in: folder)
        _ = try bus.firstLine(within: 10)
        starter = try site.start("feedbackd-client", ["start", Site.feedbackd], environment: environment)
        guard let time = Int64(try starter.firstLine(within: 10)) else {
            throw Failure("feedbackd does not start: \(starter.errors)")
        }
        readyAfter = time
        guard let process = ProcessTable.family(of: starter.process).dropFirst().first else {
            throw Failure("feedbackd has ended: \(starter.errors)")
        }
        self.process = process
    }

    /// How long each of `count` calls took, one after the other, in ns.
    func calls(_ count: Int) throws -> [Double] {
        try ask(["calls", "\(count)"]).compactMap { Double($0) }
    }

    /// Calls a second where 64 may wait for their answer.
    func callsPerSecond(_ count: Int) throws -> Double {
        guard let time = try ask(["flood", "\(count)", "64"]).first.flatMap({ Double($0) }) else {
            throw Failure("feedbackd-client printed no time")
        }
        return Double(count) / time * 1e9
    }

    private func ask(_ arguments: [String]) throws -> [Substring] {
        try site.start("feedbackd-client", arguments, environment: environment).finish(within: 60)
    }

    func stop() {
        // It ends with the program that started it.
        kill(process, SIGTERM)
        starter.stop()
        bus.stop()
    }
}
