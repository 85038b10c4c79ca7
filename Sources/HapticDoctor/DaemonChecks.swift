// SPDX-License-Identifier: MIT
import HapticTerminal
import HapticWire

/// The checks of the way to the daemon, and of its answers.
enum DaemonChecks {
    static func socket(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        if case .ignoredVariable(let path) = facts.naming {
            findings.append(
                Finding(
                    .socketIgnored, "`$HAPTICD_SOCKET` is \(path)",
                    remedies: [.user("hapticctl doctor --socket=\(shellQuoted(path))")]))
        }
        return findings + [reached(facts)]
    }

    private static func reached(_ facts: Facts) -> Finding {
        if let one = facts.sockets.first(where: { $0.outcome == .connected }) { return .ok(.socket, "connected at \(one.path)") }
        if let one = facts.sockets.first(where: { $0.outcome == .refused }) { return refused(one, facts) }
        for one in facts.sockets {
            if case .failed(let why) = one.outcome {
                return Finding(.daemonSilent, "\(one.path): \(why)", remedies: restarted(facts))
            }
        }
        return nobody(facts)
    }

    /// Who may connect is said by the file's group.
    private static func refused(_ socket: SocketFacts, _ facts: Facts) -> Finding {
        let who = facts.user.name.isEmpty ? "the user \(facts.user.id)" : facts.user.name
        guard let file = socket.file, file.mode & 0o020 != 0, let group = file.groupName, !facts.user.groups.contains(file.group),
            // Its members open the devices themselves, past all limits.
            group != "hapticd", group != "root"
        else {
            let mode = socket.file.map {
                ", which has the mode 0\(String($0.mode, radix: 8)) and the group \($0.groupName ?? "\($0.group)")"
            }
            return Finding(
                .socketRights, "\(who) may not connect to \(socket.path)\(mode ?? "")",
                remedies: facts.isLoaded("hapticd.socket") ? [.root("systemctl restart hapticd.socket hapticd.service")] : [])
        }
        let shell = Remedy.user("newgrp \(shellQuoted(group))")
        if facts.user.groupsAtLogin.contains(file.group) {
            return Finding(.socketLogin, "\(who) is in the group \(group) from the next login on", remedies: [shell])
        }
        return Finding(
            .socketGroup, "\(socket.path) is for the group \(group), and \(who) is not in it",
            remedies: [.root("usermod -aG \(shellQuoted(group)) \(shellQuoted(facts.user.name))"), shell])
    }

    private static func nobody(_ facts: Facts) -> Finding {
        let places = facts.sockets.map(\.path).joined(separator: " or ")
        if case .variable(let path) = facts.naming {
            let isOther = facts.sockets.contains { $0.file?.isSocket == false }
            return Finding(
                .socketVariable, "`$HAPTICD_SOCKET` is \(path), \(isOther ? "which is no socket" : "and nobody listens there")",
                remedies: [.user("unset HAPTICD_SOCKET")])
        }
        if let other = facts.sockets.first(where: { $0.file?.isSocket == false }) {
            // A file that somebody names by mistake stays where it is.
            guard facts.naming != .option else {
                return Finding(
                    .socketForeign, "\(other.path), which --socket names, is not a socket; name another one",
                    remedies: [.root("ls -ld \(shellQuotedPath(other.path))")])
            }
            return Finding(
                .socketForeign, "\(other.path) is not a socket",
                remedies: [.root("ls -ld \(shellQuotedPath(other.path))"), .root("mv -n \(moved(other.path))")]
                    + start(facts, other.path))
        }
        if let stale = facts.sockets.first(where: { $0.file != nil }) {
            return Finding(.socketStale, "nobody listens on \(stale.path)", remedies: start(facts, stale.path))
        }
        return Finding(.socketMissing, "there is no socket at \(places)", remedies: start(facts, facts.sockets.first?.path))
    }

    private static func moved(_ path: String) -> String { "\(shellQuotedPath(path)) \(shellQuotedPath(path + ".old"))" }

    /// What makes a daemon listen there.
    private static func start(_ facts: Facts, _ path: String?) -> [Remedy] {
        if facts.isAboutService, facts.isLoaded("hapticd.socket") { return [.root("systemctl restart hapticd.socket")] }
        guard facts.naming == .option, let path else { return [.user("hapticd --simulate")] }
        return [.user("hapticd --simulate --socket=\(shellQuoted(path))")]
    }

    static func answers(_ facts: Facts) -> [Finding] {
        guard let status = facts.daemon.status else {
            return facts.daemon.failure.map { [unanswered($0, facts)] } ?? []
        }
        // by bytes: a daemon may say anything.
        guard status.version.utf8.elementsEqual(HapticVersion.current.utf8) else {
            return [
                Finding(
                    .daemonVersion, "hapticd is \(status.version), hapticctl \(HapticVersion.current)",
                    remedies: facts.isAboutService ? [.root("systemctl restart hapticd.service")] : [])
            ]
        }
        if let failure = facts.daemon.historyFailure {
            return [unanswered(failure, of: "the last decisions: ", facts)]
        }
        return [.ok(.daemon, "hapticd \(status.version) answers; hapticctl has the same version")]
    }

    /// Of what it was asked.
    private static func unanswered(_ failure: DaemonFacts.Failure, of what: String = "", _ facts: Facts) -> Finding {
        let words = what + failure.words
        switch failure.kind {
        case .silent: return Finding(.daemonSilent, words, remedies: restarted(facts))
        case .strange: return Finding(.daemonStrange, words, remedies: restarted(facts))
        case .refused(let isAccess):
            let helps = isAccess && !facts.user.isRoot
            return Finding(.daemonRefused, words, remedies: helps ? [facts.doctorAsRoot] : [])
        }
    }

    /// Nothing where it is not the service's.
    private static func restarted(_ facts: Facts) -> [Remedy] {
        guard facts.isAboutService, facts.isLoaded("hapticd.service") else { return [] }
        return [
            .root("journalctl -u hapticd -n 20 --no-pager"), .root("systemctl reset-failed hapticd.service hapticd.socket"),
            .root("systemctl restart hapticd.socket hapticd.service"),
        ]
    }
}
