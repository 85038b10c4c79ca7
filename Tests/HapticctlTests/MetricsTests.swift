// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("Metrics for Prometheus")
struct MetricsTests {
    private static let odd = "a \"b\" \\ c\nd"

    static let status = StatusResult(
        version: "0.1.0", uptimeMs: 61_500, profile: "quiet",
        settings: SettingsNow(SettingsInForce(Settings(off: .forGood)), at: .zero, nil, isKept: true), clients: 2, sources: 3,
        playbacks: 1,
        decisions: [.init(outcome: "played", reason: nil, count: 7), .init(outcome: "suppressed", reason: "stale", count: 2)],
        subscribers: 1, invalidNotifications: 4,
        refused: [.init(by: "requestsPerClient", count: 8), .init(by: "reload", count: 1)], missed: 5, missedActuations: 6,
        missedByActuator: [.init(actuator: "main", count: 6), .init(actuator: odd, count: 0)],
        missedDeadlines: [
            .init(feedbackClass: "alarm", stale: 0, late: 0, leftOut: 0),
            .init(feedbackClass: "texture", stale: 2, late: 1, leftOut: 3),
        ],
        unavailable: [.init(actuator: odd, error: "unplugged")],
        realtime: .init(
            priority: 40, lockMemory: true, granted: .init(priority: true, lockMemory: false), remedies: ["raise the limit"]),
        lateness: [
            .init(
                of: "main", count: 1000, sumNs: 60_000_000, p50Ns: 50_000, p90Ns: 80_000, p99Ns: 120_000, p999Ns: 900_000,
                maxNs: 1_500_000),
            .init(of: odd, count: 0, sumNs: 0, p50Ns: 0, p90Ns: 0, p99Ns: 0, p999Ns: 0, maxNs: 0),
        ],
        latency: [
            .init(
                of: "texture", count: 7, sumNs: 700_000, p50Ns: 100_000, p90Ns: 100_000, p99Ns: 100_000, p999Ns: 100_000,
                maxNs: 100_000)
        ],
        heat: [
            .init(actuator: "main", share: 0.932, strength: 0.79, lowered: 3, cut: 1),
            .init(actuator: "pad", share: 0.04, strength: 1, lowered: 0, cut: 0),
        ])

    @Test("Each figure of the status is there, in base units, in the form that Prometheus reads")
    func exposition() throws {
        let metrics = try ExpositionParser(PrometheusText(Self.status).text)
        let expected: [(String, [String: String], Double)] = [
            ("hapticd_build_info", ["version": "0.1.0"], 1), ("hapticd_uptime_seconds", [:], 61.5),
            ("hapticd_profile", ["profile": "quiet"], 1), ("hapticd_profile", ["profile": "full"], 0),
            ("hapticd_off", [:], 1), ("hapticd_quiet_hours", [:], 0), ("hapticd_clients", [:], 2), ("hapticd_sources", [:], 3),
            ("hapticd_playbacks", [:], 1),
            ("hapticd_subscribers", [:], 1), ("hapticd_invalid_notifications_total", [:], 4),
            ("hapticd_missed_notifications_total", [:], 5),
            ("hapticd_refused_total", ["by": "requestsPerClient"], 8), ("hapticd_refused_total", ["by": "reload"], 1),
            ("hapticd_decisions_total", ["outcome": "played", "reason": ""], 7),
            ("hapticd_decisions_total", ["outcome": "suppressed", "reason": "stale"], 2),
            ("hapticd_missed_deadlines_total", ["class": "texture", "how": "stale"], 2),
            ("hapticd_missed_deadlines_total", ["class": "texture", "how": "late"], 1),
            ("hapticd_missed_deadlines_total", ["class": "texture", "how": "leftOut"], 3),
            ("hapticd_missed_deadlines_total", ["class": "alarm", "how": "late"], 0),
            ("hapticd_missed_actuations_total", ["actuator": "main"], 6),
            ("hapticd_actuator_available", ["actuator": "main"], 1),
            ("hapticd_actuator_available", ["actuator": Self.odd], 0),
            ("hapticd_actuator_heat_ratio", ["actuator": "main"], 0.932),
            ("hapticd_actuator_heat_total", ["actuator": "main", "how": "lowered"], 3),
            ("hapticd_actuator_heat_total", ["actuator": "main", "how": "cut"], 1),
            ("hapticd_actuator_heat_total", ["actuator": "pad", "how": "cut"], 0),
            ("hapticd_realtime_granted", ["what": "priority"], 1), ("hapticd_realtime_granted", ["what": "lockMemory"], 0),
            ("hapticd_actuation_lateness_seconds", ["actuator": "main", "quantile": "0.5"], 0.00005),
            ("hapticd_actuation_lateness_seconds", ["actuator": "main", "quantile": "0.999"], 0.0009),
            ("hapticd_actuation_lateness_seconds_sum", ["actuator": "main"], 0.06),
            ("hapticd_actuation_lateness_seconds_count", ["actuator": "main"], 1000),
            ("hapticd_actuation_lateness_worst_seconds", ["actuator": "main"], 0.0015),
            ("hapticd_input_latency_seconds", ["class": "texture", "quantile": "0.99"], 0.0001),
            ("hapticd_input_latency_seconds_count", ["class": "texture"], 7),
        ]
        for (name, labels, value) in expected { #expect(metrics[name, labels] == value, "\(name) \(labels)") }
        #expect(metrics["hapticd_realtime_granted", ["what": "cpu"]] == nil)
        let none = metrics["hapticd_actuation_lateness_seconds", ["actuator": Self.odd, "quantile": "0.5"]]
        #expect(none?.isNaN == true)
        #expect(metrics.kinds["hapticd_actuation_lateness_seconds"] == "summary")
        #expect(metrics.kinds["hapticd_decisions_total"] == "counter")
        #expect(metrics.kinds.keys.allSatisfy { $0.hasPrefix("hapticd_") })
    }

    @Test(
        "The parser of this test finds what is not in that form",
        arguments: [
            "x 1\n", "# HELP x y\n# TYPE x gauge\nx 1", "# HELP x y\n# TYPE x counter\nx 1\n",
            "# HELP x y\n# TYPE x gauge\nx{a=\"1\\t\"} 1\n", "# HELP x y\n# TYPE x gauge\nx{a=\"1\"} 1\nx{a=\"1\"} 2\n",
            "# HELP x y\n# TYPE x gauge\nx{a=\"1} 1\n", "# HELP x y\n# TYPE x gauge\nx one\n",
            "# HELP x y\n# TYPE x summary\nx{quantile=\"2\"} 1\n", "# TYPE x gauge\nx 1\n",
            "# HELP x y\n# TYPE x gauge\nx 1\n# HELP x y\n", "# HELP x y\n# TYPE x gauge\ny 1\n",
        ])
    func violations(text: String) {
        #expect(throws: ExpositionParser.Violation.self) { try ExpositionParser(text) }
    }

    // MARK: The file

    private func withDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/hapticctl-metrics-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func content(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The file is replaced as a whole, is readable by all, and leaves nothing beside it")
    func replaced() throws {
        try withDirectory { directory in
            let path = directory + "/hapticd.prom"
            try WholeFile.write("old\n", to: path)
            chmod(path, 0o600)
            let before = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(before) }
            try WholeFile.write("new\n", to: path, forAll: true)
            #expect(content(path) == "new\n")
            // Who had it open still reads the old one, whole.
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(read(before, &bytes, 16) == 4)
            #expect(bytes.starts(with: Array("old\n".utf8)))
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o644)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["hapticd.prom"])
        }
    }

    @Test("A file that takes the place of another has its permissions, and a new one those of the umask")
    func permissions() throws {
        try withDirectory { directory in
            func mode(_ path: String) -> mode_t {
                var status = stat()
                return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
            }
            let path = directory + "/mine.yaml"
            try WholeFile.write("old\n", to: path)
            let plain = open(directory + "/plain", O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)
            close(plain)
            #expect(mode(path) == mode(directory + "/plain"))
            for permissions in [0o600, 0o640] as [mode_t] {
                chmod(path, permissions)
                try WholeFile.write("new\n", to: path)
                #expect(mode(path) == permissions && content(path) == "new\n")
            }
        }
    }

    @Test("A symbolic link is refused, and it and what it leads to stay as they were", arguments: ["real", "nothing", "link"])
    func symbolicLink(target: String) throws {
        try withDirectory { directory in
            let link = directory + "/link"
            try WholeFile.write("old\n", to: directory + "/real")
            #expect(symlink(target, link) == 0)
            let failure = #expect(throws: Failure.self) { try WholeFile.write("new\n", to: link) }
            #expect(failure?.lines.joined().contains("symbolic link; give the file itself") == true)
            #expect(content(directory + "/real") == "old\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["link", "real"])
        }
    }

    @Test(
        "What cannot be written says so, and what to do",
        arguments: [("/nowhere/x.prom", "directory first"), ("/dev/null", "`-`"), ("/tmp", "`-`")])
    func refused(path: String, word: String) {
        let failure = #expect(throws: Failure.self) { try WholeFile.write("x\n", to: path) }
        #expect(failure?.lines.contains { $0.contains(word) } == true, "\(failure?.lines ?? [])")
        #expect(failure?.lines.contains { $0.contains(path) } == true)
        #expect(failure?.status == ExitStatus.failed)
    }
}
