// SPDX-License-Identifier: MIT
import HapticCore
import HapticTerminal
import HapticWire

/// The units, and the configuration that the daemon starts with.
extension Checks {
    private static let (daemonUnit, socketUnit) = ("hapticd.service", "hapticd.socket")

    static func service(_ facts: Facts) -> [Finding] {
        guard facts.isAboutService else { return [.ok(.service, "not looked at: the daemon is not the system's")] }
        guard facts.service.units != nil else {
            let why = facts.service.isSilent ? "systemctl did not answer" : "there is no systemd here"
            return [.ok(.service, "not looked at: \(why)")]
        }
        guard facts.service[daemonUnit, "LoadState"] != "not-found" || facts.service[socketUnit, "LoadState"] != "not-found"
        else {
            return [
                facts.daemon.status == nil
                    ? Finding(
                        .serviceMissing, "\(daemonUnit) and \(socketUnit) are not there",
                        remedies: [.root("apt install ./hapticd_*.deb"), .user("hapticd --simulate")])
                    : .ok(.service, "the daemon was started without a unit of the system")
            ]
        }
        var findings = [state(facts)]
        if isOff(socketUnit, facts), isOff(daemonUnit, facts) {
            findings.append(
                Finding(
                    .serviceDisabled, "\(socketUnit) and \(daemonUnit) are disabled",
                    remedies: [.root("systemctl enable \(socketUnit) \(daemonUnit)")]))
        }
        if let text = facts.service[daemonUnit, "NRestarts"], let count = Int(text), count > 0 {
            findings.append(
                Finding(
                    .serviceRestarts, "restarted \(Words.count(count, "time"))",
                    remedies: [.root("journalctl -u hapticd -n 50 --no-pager")]))
        }
        return findings
    }

    private static func isOff(_ unit: String, _ facts: Facts) -> Bool { facts.service[unit, "UnitFileState"] == "disabled" }

    private static func state(_ facts: Facts) -> Finding {
        for unit in [daemonUnit, socketUnit] where facts.service[unit, "ActiveState"] == "failed" {
            let result = facts.service[unit, "Result"].map { " (\($0))" } ?? ""
            return Finding(
                .serviceFailed, "\(unit) has failed\(result)", details: facts.service.lastError.map { ["its log: \($0)"] } ?? [],
                remedies: [
                    .root("journalctl -u hapticd -n 20 --no-pager"), .root("systemctl reset-failed \(daemonUnit) \(socketUnit)"),
                    .root("systemctl start \(socketUnit) \(daemonUnit)"),
                ])
        }
        let (socket, daemon) = (facts.service[socketUnit, "ActiveState"] ?? "", facts.service[daemonUnit, "ActiveState"] ?? "")
        guard socket == "active" || socket == "activating" else {
            let isMasked = facts.service[socketUnit, "LoadState"] == "masked"
            return Finding(
                .serviceStopped, "\(socketUnit) is \(isMasked ? "masked" : socket)",
                remedies: (isMasked ? [.root("systemctl unmask \(socketUnit)")] : []) + [.root("systemctl start \(socketUnit)")])
        }
        return .ok(.service, "\(socketUnit) is \(socket), \(daemonUnit) \(daemon)")
    }

    static func configuration(_ facts: Facts) -> [Finding] {
        guard let other = otherFile(facts) else { return file(facts) }
        return file(facts).filter { $0.kind != nil && $0.kind != .configurationOther } + [other]
    }

    private static func file(_ facts: Facts) -> [Finding] {
        let (path, file) = (facts.configuration.path, shellQuotedPath(facts.configuration.path))
        switch facts.configuration.state {
        case .missing: return [.ok(.configuration, "there is no \(path), so the built-in one counts")]
        case .unreadable(let why):
            let asRoot = facts.user.isRoot ? [] : [facts.hapticctl("doctor\(option(facts))", asRoot: true)]
            return [Finding(.configurationUnreadable, "\(path): \(why)", remedies: asRoot)]
        case .invalid(let count, let lines):
            let reload = facts.daemon.status == nil ? [] : [facts.hapticctl("reload")]
            return [
                Finding(
                    .configurationInvalid, "\(path) has \(Words.count(count, "error"))", details: lines,
                    remedies: [.root("editor \(file)"), .user("hapticctl check-config \(file)")] + reload)
            ]
        case .valid(let names):
            let answered = facts.actuators.compactMap(\.answer).map(\.name)
            guard facts.isConfigurationDaemons, names.map({ Text($0) }) != answered.map({ Text($0) })
            else {
                return [.ok(.configuration, "\(path) has no errors")]
            }
            return [
                Finding(
                    .configurationOther, "\(path) has \(listed(names)); the daemon has \(listed(answered))",
                    remedies: [facts.hapticctl("reload")])
            ]
        }
    }

    /// The daemon says that it does not run with what is in the file.
    private static func otherFile(_ facts: Facts) -> Finding? {
        guard facts.isConfigurationDaemons else { return nil }
        let (path, isMissing) = (facts.configuration.path, facts.configuration.state == .missing)
        switch facts.configuration.running {
        case .unknown: return nil
        case .thisFile:
            guard isMissing else { return nil }
            return Finding(
                .configurationOther, "there is no \(path) any more; the daemon still runs with what it read there",
                remedies: [facts.hapticctl("reload")])
        case .builtIn:
            guard !isMissing else { return nil }
            // A reload looks for no file but this.
            let reload = path == ConfigurationFile.standardPath ? [facts.hapticctl("reload")] : []
            return Finding(
                .configurationOther, "the daemon runs with the built-in configuration, not with \(path)", remedies: reload)
        case .otherFile(let file):
            return Finding(
                .configurationOther, "the daemon runs with \(file), not with \(path)",
                remedies: [facts.hapticctl("doctor --config=\(shellQuoted(file))")])
        }
    }

    /// `--config`, where the doctor was given one.
    static func option(_ facts: Facts) -> String {
        guard facts.configuration.path != ConfigurationFile.standardPath else { return "" }
        return " --config=\(shellQuoted(facts.configuration.path))"
    }

    private static func listed(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
