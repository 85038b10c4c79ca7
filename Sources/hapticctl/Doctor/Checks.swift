// SPDX-License-Identifier: MIT

/// All checks, each a pure function of the facts.
enum Checks {
    /// In the order in which they are shown.
    static func findings(_ facts: Facts) -> [Finding] {
        let all = [socket, daemon, service, configuration, actuators, realTime, machine, feedback]
        return all.flatMap { $0(facts) }
    }
}

extension Facts {
    static let systemSocket = "/run/hapticd/hapticd.sock"

    /// The daemon is the system service's, or should be.
    var isAboutService: Bool {
        switch naming {
        case .option, .variable: sockets.first?.path == Self.systemSocket
        case .nothing, .ignoredVariable: daemon.socket == nil || daemon.socket == Self.systemSocket
        }
    }

    /// Whether `configuration` is the daemon's own, as far as can be known.
    var isConfigurationDaemons: Bool { isAboutService || configuration.path != ConfigurationFile.standardPath }

    /// `hapticctl WORDS`, to the daemon that was asked.
    func hapticctl(_ words: String) -> Remedy {
        guard naming == .option, let path = sockets.first?.path else { return .user("hapticctl \(words)") }
        return .user("hapticctl \(words) --socket=\(shellQuoted(path))")
    }

    func isLoaded(_ unit: String) -> Bool { service[unit, "LoadState"] == "loaded" }

    /// A file of the unit's own with more settings, in force at once. It comes behind other drop-ins.
    func dropIn(_ name: String, _ lines: [String]) -> [Remedy] {
        let folder = "/etc/systemd/system/hapticd.service.d"
        let words = (["[Service]"] + lines).map(shellQuoted).joined(separator: " ")
        return [
            .root("mkdir -p \(folder)"), .root("printf '%s\\n' \(words)", into: "tee \(folder)/zz-\(name).conf"),
            .root("systemctl daemon-reload"), .root("systemctl restart hapticd.service"),
        ]
    }
}
