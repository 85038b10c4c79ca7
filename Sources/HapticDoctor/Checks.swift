// SPDX-License-Identifier: MIT
import HapticTerminal

/// The list of all checks, each a pure function of the facts.
package enum Checks {
    /// In the order in which they are shown.
    package static func findings(_ facts: Facts) -> [Finding] {
        let all: [(Facts) -> [Finding]] = [
            DaemonChecks.socket, DaemonChecks.answers, ServiceChecks.findings, ConfigurationChecks.findings,
            ActuatorChecks.findings, InputChecks.findings, MachineChecks.realTime, MachineChecks.machine,
            FeedbackChecks.settings, FeedbackChecks.weakPatterns,
        ]
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
    var isConfigurationDaemons: Bool {
        guard daemon.status != nil else { return false }
        // Whoever runs another daemon may name any file: no command of root's is made of it.
        if configuration.isNamedByDaemon { return isAboutService }
        return isAboutService || configuration.path != ConfigurationFile.standardPath || configuration.running == .thisFile
    }

    /// Whether `configuration` is what the system service reads once it runs.
    var isConfigurationNextDaemons: Bool { daemon.status == nil && isAboutService && !configuration.isNamedByDaemon }

    /// `hapticctl WORDS`, to the daemon that was asked.
    func hapticctl(_ words: String, asRoot: Bool = false) -> Remedy {
        let line = "hapticctl \(words)\(socketOption(asRoot: asRoot))"
        return asRoot ? .root(line) : .user(line)
    }

    /// Root follows no variable of the user's, neither `$HAPTICD_SOCKET` nor the one that names the runtime folder.
    private func socketOption(asRoot: Bool) -> String {
        let path: String? =
            switch naming {
            case .option: sockets.first?.path
            case .variable(let path): asRoot ? path : nil
            case .nothing, .ignoredVariable: asRoot && daemon.socket != Self.systemSocket ? daemon.socket : nil
            }
        return path.map { " --socket=\(shellQuoted($0))" } ?? ""
    }

    /// ` --config=…`, if the doctor was given one; else empty.
    var configurationOption: String {
        guard configuration.path != ConfigurationFile.standardPath else { return "" }
        return " --config=\(shellQuoted(configuration.path))"
    }

    /// The doctor again, as root.
    var doctorAsRoot: Remedy { hapticctl("doctor\(configurationOption)", asRoot: true) }

    func isLoaded(_ unit: String) -> Bool { service[unit, "LoadState"] == "loaded" }

    /// A file of the unit's own with more settings, in force at once. It comes behind other drop-ins.
    ///
    /// None where the daemon is not the system's: its unit is not to be changed for another one.
    func dropIn(_ name: String, _ lines: [String]) -> [Remedy] { dropIns([(name, lines)]) }

    /// Several such files; `name` is a word to a shell.
    func dropIns(_ files: [(name: String, lines: [String])]) -> [Remedy] {
        guard isAboutService, isLoaded("hapticd.service") else { return [] }
        let folder = "/etc/systemd/system/hapticd.service.d"
        let writes = files.map { file -> Remedy in
            let words = (["[Service]"] + file.lines).map(shellQuoted).joined(separator: " ")
            return .root("printf '%s\\n' \(words)", into: "tee \(folder)/zz-\(file.name).conf")
        }
        return [.root("mkdir -p \(folder)")] + writes + [
            .root("systemctl daemon-reload"), .root("systemctl restart hapticd.service"),
        ]
    }
}
