// SPDX-License-Identifier: MIT
import HapticText
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("The line of an error")
struct ExcerptTests {
    private func lines(_ text: String, _ line: Int, _ column: Int) -> [String] {
        Excerpt(Array(text.utf8)).lines(at: SourceMark(line: line, column: column))
    }

    @Test("An error is shown with its line and a caret below its column on the terminal")
    func caret() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ text: String, _ line: Int, _ column: Int) {
            cases.add(heading, lines(text, line, column))
        }
        add("the second line", "a: 1\nbb: x\n", 2, 5)
        add("behind the end of the line", "a: 1", 1, 5)
        add("the tenth line", String(repeating: "\n", count: 9) + "x", 10, 1)
        add("a tab, and a line end of Windows", "\ta: b\r\n", 1, 5)
        add("a mark of the byte order, and one that turns the writing", "\u{feff}a\u{202e}b", 1, 4)
        let bytes = Excerpt([0xff, 0x61, 0x1b, 0x62]).lines(at: SourceMark(line: 1, column: 4))
        cases.add("what is no UTF-8", bytes)
        for (text, column) in [("名前: x", 5), ("a: 🎉 b", 6), ("e\u{301}: x", 5), ("ｱ: x", 4), ("한: x", 1)] {
            add("wide characters and marks: \(text)", text, 1, column)
        }
        for column in [1, 40, 500, 961, 1000, 1001] {
            add("column \(column) of 1000", String(repeating: "0123456789", count: 100), 1, column)
        }
        for column in [1, 60, 500, 999, 1001] {
            add("column \(column) of 999 wide ones", String(repeating: "漢e\u{301}", count: 333) + "漢", 1, column)
        }
        try expectSnapshot(of: cases.text, "excerpts")
    }

    @Test("No more is shown of a long line than a terminal has room for", arguments: [1, 60, 500, 961, 999, 1000, 1001])
    func long(column: Int) throws {
        let (narrow, wide) = (String(repeating: "0123456789", count: 100), String(repeating: "漢e\u{301}", count: 333) + "漢")
        for shown in [narrow, wide].map({ lines($0, 1, min(column, 1000)) }) {
            try #require(shown.count == 2)
            #expect(shown[0].columns <= Excerpt.width + 8, "\(shown[0])")
            #expect(shown[1].columns <= shown[0].columns + 1)
        }
    }

    @Test("A line of nothing but marks on one letter is read only as far as its reach")
    func onlyMarks() throws {
        let shown = lines("e" + String(repeating: "\u{301}", count: 20_000), 1, 10_000)
        try #require(shown.count == 2)
        // By scalars: a mark behind the `…` makes one character of both.
        #expect(shown[0].utf8.count < 2 * Excerpt.reach + 32)
        #expect(shown[0].unicodeScalars.starts(with: "  1 | …".unicodeScalars))
        #expect(shown[0].unicodeScalars.last == "…")
    }

    @Test("A place beyond the text shows nothing", arguments: [(0, 1), (1, 0), (3, 1), (1, 99), (Int.max, 1), (1, Int.max)])
    func beyond(line: Int, column: Int) {
        #expect(lines("a\nb", line, column) == [])
        for end in ["\r", "\u{85}", "\u{2028}", "\u{2029}"] { #expect(lines("a: 1\(end)b: 2\nc: 3", 2, 1) == []) }
    }

    @Test("Errors that are not shown are counted")
    func counted() {
        let report = DocumentReport(file: "x.yaml")
        for line in 1...DocumentReport.limit + 50 { report.add("odd", at: SourceMark(line: line, column: 1)) }
        let failure = Failure(InvalidDocument(report.diagnostics), texts: ["x.yaml": []])
        #expect(failure.message == "x.yaml has 250 errors; fix what is listed, then try again")
        #expect(failure.lines.last == "x.yaml: 50 more errors are not shown")
    }

    @Test("An error without a place is shown alone, one of a file that cannot be read without its line")
    func alone() {
        let diagnostics = [
            Diagnostic(file: "standard input", mark: SourceMark(line: 1, column: 2), message: "odd"),
            Diagnostic(message: "all of it"),
            Diagnostic(file: "/no/such/file", mark: SourceMark(line: 1, column: 1), message: "gone"),
        ]
        #expect(
            Excerpt.lines(for: diagnostics, texts: ["standard input": Array("xyz".utf8)])
                == ["standard input:1:2: odd", "  1 | xyz", "    |  ^", "all of it", "/no/such/file:1:1: gone"])
    }
}
