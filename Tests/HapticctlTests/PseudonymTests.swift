// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticJSON
import HapticWire
import Testing

@testable import hapticctl

@Suite("What a report hides")
struct PseudonymTests {
    private func tree(_ yaml: String) throws -> Node {
        try #require(YAML.parse(Array(yaml.utf8), report: DocumentReport(file: nil)))
    }

    private func lines(_ yaml: String, _ pseudonyms: Pseudonyms?) throws -> [String] {
        var report = BugReport(pseudonyms: pseudonyms, date: "now")
        report.add(configuration: try tree(yaml))
        return Array(report.lines.dropFirst(2))
    }

    @Test("The same name has the same hash within a report, another one in the next; no name is its own hash")
    func salted() {
        let (one, other) = (Pseudonyms(salt: (1, 2)), Pseudonyms(salt: (1, 3)))
        #expect(
            one.hash("anna") == one.hash("anna") && one.hash("anna") != other.hash("anna") && one.hash("anna") != one.hash("Anna")
        )
        #expect(Pseudonyms().hash("anna") != Pseudonyms().hash("anna"), "the salt is another one each time")
        #expect(one.hash("anna").utf8.count == 8 && one.hash("").utf8.count == 8)
    }

    @Test("Of a configuration the words of hapticd stay, and every name, value and unknown key goes")
    func configuration() throws {
        let yaml = """
            profile: quiet
            actuators:
              - { name: annas-motor, backend: gpio, chip: pinctrl-anna, line: 18, pwm: 200Hz }
            events:
              - { match: "anna.*", pattern: success, when: { value: secret } }
            annas-key: 1
            """
        let names = Pseudonyms(salt: (1, 2))
        let hidden = try lines(yaml, names).joined(separator: "\n")
        #expect(!hidden.contains("anna") && !hidden.contains("secret"), "\(hidden)")
        for kept in [#"profile: "quiet""#, #"backend: "gpio""#, "line: 18", #"pwm: "200Hz""#, #"pattern: "success""#] {
            #expect(hidden.contains(kept), "\(kept) in \(hidden)")
        }
        #expect(hidden.contains(#"actuators[0].name: "\#(names.hash("annas-motor"))""#))
        #expect(try lines(yaml, nil).joined().contains("annas-motor"))
    }

    @Test(
        "A text that only looks like a measure or a path of the kernel's is hashed",
        arguments: ["20msx", "017612345678", "4711", "10.0.0.1", "x20ms", "/dev/anna", "/dev/gpiochip0/../anna", "Hz", "fulll"])
    func lookalikes(text: String) {
        var names = Pseudonyms(salt: (1, 2))
        #expect(names.word(Text(text)) == names.hash(Text(text)))
    }

    @Test(
        "What is a measure or a path of the kernel's stays",
        arguments: ["20ms", "1.5s", "40%", "10/s", "0.1.0", "/dev/gpiochip0", "full"])
    func measures(text: String) {
        var names = Pseudonyms(salt: (1, 2))
        #expect(names.word(Text(text)) == text)
    }

    @Test("In sentences a known name goes as a whole word, and so do what is quoted and what lies in a home folder")
    func sentences() {
        var names = Pseudonyms(salt: (1, 2))
        _ = names.word("anna")
        _ = names.word("annalena")
        let home = "/home/"
        let hidden = names.text("anna's annalena at hannah, `x` and \"y z\", `full`, run `hapticctl reload`, \(home)ada/x.yaml:1")
        #expect(
            hidden
                == "\(names.hash("anna"))'s \(names.hash("annalena")) at hannah, `\(names.hash("x"))` and \"\(names.hash("y z"))\", `full`, run `hapticctl reload`, /home/\(names.hash("ada/x.yaml:1"))"
        )
    }

    @Test("A name of two letters is looked for as well; a number of two digits is not")
    func shortNames() {
        var names = Pseudonyms(salt: (1, 2))
        for name in ["pi", "m1", "x", "42", "_"] { names.add(name) }
        let hidden = names.text("pi has m1 and x, 42 times; the pin is _")
        let hashes = ["pi", "m1", "x", "_"].map { names.hash(Text($0)) }
        #expect(hidden == "\(hashes[0]) has \(hashes[1]) and \(hashes[2]), 42 times; the pin is \(hashes[3])")
    }

    @Test("Of an answer the members stay, the texts and the values of events go")
    func answers() throws {
        var report = BugReport(pseudonyms: Pseudonyms(salt: (1, 2)), date: "now")
        report.add(["backend": "gpio", "name": "anna", "value": .number(42), "problem": "`anna` is held"] as JSONValue)
        let line = try #require(report.lines.last)
        #expect(
            line.contains(#""backend":"gpio""#) && line.contains("is held") && !line.contains("anna")
                && !line.contains(#""value":42"#),
            "\(line)")
    }

    @Test(
        "An id, a value, a name or an app is hashed whatever it looks like, and so is what a rule matches",
        arguments: ["37.5", "80%", "1.12.99", "20ms", "alarm", "event", "gpiochip0815", "full"])
    func ownWords(text: String) throws {
        var report = BugReport(pseudonyms: Pseudonyms(salt: (1, 2)), date: "now")
        for member in ["source", "value", "name", "app", "rule"] {
            report.add(["pattern": "ring", Text(member).string: .string(text)] as JSONValue)
        }
        report.add(
            configuration: try JSONReader.node(
                Array(#"{"events":[{"match":"\#(text)","when":{"to":"\#(text)","from":37}}]}"#.utf8)))
        let lines = report.lines.dropFirst(2).joined(separator: "\n")
        #expect(!lines.contains("\"\(text)\"") && !lines.contains("37\"") && lines.contains("ring"), "\(lines)")
    }

    @Test("A path with a space is hidden whole, also in a home folder; the variable's name stays")
    func paths() {
        var names = Pseudonyms(salt: (1, 2))
        let path = "/home/" + "ada/anna meier/x.yaml"
        names.add(path)
        names.add("/data/anna/x")
        let hidden = names.text("\(path): no errors; `$HAPTICD_SOCKET` is /data/anna/x, --socket=/data/anna/x")
        let (home, data) = (names.hash(Text(path)), names.hash("/data/anna/x"))
        #expect(hidden == "\(home): no errors; `$HAPTICD_SOCKET` is \(data), --socket=\(data)")
    }

    @Test("With more names than are looked for, sentences are left out, and that is said")
    func tooManyNames() throws {
        var names = Pseudonyms(salt: (1, 2))
        for index in 0..<Pseudonyms.mostKnown { names.add("name\(index)") }
        #expect(!names.isFull && names.text("name1 is held").hasSuffix(" is held"))
        names.add("name1")
        #expect(!names.isFull, "it is known already")
        names.add("anna")
        #expect(names.isFull && names.text("anna is held") == names.hash("anna is held"))
        var report = BugReport(pseudonyms: names, date: "now")
        report.add(text: ["anna is held"])
        report.add(["problem": "anna is held"] as JSONValue)
        #expect(report.lines.count == 4 && report.lines[2].hasPrefix("left out: "))
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

    @Test("A log that was cut has its whole lines, and says that it was cut")
    func log() {
        func log(_ status: Int32?, _ text: String) -> [String] {
            let (lines, note) = ReportSources.log(Tool.Answer(status: status, output: Array(text.utf8)))
            return lines + [note ?? ""]
        }
        #expect(log(0, "a\nb\n") == ["a", "b", ""])
        #expect(log(nil, "a\nb\nann") == ["a", "b", "the rest is left out: journalctl took too long, or said too much"])
        #expect(log(0, "") == ["none that this user may read"] && log(1, "") == ["none that this user may read"])
        #expect(ReportSources.log(nil).note == "there is no journalctl to ask")
    }

    @Test("What root makes with sudo is the user's; a variable that is no number is nobody's")
    func owner() {
        func owner(_ user: String?, _ group: String?, isRoot: Bool = true) -> [UInt32]? {
            NewFile.Owner(isRoot: isRoot) { $0 == "SUDO_UID" ? user : group }.map { [$0.user, $0.group] }
        }
        #expect(owner("1000", "1001") == [1000, 1001])
        #expect(owner("1000", "1001", isRoot: false) == nil)
        for text in ["", "-1", "+1", "x", "1 ", "4294967295", "4294967296", nil] {
            #expect(owner(text, "1") == nil && owner("1", text) == nil, "\(text ?? "nothing")")
        }
        #expect(owner("0", "0") == nil, "root is root already")
    }

    @Test("A report has at most 1 MiB, and says where it was cut; a line is short and printable")
    func bounds() {
        var report = BugReport(pseudonyms: nil, date: "now")
        report.add(plain: ["\u{1b}[31m", String(repeating: "é", count: 5000)])
        #expect(report.lines[2] == "\\u{1b}[31m")
        #expect(report.lines[3].utf8.count <= BugReport.mostOfLine + 4 && report.lines[3].hasSuffix(" …"))
        report.add(plain: Array(repeating: String(repeating: "x", count: 1000), count: 2000))
        #expect(report.lines.map { $0.utf8.count + 1 }.reduce(0, +) <= BugReport.most)
        #expect(report.lines.last == "What follows here is left out: a report has at most 1 MiB.")
    }

    @Test("What the doctor finds stands first, and is there however long the rest is; both are cut with a line that says so")
    func findingsFirst() {
        let long = Array(repeating: String(repeating: "x", count: 1000), count: 2000)
        var report = BugReport(pseudonyms: nil, date: "now")
        report.section("versions")
        let top = report.lines.count
        report.section("configuration")
        report.add(plain: long)
        report.section("what the doctor finds", of: ["PROBLEM: nobody listens"], before: top)
        report.section("log")
        #expect(report.lines[top...].prefix(4) == ["", "== what the doctor finds", "PROBLEM: nobody listens", ""])
        #expect(report.lines.last == "What follows here is left out: a report has at most 1 MiB.")
        report = BugReport(pseudonyms: nil, date: "now")
        report.section("configuration")
        report.add(plain: long)
        report.section("what the doctor finds", of: long, before: 0)
        #expect(report.lines.map { $0.utf8.count + 1 }.reduce(0, +) <= BugReport.most)
        let cut = report.lines.indices.filter { report.lines[$0].hasPrefix("What follows here is left out: ") }
        #expect(cut.count == 2 && cut.last == report.lines.count - 1)
        #expect(report.lines[(cut[0] + 1)...].contains("== configuration"))
    }
}
