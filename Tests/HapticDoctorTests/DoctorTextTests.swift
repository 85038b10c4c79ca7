// SPDX-License-Identifier: MIT
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticDoctor
@testable import HapticTerminal

@Suite("Texts of the doctor")
struct DoctorTextTests {
    @Test("Each kind has a title of its own, whole sentences, and a row of the page without a bar in it")
    func kindsAreWhole() {
        #expect(Set(FindingKind.allCases.map(\.explanation.title)).count == FindingKind.allCases.count)
        for one in FindingKind.allCases {
            let words = one.explanation
            #expect(words.why.hasSuffix("."), "\(one)")
            #expect(words.remedy.hasSuffix("."), "\(one)")
            #expect(!(words.title + words.why + words.remedy).contains("|"), "\(one)")
            #expect(!DoctorText.plain(words.remedy).contains("]("), "\(one)")
        }
        #expect(DoctorText.page.count == FindingKind.allCases.count + 2)
    }

    @Test("A link becomes the page that it leads to")
    func links() {
        #expect(
            DoctorText.plain("See [this](#a-b) or [that](../hw/wiring.md#c), or [more](configuration.md).")
                == "See this (docs/troubleshooting.md) or that (hw/wiring.md), or more (docs/configuration.md).")
    }

    @Test("A finding is a line, then why it matters and the commands; the verdict is on all of them")
    func texts() throws {
        var cases = SnapshotCases()
        let problem = Finding(.socketVariable, "nobody there", details: ["more"], remedies: [.user("unset HAPTICD_SOCKET")])
        let note = Finding(.serviceRestarts, "restarted 3 times", remedies: [.root("journalctl -u hapticd")])
        let pulse = Finding.ok(.feedback, "main: the test pulse was felt")
        cases.add("a problem and a note", DoctorText(findings: [problem, note, pulse], isRoot: false).lines.plain)
        cases.add("a note, for root", DoctorText(findings: [note], isRoot: true).lines.plain)
        let shown = DoctorText(findings: [problem, pulse], isRoot: false, shown: [pulse])
        cases.add("the problem has been shown before", shown.lines.plain)
        let rows = try [problem, note, pulse].map { try JSONLines.line(shown.row($0)) } + [try JSONLines.line(shown.verdictRow)]
        cases.add("for programs", rows.map { String(decoding: $0.dropLast(), as: UTF8.self) })
        try expectSnapshot(of: cases.text, "doctor")
    }

    @Test("A question is answered by its first letter; anything else, and the end, is the default")
    func questions() {
        for (line, isYes) in [("y", true), ("Yes please", true), (" n", false), ("", true), ("maybe", true)] {
            #expect(Question.isYes(line, orElse: true) == isYes, "\(line)")
        }
        #expect(!Question.isYes("", orElse: false))
    }
}
