// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Metrics for Prometheus")
struct MetricsTests {
    private static let odd = "a \"b\" \\ c\nd"

    static let status = {
        var status = StatusResult()
        (status.version, status.uptimeMs, status.profile) = ("0.1.0", 61_500, .quiet)
        status.settings = SettingsNow(SettingsInForce(Settings(off: .forGood)), at: .zero, nil, isKept: true)
        status.configuration = .init(file: "/etc/hapticd/hapticd.yaml")
        (status.clients, status.sources, status.playbacks, status.subscribers) = (2, 3, 1, 1)
        status.decisions = [
            .init(outcome: .played, reason: nil, count: 7), .init(outcome: .suppressed, reason: .stale, count: 2),
        ]
        (status.invalidNotifications, status.missed, status.missedActuations) = (4, 5, 6)
        status.refused = [.init(by: "requestsPerClient", count: 8), .init(by: "reload", count: 1)]
        status.missedByActuator = [.init(actuator: "main", count: 6), .init(actuator: odd, count: 0)]
        status.missedDeadlines = [
            .init(feedbackClass: .alarm, stale: 0, late: 0, leftOut: 0),
            .init(feedbackClass: .texture, stale: 2, late: 1, leftOut: 3),
        ]
        status.unavailable = [.init(actuator: odd, error: "unplugged")]
        status.realtime = .init(
            priority: 40, lockMemory: true, granted: .init(priority: true, lockMemory: false), remedies: ["raise the limit"])
        status.lateness = [
            .init(
                of: "main", count: 1000, sumNs: 60_000_000, p50Ns: 50_000, p90Ns: 80_000, p99Ns: 120_000, p999Ns: 900_000,
                maxNs: 1_500_000),
            .init(of: odd, count: 0, sumNs: 0, p50Ns: 0, p90Ns: 0, p99Ns: 0, p999Ns: 0, maxNs: 0),
        ]
        status.latency = [
            .init(
                of: "texture", count: 7, sumNs: 700_000, p50Ns: 100_000, p90Ns: 100_000, p99Ns: 100_000, p999Ns: 100_000,
                maxNs: 100_000)
        ]
        status.heat = [
            .init(actuator: "main", share: 0.932, strength: 0.79, lowered: 3, cut: 1),
            .init(actuator: "pad", share: 0.04, strength: 1, lowered: 0, cut: 0),
        ]
        return status
    }()

    @Test("The metrics have each figure of the status, in base units")
    func exposition() throws { try expectSnapshot(of: PrometheusText(Self.status).text, "metrics") }

    @Test("Each metric is one group, with its help and its type before its samples, and no sample twice")
    func format() throws {
        let groups = PrometheusText(Self.status).text.split(separator: "# HELP ").map { $0.split(separator: "\n") }
        for group in groups {
            let (help, type, samples) = (group[0].split(separator: " "), group[1].split(separator: " "), group.dropFirst(2))
            let (name, kind) = (help[0], type[3])
            #expect(name.hasPrefix("hapticd_"))
            #expect(help.count > 1, "\(name) has no help")
            #expect(type == ["#", "TYPE", name, kind])
            #expect(["counter", "gauge", "summary"].contains(kind))
            #expect((kind == "counter") == name.hasSuffix("_total"))
            let names = kind == "summary" ? ["\(name){", "\(name)_sum{", "\(name)_count{"] : ["\(name){", "\(name) "]
            let others = samples.filter { sample in !names.contains { sample.hasPrefix($0) } }
            #expect(others == [])
            let series = samples.map { $0.prefix(upTo: $0.lastIndex(of: " ") ?? $0.startIndex) }
            #expect(Set(series).count == series.count, "\(series)")
            for sample in samples { #expect(Double(sample.split(separator: " ").last ?? "") != nil, "\(sample)") }
        }
        #expect(Set(groups.map { $0[1] }).count == groups.count)
    }

    // MARK: The file

    private func content(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The file is replaced as a whole, is readable by all, and leaves nothing beside it")
    func replaced() throws {
        try withFolder { directory in
            let path = directory + "/hapticd.prom"
            try WholeFile.write("old\n", to: path)
            chmod(path, 0o600)
            let before = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(before) }
            try WholeFile.write("new\n", to: path, forAll: true)
            #expect(content(path) == "new\n")
            // Whoever had it open still reads the old one, whole.
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(read(before, &bytes, 16) == 4)
            #expect(bytes.starts(with: Array("old\n".utf8)))
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o644)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["hapticd.prom"])
        }
    }

    @Test("A file that replaces another keeps its permissions, and a new one has those of the umask")
    func permissions() throws {
        try withFolder { directory in
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
                #expect(mode(path) == permissions)
                #expect(content(path) == "new\n")
            }
        }
    }

    @Test("A symbolic link is refused, and both the link and its target stay unchanged", arguments: ["real", "nothing", "link"])
    func symbolicLink(target: String) throws {
        try withFolder { directory in
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
        "A file that cannot be written is an error with its path and what to do",
        arguments: [("/nowhere/x.prom", "directory first"), ("/dev/null", "`-`"), ("/tmp", "`-`")])
    func refused(path: String, word: String) {
        let failure = #expect(throws: Failure.self) { try WholeFile.write("x\n", to: path) }
        #expect(failure?.lines.contains { $0.contains(word) } == true, "\(failure?.lines ?? [])")
        #expect(failure?.lines.contains { $0.contains(path) } == true)
        #expect(failure?.status == ExitStatus.failed)
    }
}
