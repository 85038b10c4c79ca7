// SPDX-License-Identifier: MIT
import HapticJSON
import Testing

@testable import hapticctl

@Suite struct ExcerptTests {
    private func lines(_ text: String, _ line: Int, _ column: Int) -> [String] {
        Excerpt(Array(text.utf8)).lines(at: SourceMark(line: line, column: column))
    }

    @Test("An error is shown with its line, and a caret below its column")
    func caret() {
        #expect(lines("a: 1\nbb: x\n", 2, 5) == ["  2 | bb: x", "    |     ^"])
        #expect(lines("a: 1", 1, 5) == ["  1 | a: 1", "    |     ^"])
        #expect(lines(String(repeating: "\n", count: 9) + "x", 10, 1) == ["  10 | x", "     | ^"])
    }

    @Test("A tab, a line end of Windows and what is no UTF-8 leave the caret where it is")
    func odd() {
        #expect(lines("\ta: b\r\n", 1, 5) == ["  1 |  a: b ", "    |     ^"])
        let shown = Excerpt([0xff, 0x61, 0x1b, 0x62]).lines(at: SourceMark(line: 1, column: 4))
        #expect(shown == ["  1 | \u{fffd}a b", "    |    ^"])
        #expect(lines("\u{feff}a\u{202e}b", 1, 4) == ["  1 |  a b", "    |    ^"])
        for end in ["\r", "\u{85}", "\u{2028}", "\u{2029}"] { #expect(lines("a: 1\(end)b: 2\nc: 3", 2, 1) == []) }
    }

    @Test("Of a long line that part is shown in which the error is", arguments: [1, 40, 500, 961, 1000, 1001])
    func long(column: Int) throws {
        let shown = lines(String(repeating: "0123456789", count: 100), 1, column)
        try #require(shown.count == 2)
        let caret = try #require(shown[1].firstIndex(of: "^"))
        let place = shown[1].distance(from: shown[1].startIndex, to: caret)
        #expect(shown[0].count <= Excerpt.width + 8)
        #expect(shown[0].hasPrefix("  1 | …") == (column > Excerpt.width / 2 + 1), "\(shown[0])")
        #expect(shown[0].hasSuffix("…") == (column < 965), "\(shown[0])")
        guard column <= 1000 else { return }
        let marked = shown[0][shown[0].index(shown[0].startIndex, offsetBy: place)]
        #expect(marked == Character("\((column - 1) % 10)"))
    }

    @Test(
        "Wide characters and marks on others move the caret as they move on a terminal",
        arguments: [
            ("名前: x", 5, "      ^"), ("a: 🎉 b", 6, "      ^"), ("e\u{301}: x", 5, "   ^"),
            ("ｱ: x", 4, "   ^"), ("한: x", 1, "^"),
        ])
    func wide(text: String, column: Int, caret: String) { #expect(lines(text, 1, column)[1] == "    | " + caret) }

    @Test("Of a long line of wide characters no more is shown than a terminal has room for", arguments: [1, 60, 500, 999, 1001])
    func longAndWide(column: Int) throws {
        let shown = lines(String(repeating: "漢e\u{301}", count: 333) + "漢", 1, column)
        try #require(shown.count == 2)
        #expect((Excerpt.width...Excerpt.width + 8).contains(shown[0].columns), "\(shown[0])")
        #expect(shown[1].columns <= shown[0].columns + 1)
    }

    @Test("Of a line of nothing but marks on one letter no more is looked at than its reach")
    func onlyMarks() throws {
        let shown = lines("e" + String(repeating: "\u{301}", count: 20_000), 1, 10_000)
        try #require(shown.count == 2)
        // By scalars: a mark behind the `…` makes one character of both.
        #expect(shown[0].utf8.count < 2 * Excerpt.reach + 32)
        #expect(shown[0].unicodeScalars.starts(with: "  1 | …".unicodeScalars) && shown[0].unicodeScalars.last == "…")
    }

    @Test("Beyond the text there is nothing to show", arguments: [(0, 1), (1, 0), (3, 1), (1, 99), (Int.max, 1), (1, Int.max)])
    func beyond(line: Int, column: Int) { #expect(lines("a\nb", line, column) == []) }

    @Test("Errors that are only counted are counted")
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
