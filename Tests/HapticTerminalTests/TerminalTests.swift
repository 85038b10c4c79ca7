// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("The terminal, and lines of its width")
struct TerminalTests {
    /// A heading contains variables of the environment, `pipe` if the output is not a terminal, and the width of the terminal.
    @Test(
        "Colour, Unicode and drawing in place are for terminals that can show them; COLUMNS overrides the width"
    )
    func environments() throws {
        var cases = SnapshotCases()
        for heading in try snapshotHeadings("terminals") {
            let words = heading.split(separator: " ").map(String.init)
            let isTerminal = !words.contains("pipe")
            let terminal = Terminal(
                environment: { name in words.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) } },
                outputIsTerminal: isTerminal, errorIsTerminal: isTerminal, reportedWidth: words.compactMap { Int($0) }.first)
            let abilities = [
                terminal.hasColour ? "colour" : nil, terminal.isUnicode ? "Unicode" : nil,
                terminal.movesCursor ? "moves the cursor" : nil, terminal.errorIsTerminal ? "errors on a terminal" : nil,
            ]
            cases.add(heading, [(abilities.compactMap { $0 } + ["\(terminal.width) columns"]).joined(separator: ", ")])
        }
        try expectSnapshot(of: cases.text, "terminals")
    }

    @Test("A bar is as wide as it may be, and is full only at the end; a narrow terminal gets the numbers only")
    func bars() throws {
        var cases = SnapshotCases()
        for isUnicode in [true, false] {
            let bar = ProgressBar(label: "soft", width: 29, isUnicode: isUnicode)
            let lines = [-1, 0, 0.5, 0.55, 0.999, 1, 7].map { "\($0): " + bar.line($0, note: "0.0 s") }
            cases.add("from -1 to 7, \(isUnicode ? "with Unicode" : "in ASCII")", lines)
        }
        cases.add("10 columns", [ProgressBar(label: "upload", width: 10, isUnicode: true).line(0.5, note: "")])
        try expectSnapshot(of: cases.text, "bars")
    }

    @Test(
        "Lines break at spaces, and within a word that is too long; a table breaks its last cells"
    )
    func wrapped() throws {
        var cases = SnapshotCases()
        for (text, widths) in [
            ("one two three", [20, 8, 7]), ("abcdefghij k", [4]), ("a abcdefgh", [4]), ("x", [0]), ("漢字 漢字漢", [5]), ("漢", [1]),
            ("e\u{301}e\u{301} e", [4]), ("", [10]),
        ] {
            for width in widths { cases.add("`\(text)` in \(width) columns", Wrap.lines(text, width: width)) }
        }
        cases.add("indented", Wrap.lines("one two three four", width: 9, indent: "  "))
        for width in [200, 30, 22] {
            let rows = [["NAME", "TEXT"], ["pad", "a text of many words indeed"]]
            cases.add("a table in \(width) columns", Table.lines(rows, width: width))
        }
        // No line ends with blanks.
        let rows = [["A", "B", "C"], ["long", "x", ""], ["", "yy", "z"], ["名前", "x", ""]]
        cases.add("a table", Table.lines(rows).map { "\($0)|" })
        cases.add("a table of nothing", Table.lines([]))
        try expectSnapshot(of: cases.text, "wrap")
    }
}
