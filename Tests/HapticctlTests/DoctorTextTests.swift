// SPDX-License-Identifier: MIT
import HapticWire
import Testing

@testable import hapticctl

@Suite("What the doctor writes")
struct DoctorTextTests {
    @Test("Each kind has a name of its own, whole sentences, and a row of the page without a bar in it")
    func kindsAreWhole() {
        #expect(Set(FindingKind.allCases.map(\.explanation.title)).count == FindingKind.allCases.count)
        for one in FindingKind.allCases {
            let words = one.explanation
            #expect(words.why.hasSuffix(".") && words.remedy.hasSuffix("."), "\(one)")
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

    @Test("A finding is a line, then why and the commands")
    func lines() {
        let finding = Finding(.socketVariable, "nobody there", details: ["more"], remedies: [.user("unset HAPTICD_SOCKET")])
        let lines = DoctorText(findings: [finding], isRoot: false).lines(finding).map { $0.map(\.text).joined() }
        #expect(
            lines[0] == "  PROBLEM  nobody there" && lines[1].hasSuffix("| more") && lines[4].hasSuffix("$ unset HAPTICD_SOCKET"))
    }

    @Test("What was shown before is not shown again, and the verdict is on all of it")
    func shown() {
        let (before, now) = (Finding(.socketVariable, "nobody there"), Finding.ok(.feedback, "main: the test pulse was felt"))
        let text = DoctorText(findings: [before, now], isRoot: false, shown: [now])
        let lines = text.lines.map { $0.map(\.text).joined() }
        #expect(lines == ["Feedback", "  ok       main: the test pulse was felt", "", "1 problem; fix first: nobody there"])
    }

    @Test("A question is answered by its first letter; anything else, and the end, is the default")
    func questions() {
        for (line, isYes) in [("y", true), ("Yes please", true), (" n", false), ("", true), ("maybe", true)] {
            #expect(Question.isYes(line, orElse: true) == isYes, "\(line)")
        }
        #expect(!Question.isYes("", orElse: false))
    }
}
