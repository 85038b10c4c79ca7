// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import HapticYAML
import TestSupport
import Testing

@testable import HapticDoctor
@testable import HapticTerminal

@Suite("A report for a bug")
struct ReportTests {
    private static func report(hiding names: [String] = [], _ fill: (inout BugReport) throws -> Void) rethrows -> [String] {
        var report = BugReport(hiding: HiddenNames(), date: "now")
        report.hide(names)
        try fill(&report)
        return Array(report.lines.dropFirst(2))
    }

    private let configuration = """
        profile: quiet
        actuators:
          - { name: annas-motor, backend: gpio, chip: pinctrl-anna, line: 18, pwm: 200Hz }
        events:
          - { match: "anna.*", pattern: success, when: { value: anna } }
        annas-key: 1
        """

    private var decisions: [Decision] {
        var set = Decision(sequence: 1, at: .zero, input: .present, name: "annas-cart", rule: "annas-*", outcome: .played)
        set.things = .init(inserted: 1, removed: 2, kept: 3)
        return [
            set, Decision(sequence: 2, at: .zero, input: .hold, source: "anna", value: .string("down"), outcome: .suppressed),
            Decision(sequence: 3, at: .zero, input: .task, source: "anna", value: .string("began"), outcome: .suppressed),
        ]
    }

    @Test("The words of hapticd stay, and each name, value and unknown key is hidden")
    func hidden() throws {
        let tree = try #require(YAML.parse(Array(configuration.utf8), report: DocumentReport(file: nil)))
        var cases = SnapshotCases()
        func add(_ heading: String, hiding names: [String] = [], _ fill: (inout BugReport) -> Void) {
            cases.add(heading, Self.report(hiding: names, fill))
        }
        add("a configuration") { $0.add(configuration: tree) }
        add("decisions") { for decision in decisions { $0.add(HistoryEntry(decision, ending: nil)) } }
        let answer: JSONValue = ["backend": "gpio", "name": "anna", "value": .number(42), "problem": "`anna` is held"]
        add("an answer") { $0.add(answer) }
        let home = "/home/"
        add("known names, what is quoted and paths in sentences", hiding: ["anna", "annalena", "pi", "m1", "x", "42", "_"]) {
            $0.add(text: ["anna's annalena with Anna, `y` and \"y z\", `full`, run `hapticctl reload`, \(home)ada/x.yaml:1"])
            $0.add(text: ["pi has m1 and x, 42 times; the pin is _"])
        }
        add("a path with a space", hiding: ["\(home)ada/anna meier/x.yaml", "/data/anna/x"]) {
            let path = "\(home)ada/anna meier/x.yaml"
            $0.add(text: ["\(path): no errors; `$HAPTICD_SOCKET` is /data/anna/x, --socket=/data/anna/x"])
        }
        #expect(!cases.text.contains("anna"))
        try expectSnapshot(of: cases.text, "report")
        var shown = BugReport(hiding: nil, date: "now")
        shown.add(configuration: tree)
        #expect(shown.lines.joined().contains("annas-motor"))
    }

    @Test("A measure and a path of the kernel's stay; a text that only looks like one is hidden")
    func measures() {
        var names = HiddenNames()
        for text in ["20ms", "1.5s", "40%", "10/s", "0.1.0", "/dev/gpiochip0", "full"] as [Text] {
            #expect(names.word(text) == text.string)
        }
        for text in [
            "20msx", "017612345678", "4711", "10.0.0.1", "x20ms", "/dev/anna", "/dev/gpiochip0/../anna", "Hz", "fulll",
        ] as [Text] {
            #expect(names.word(text) == HiddenNames.mark)
        }
    }

    @Test(
        "Ids, values, names, apps and the globs of rules are hidden whatever they look like",
        arguments: ["37.5", "80%", "1.12.99", "20ms", "alarm", "event", "gpiochip0815", "full"])
    func ownWords(text: String) throws {
        let rule = #"{"events":[{"match":"\#(text)","when":{"to":"\#(text)","from":37}}]}"#
        let lines = try Self.report { report in
            for member in ["source", "value", "name", "app", "rule", "mistake"] {
                report.add(["pattern": "ring", Text(member).string: .string(text)] as JSONValue)
            }
            report.add(configuration: try JSONReader.node(Array(rule.utf8)))
        }.joined(separator: "\n")
        #expect(!lines.contains("\"\(text)\""))
        #expect(!lines.contains("37\""))
        #expect(lines.contains("ring"))
    }

    @Test("With more names than are looked for, sentences are left out, with a line about that")
    func tooManyNames() throws {
        var names = HiddenNames()
        for index in 0..<HiddenNames.mostKnown { names.add("name\(index)") }
        names.add("name1")
        #expect(!names.isFull, "it is known already")
        #expect(names.text("name1 is held").hasSuffix(" is held"))
        names.add("anna")
        #expect(names.isFull)
        #expect(names.text("anna is held") == HiddenNames.mark)
        var report = BugReport(hiding: names, date: "now")
        report.add(text: ["anna is held"])
        report.add(["problem": "anna is held"] as JSONValue)
        #expect(report.lines.count == 4)
        #expect(report.lines[2].hasPrefix("left out: "))
        #expect(!report.lines.joined().contains("anna"))
    }

    @Test("Programs, groups of people and chosen paths are names; the system's own are not")
    func namesOfFindings() {
        var facts = Patient.healthy()
        #expect(ReportSources.names(facts) == [])
        facts.actuators[0].holders = [.init(process: 1, name: "annas-app"), .init(process: 2, name: "hapticd")]
        facts.actuators[0].files = [
            FileFacts(path: "/sys/x", group: 44, groupName: "video"), FileFacts(path: "/sys/x", group: 1001, groupName: "annas"),
        ]
        facts.sockets[0].path = "/tmp/x/annasock"
        facts.configuration.path = "/data/anna/x.yaml"
        facts.naming = .ignoredVariable("/tmp/anna")
        #expect(ReportSources.names(facts) == ["annas-app", "annas", "/tmp/x/annasock", "/data/anna/x.yaml", "/tmp/anna"])
    }

    @Test("A log that was cut has its whole lines, and a note that it was cut")
    func log() {
        func log(_ status: Int32?, _ text: String) -> [String] {
            let (lines, note) = ReportSources.log(Tool.Answer(status: status, output: Array(text.utf8)))
            return lines + [note ?? ""]
        }
        #expect(log(0, "a\nb\n") == ["a", "b", ""])
        #expect(log(nil, "a\nb\nann") == ["a", "b", "the rest is left out: journalctl took too long, or said too much"])
        #expect(log(0, "") == ["none that this user may read"])
        #expect(log(1, "") == ["none that this user may read"])
        #expect(ReportSources.log(nil).note == "there is no journalctl to ask")
    }

    @Test("A file that root creates through sudo belongs to the user; a variable that is no number is ignored")
    func owner() {
        func owner(_ user: String?, _ group: String?, isRoot: Bool = true) -> [UInt32]? {
            NewFile.Owner(isRoot: isRoot) { $0 == "SUDO_UID" ? user : group }.map { [$0.user, $0.group] }
        }
        #expect(owner("1000", "1001") == [1000, 1001])
        #expect(owner("1000", "1001", isRoot: false) == nil)
        #expect(owner("0", "0") == nil, "root is root already")
        for text in ["", "-1", "+1", "x", "1 ", "4294967295", "4294967296", nil] {
            #expect(owner(text, "1") == nil, "\(text ?? "nothing")")
            #expect(owner("1", text) == nil, "\(text ?? "nothing")")
        }
    }

    private static let cut = "What follows here is left out: a report has at most 1 MiB."
    private let long = Array(repeating: String(repeating: "x", count: 1000), count: 2000)

    @Test("A report has at most 1 MiB, and a line where it was cut; a line is short and printable")
    func bounds() {
        var report = BugReport(hiding: nil, date: "now")
        report.add(plain: ["\u{1b}[31m", String(repeating: "é", count: 5000)])
        #expect(report.lines[2] == "\\u{1b}[31m")
        #expect(report.lines[3].utf8.count <= BugReport.mostOfLine + 4)
        #expect(report.lines[3].hasSuffix(" …"))
        report.add(plain: long)
        #expect(report.lines.map { $0.utf8.count + 1 }.reduce(0, +) <= BugReport.most)
        #expect(report.lines.last == Self.cut)
    }

    @Test("The doctor's findings stand first, and are there however long the rest is; both are cut with a line")
    func findingsFirst() {
        for findings in [["PROBLEM: nobody listens"], long] {
            var report = BugReport(hiding: nil, date: "now")
            report.section("versions")
            let top = report.lines.count
            report.section("configuration")
            report.add(plain: long)
            report.section("what the doctor finds", of: findings, before: top)
            report.section("log")
            #expect(report.lines[top...].prefix(3) == ["", "== what the doctor finds", findings[0]])
            #expect(report.lines.map { $0.utf8.count + 1 }.reduce(0, +) <= BugReport.most)
            #expect(report.lines.last == Self.cut)
            #expect(report.lines.count { $0 == Self.cut } == (findings.count > 1 ? 2 : 1))
            #expect(report.lines.contains("== configuration"))
        }
    }
}
