// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticClient
import HapticCore
package import HapticTerminal
import HapticText
import HapticWire
import HapticYAML

/// Fills a report. Documents are read before sentences, so that the names in them are known, and stand behind what the doctor says.
package struct ReportSources {
    let examination: Examination
    let facts: Facts
    let isFull: Bool

    package init(socket: String?, configurationPath: String?, isFull: Bool) throws(Failure) {
        var examination = try Examination(socket: socket, configurationPath: configurationPath)
        facts = examination.facts()
        self.examination = examination
        self.isFull = isFull
    }

    package func report() -> BugReport {
        var report = BugReport(hiding: isFull ? nil : HiddenNames(), date: Self.date("%Y-%m-%dT%H:%M:%SZ"))
        // Root's name is nobody's.
        let own = [facts.user.name, Self.variable("HOME") ?? ""].filter { !["root", "/root"].contains($0) }
        report.hide(own + [Self.hostName] + Self.names(facts))
        report.section("versions")
        report.add(plain: versions())
        let top = report.lines.count
        report.section("configuration")
        addConfiguration(to: &report)
        report.section("devices")
        for inventory in Backends.all.compactMap({ $0.inventory() }) {
            for object in inventory.objects.prefix(Self.mostDevices) { report.add(object) }
        }
        addDaemon(to: &report)
        report.section("what the doctor finds", of: findings(), before: top)
        report.section("service")
        report.add(plain: ServiceFacts.names.flatMap(unit))
        report.section("log of the service, the last \(Self.mostEntries) lines\(isFull ? "" : " but those of the level debug")")
        addLog(to: &report)
        return report
    }

    /// Those in what the doctor finds: programs, groups of people, and paths that somebody has chosen.
    static func names(_ facts: Facts) -> [String] {
        let programs = facts.actuators.flatMap(\.holders).map(\.name).filter { !["hapticd", "haptic-guard"].contains($0) }
        let files = facts.actuators.flatMap(\.files) + facts.sockets.compactMap(\.file)
        // Below are the system's own.
        let groups = files.filter { $0.group >= 1000 }.compactMap(\.groupName)
        var paths = facts.sockets.map(\.path) + [facts.configuration.path]
        if case .ignoredVariable(let path) = facts.naming { paths.append(path) }
        let standard = [Facts.systemSocket, "/run/user/\(facts.user.id)/hapticd/hapticd.sock", ConfigurationFile.standardPath]
        return programs + groups + paths.filter { !standard.contains($0) }
    }

    /// Of each kind of device, and of the log.
    private static let (mostDevices, mostEntries) = (100, 200)

    private func addConfiguration(to report: inout BugReport) {
        let path = facts.configuration.path
        // Who runs a daemon may name a file that only this user may read.
        guard !facts.configuration.isNamedByDaemon else {
            return report.add(
                text: ["the daemon says that it runs with \(path); --config=\(shellQuoted(path)) would include it"])
        }
        guard let bytes = try? FileAccess.disk.read(path, YAML.Limit.bytes) else {
            return report.add(text: ["\(path) is not there, or this user may not read it"])
        }
        if isFull {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            return report.add(plain: lines.map(String.init))
        }
        guard let tree = YAML.parse(bytes, report: DocumentReport(file: nil)) else {
            return report.add(plain: ["it is not YAML, so it is left out; --full shows it"])
        }
        report.add(configuration: tree)
    }

    private func addDaemon(to report: inout BugReport) {
        report.section("actuators")
        if let answers = examination.answers { for one in answers.actuators { report.add(one) } }
        report.section("status")
        if let status = facts.daemon.status { report.add(status) }
        if let failure = facts.daemon.failure { report.add(text: [failure.words]) }
        report.section("recent decisions")
        addDecisions(to: &report)
    }

    /// The newest first; and how many there were, of each outcome and reason.
    private func addDecisions(to report: inout BugReport) {
        for count in facts.daemon.status?.decisions ?? [] { report.add(count) }
        for entry in examination.history?.entries ?? [] { report.add(entry) }
        if let failure = facts.daemon.historyFailure { report.add(text: [failure.words]) }
    }

    // MARK: Lines

    private func versions() -> [String] {
        var names = utsname()
        uname(&names)
        func text<Tuple>(_ characters: Tuple) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let system = SystemFacts.lines("/etc/os-release").first { $0.begins(with: "PRETTY_NAME=") }
        return [
            "hapticctl \(HapticVersion.current)", "hapticd \(facts.daemon.status?.version ?? "does not answer")",
            "\(text(names.sysname)) \(text(names.release)) \(text(names.version)) \(text(names.machine))",
            system.map { String($0.dropFirst("PRETTY_NAME=".utf8.count)) } ?? "no os-release",
        ]
    }

    private func findings() -> [String] {
        Checks.findings(facts).flatMap { finding in
            var finding = finding
            // Lines of the file itself.
            if !isFull || facts.configuration.isNamedByDaemon, finding.kind == .configurationInvalid { finding.details = [] }
            let lines = DoctorText(findings: [], isRoot: facts.user.isRoot).lines(finding).prefix(1 + finding.details.count)
            return lines.map { $0.map(\.text).joined() }
        }
    }

    private func unit(_ name: String) -> [String] {
        guard let properties = facts.service.units?[name] else {
            return ["\(name): \(facts.service.isSilent ? "systemctl did not answer" : "systemd was not asked")"]
        }
        return [name] + properties.sorted { $0.key < $1.key }.map { "  \($0.key)=\($0.value)" }
    }

    /// Decisions, with ids as clients made them up, are at the level debug.
    private func addLog(to report: inout BugReport) {
        let arguments = [
            "-u", "hapticd.service", "-n", "\(Self.mostEntries)", "-o", "short-iso", "-q", "--no-pager", "--no-hostname",
        ]
        var tool = Tool("journalctl")
        // A large log is read slowly from a card.
        tool?.patience = 10_000_000_000
        let (lines, note) = Self.log(tool?.ask(arguments + ["-p", isFull ? "debug" : "info"]))
        report.add(text: lines)
        if let note { report.add(plain: [note]) }
    }

    /// The whole lines of it, and what is to be said of the rest.
    static func log(_ answer: Tool.Answer?) -> (lines: [String], note: String?) {
        guard let answer else { return ([], "there is no journalctl to ask") }
        var lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Behind the last end of a line: nothing, or a part of a line, in which no name would be found.
        lines.removeLast()
        switch answer.status {
        case nil: return (lines, "the rest is left out: journalctl took too long, or said too much")
        case 0? where !lines.isEmpty: return (lines, nil)
        default: return (lines, "none that this user may read")
        }
    }

    // MARK: The machine

    package static func date(_ format: String) -> String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        var bytes = [CChar](repeating: 0, count: 64)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        gethostname(&bytes, bytes.count - 1)
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
