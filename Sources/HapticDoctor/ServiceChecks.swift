// SPDX-License-Identifier: MIT
import HapticTerminal
import HapticWire

/// The checks of the units of systemd.
enum ServiceChecks {
    private static let (daemonUnit, socketUnit) = ("hapticd.service", "hapticd.socket")

    static func findings(_ facts: Facts) -> [Finding] {
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
}
