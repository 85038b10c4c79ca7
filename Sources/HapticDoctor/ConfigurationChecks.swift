// SPDX-License-Identifier: MIT
import HapticCore
import HapticTerminal
import HapticWire

/// The checks of the configuration that the daemon starts with.
enum ConfigurationChecks {
    static func findings(_ facts: Facts) -> [Finding] {
        guard let other = otherFile(facts) else { return file(facts) }
        return file(facts).filter { $0.kind != nil && $0.kind != .configurationOther } + [other]
    }

    private static func file(_ facts: Facts) -> [Finding] {
        let (path, file) = (facts.configuration.path, shellQuotedPath(facts.configuration.path))
        switch facts.configuration.state {
        case .missing: return [.ok(.configuration, "there is no \(path), so the built-in one counts")]
        case .unreadable(let why):
            let asRoot = facts.user.isRoot ? [] : [facts.doctorAsRoot]
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

    private static func listed(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
