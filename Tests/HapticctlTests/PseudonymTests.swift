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

    @Test("A report has at most 1 MiB, and says where it was cut; a line is short and printable")
    func bounds() {
        var report = BugReport(pseudonyms: nil, date: "now")
        report.add(plain: ["\u{1b}[31m", String(repeating: "é", count: 5000)])
        #expect(report.lines[2] == "\\u{1b}[31m")
        #expect(report.lines[3].utf8.count <= BugReport.mostOfLine + 4 && report.lines[3].hasSuffix(" …"))
        report.add(plain: Array(repeating: String(repeating: "x", count: 1000), count: 2000))
        #expect(report.lines.map { $0.utf8.count + 1 }.reduce(0, +) <= BugReport.most)
        #expect(report.lines.last == "The rest is left out: a report has at most 1 MiB.")
    }
}
