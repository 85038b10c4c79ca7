// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticReplay
import TestSupport
import Testing

/// Each file in `Traces` is a case: configuration, inputs, and below them what they come to.
@Suite("Golden traces of the engine")
struct GoldenTraceTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Traces")
    static let files: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    /// Whether what is recorded is recorded again instead of compared: `make traces`.
    private static let isRewriting = ProcessInfo.processInfo.environment["HAPTICD_REWRITE_TRACES"] != nil

    @Test("The folder of scenarios holds scenarios and nothing else")
    func folder() {
        #expect(!Self.files.isEmpty)
        #expect(Self.files.filter { !$0.hasSuffix(".trace") } == [])
    }

    @Test("The trace of a scenario is the recorded one", arguments: files)
    func trace(file: String) throws {
        let url = Self.folder.appendingPathComponent(file)
        let scenario = try Scenario(try String(contentsOf: url, encoding: .utf8), file: file)
        let lines = TraceWriter(try Performance(scenario)).lines
        if Self.isRewriting {
            let text = (scenario.given + [Scenario.traceHeading] + lines).joined(separator: "\n") + "\n"
            return try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let differences = Self.differences(of: lines, from: scenario)
        #expect(differences.isEmpty, "\n\(differences.prefix(60).joined(separator: "\n"))\n`make traces` records what comes now")
    }

    @Test("The journal of a scenario replays to the same decisions", arguments: files)
    func journal(file: String) throws {
        let scenario = try Scenario(String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8), file: file)
        let journal = Lines()
        let configuration = try #require(scenario.configurations[""])
        _ = try Performance(scenario, recorder: JournalWriter(configuration, version: "", at: .zero, to: journal))
        let lines = journal.bytes.split(separator: UInt8(ascii: "\n"))
        var replay = try Replay(Array(lines[0]))
        for line in lines.dropFirst() { _ = try replay.take(Array(line)) }
        #expect(lines.count > 1)
    }

    private final class Lines: JournalOutput {
        private(set) var bytes: [UInt8] = []
        let isBehind = false

        func write(_ bytes: [UInt8]) { self.bytes += bytes }
    }

    private static func differences(of lines: [String], from scenario: Scenario) -> [String] {
        lineDifferences(from: scenario.trace, to: lines, of: scenario.file, firstLine: scenario.given.count + 2)
    }

    @Test("A difference is shown line by line, with the file and the line")
    func differences() throws {
        let given = "# A touch.\n=== inputs\n0ms play { pattern: soft }\n"
        let lines = TraceWriter(try Performance(try Scenario(given, file: "a"))).lines
        #expect(lines.count == 4)
        let whole = given + "=== trace\n" + lines.joined(separator: "\n")
        #expect(Self.differences(of: lines, from: try Scenario(whole, file: "a")) == [])
        let other = try Scenario(whole.replacingOccurrences(of: "8ms off", with: "9ms off") + "\nmore", file: "a")
        #expect(
            Self.differences(of: lines, from: other) == [
                "a:8: - \(other.trace[3])", "a:9: - more", "a:10: + \(lines[3])",
            ])
        #expect(Self.differences(of: lines, from: try Scenario(given, file: "a")).first == "a:5: + \(lines[0])")
    }

    @Test(
        "A mistake in a scenario is reported with its line",
        arguments: [
            ("", "a:1: say in a comment what the scenario shows"),
            ("# t\n0ms", "a:2: before the first heading there are only comments; begin it with `#`"),
            ("# t\n", "a:1: the section `inputs` is missing"),
            ("# t\n=== inputs\n=== inputs", "a:3: `inputs` stands here twice"),
            ("# t\n=== outputs", "a:2: there is no section `outputs`;"),
            ("# t\n=== inputs\n\nsoon play", "a:4: expected a time such as `20ms`"),
            ("# t\n=== inputs\n1ms", "a:3: nothing happens here; say what"),
            ("# t\n=== inputs\n1ms vibrate", "a:3: there is no method `vibrate`"),
            ("# t\n=== inputs\n1ms progress { id: a, valu: 1 }", "a:3: `valu` is not a member"),
            ("# t\n=== inputs\n1ms progress { id: a", "a:3: "),
            ("# t\n=== inputs\n1ms play { pattern: softer }", "a:3: `pattern`: unknown pattern `softer`"),
            ("# t\n=== inputs\n1ms status", "a:3: the engine decides nothing about `status`"),
            ("# t\n=== inputs\n1ms eve: release", "a:3: there is no client `eve`"),
            ("# t\n=== inputs\n+ release", "a:3: `+` adds to the calls of the line before"),
            ("# t\n=== inputs\n1ms every 2ms release", "a:3: `every` needs values"),
            ("# t\n=== inputs\n1ms lost", "a:3: `lost` needs the name of an actuator"),
            ("# t\n=== inputs\n1ms lost pad", "a:3: there is no actuator `pad`"),
            ("# t\n=== inputs\n1ms back main as motor", "a:3: `as` needs the name of a motor, such as `pad`"),
            ("# t\n=== inputs\n1ms reload other", "a:3: there is no section `configuration other`"),
            ("# t\n=== inputs\n1ms refuse event often", "a:3: `refuse` needs a kind of input and a reason"),
            ("# t\n=== inputs\n1ms shutdown now", "a:3: what is `now` behind `shutdown`?"),
            ("# t\n=== inputs\n1ms clock noon", "a:3: `clock` needs a day and a time, such as `mon 22:30`"),
            ("# t\n=== inputs\n1ms set strength 151%", "a:3: expected a strength such as `50%`"),
            ("# t\n=== inputs\n1ms set quiet 22-7", "a:3: expected hours such as `22:00-07:00`"),
            ("# t\n=== inputs\n1ms set quiet 22:00-07:00 except alarms", "a:3: nothing is excepted by `alarms`"),
            ("# t\n=== inputs\n1ms set volume 50%", "a:3: there is no setting `volume`"),
            ("# t\n=== inputs\n1ms set off soon", "a:3: `off` needs a time such as `60s`, or none"),
            ("# t\n=== inputs\n1ms configured profile loud", "a:3: expected a profile"),
            ("# t\n=== inputs\n1ms set restore off now", "a:3: what is `now` behind it?"),
            ("# t\n=== configuration\nversion: 2\n=== inputs", "a:3:10: version: "),
            (
                "# t\n=== configuration\nversion: 1\npatterns: [here]\nactuators: []\n=== pattern b\nversion: 1\nname: c\n=== inputs",
                "a:8:7: name: "
            ),
        ])
    func mistakes(text: String, message: String) {
        let mistake = #expect(throws: Scenario.Mistake.self) { _ = TraceWriter(try Performance(try Scenario(text, file: "a"))) }
        #expect(
            mistake.map { $0.description.split(separator: "\n").contains { $0.hasPrefix(message) } } == true,
            "\(mistake?.description ?? "")")
    }
}
