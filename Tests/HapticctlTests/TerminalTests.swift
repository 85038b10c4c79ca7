// SPDX-License-Identifier: MIT
import Testing

@testable import hapticctl

@Suite("The terminal and its progress bar")
struct TerminalTests {
    @Test(
        "A bar is as wide as it may be, and is full only at the end",
        arguments: [
            (0.0, true, "soft  ──────────    0%  0.0 s"), (0.55, true, "soft  ━━━━━╸────   55%  0.0 s"),
            (0.999, true, "soft  ━━━━━━━━━╸   99%  0.0 s"), (1, true, "soft  ━━━━━━━━━━  100%  0.0 s"),
            (7, true, "soft  ━━━━━━━━━━  100%  0.0 s"), (0.5, false, "soft  [####....]   50%  0.0 s"),
            (-1, false, "soft  [........]    0%  0.0 s"),
        ])
    func bars(share: Double, isUnicode: Bool, line: String) {
        #expect(ProgressBar(label: "soft", width: 29, isUnicode: isUnicode).line(share, note: "0.0 s") == line)
    }

    @Test("A narrow terminal gets the numbers only")
    func narrow() {
        #expect(ProgressBar(label: "upload", width: 10, isUnicode: true).line(0.5, note: "") == "upload  50%")
    }

    private func terminal(_ environment: [String: String], isTerminal: Bool = true, width: Int? = nil) -> Terminal {
        Terminal(
            environment: { environment[$0] }, outputIsTerminal: isTerminal, errorIsTerminal: isTerminal, reportedWidth: width)
    }

    @Test("Colour is for terminals that can show it, and obeys NO_COLOR")
    func colour() {
        #expect(terminal([:]).hasColour)
        #expect(terminal(["NO_COLOR": ""]).hasColour)
        #expect(!terminal([:], isTerminal: false).hasColour)
        #expect(!terminal(["NO_COLOR": "1"]).hasColour)
        #expect(!terminal(["TERM": "dumb"]).hasColour)
    }

    @Test("Nothing is drawn in place on a terminal of the kind `dumb`")
    func dumb() {
        #expect(!terminal(["TERM": "dumb"]).movesCursor)
        #expect(!terminal(["TERM": "dumb"]).errorIsTerminal)
        #expect(terminal(["TERM": "vt100"]).movesCursor)
        #expect(terminal([:]).movesCursor)
    }

    @Test(
        "The locale decides whether there is Unicode",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "C", "LC_CTYPE": "C.utf8"], true),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LANG": "en_US.UTF-8", "LC_ALL": ""], true), ([:], false),
        ] as [([String: String], Bool)])
    func locale(environment: [String: String], isUnicode: Bool) {
        #expect(terminal(environment).isUnicode == isUnicode)
    }

    @Test("The width is COLUMNS, else the terminal's, else 80")
    func width() {
        #expect(terminal(["COLUMNS": "132"], width: 100).width == 132)
        #expect(terminal(["COLUMNS": "wide"], width: 100).width == 100)
        #expect(terminal([:]).width == 80)
    }
}
