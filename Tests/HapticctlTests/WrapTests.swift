// SPDX-License-Identifier: MIT
import Testing

@testable import hapticctl

@Suite("Text in lines of a width")
struct WrapTests {
    @Test(
        "Lines break at spaces, and within a word that is too long",
        arguments: [
            ("", 10, [""]), ("one two three", 20, ["one two three"]), ("one two three", 7, ["one two", "three"]),
            ("one two three", 8, ["one two", "three"]), ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
            ("a abcdefgh", 4, ["a", "abcd", "efgh"]), ("x", 0, ["x"]), ("漢字 漢字漢", 5, ["漢字", "漢字", "漢"]),
            ("漢", 1, ["漢"]), ("e\u{301}e\u{301} e", 4, ["e\u{301}e\u{301} e"]),
        ])
    func lines(text: String, width: Int, lines: [String]) { #expect(Wrap.lines(text, width: width) == lines) }

    @Test("All lines but the first are indented, within the width")
    func indented() {
        #expect(Wrap.lines("one two three four", width: 9, indent: "  ") == ["one two", "  three", "  four"])
    }

    @Test(
        "A table breaks its last cells, beside the others or, without room there, below them",
        arguments: [
            (30, ["NAME  TEXT", "pad   a text of many words", "      indeed"]),
            (22, ["NAME  TEXT", "pad", "    a text of many", "    words indeed"]),
            (200, ["NAME  TEXT", "pad   a text of many words indeed"]),
        ])
    func table(width: Int, lines: [String]) {
        #expect(Table.lines([["NAME", "TEXT"], ["pad", "a text of many words indeed"]], width: width) == lines)
    }

    @Test("A table's columns stand below each other, without blanks at the end")
    func columns() {
        let rows = [["A", "B", "C"], ["long", "x", ""], ["", "yy", "z"]]
        #expect(Table.lines(rows) == ["A     B   C", "long  x", "      yy  z"])
        #expect(Table.lines([["名前", "x"], ["abc", "y"]]) == ["名前  x", "abc   y"])
        #expect(Table.lines([]) == [])
    }
}
