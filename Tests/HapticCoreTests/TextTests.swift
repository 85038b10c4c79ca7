// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Text from outside")
struct TextTests {
    private enum Word: String, CaseIterable { case on, off, café }

    @Test("Two texts are equal only if their bytes are")
    func bytes() {
        let (composed, decomposed) = (Text("caf\u{e9}"), Text("cafe\u{301}"))
        #expect(composed.string == decomposed.string, "as Swift compares it")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, "caf\u{e9}"]).count == 2)
        #expect(["b", "a\u{301}", "a", "\u{e1}"].sorted() == ["a", "a\u{301}", "b", "\u{e1}"] as [Text])
    }

    @Test("A word is recognised by its bytes alone")
    func words() {
        #expect(Word(text: "off") == .off)
        #expect(Word(text: "caf\u{e9}") == .café)
        #expect(Word(text: "cafe\u{301}") == nil)
        #expect(Word(text: "of") == nil)
        #expect(Word(text: "") == nil)
    }

    @Test("A prefix and a suffix are compared by their bytes, too")
    func ends() {
        #expect("20ms".without(end: "ms") == "20")
        #expect("ms".without(end: "ms") == "")
        #expect("s".without(end: "ms") == nil)
        #expect("20\u{344}ms".without(end: "ms") == "20\u{344}")
        #expect("20ms\u{344}".without(end: "ms") == nil)
        #expect("s\u{301}".begins(with: "s"))
        #expect(!"x".begins(with: "xy"))
    }

    @Test("A prefix of so many bytes never ends within a scalar")
    func prefixes() {
        #expect(Text("aé").prefix(bytes: 2) == "a")
        #expect(Text("aé").prefix(bytes: 3) == "aé")
        #expect(Text("a").prefix(bytes: 9) == "a")
        #expect(Text("😀").prefix(bytes: 3) == "")
    }

    @Test(
        "Characters that move a cursor, end a line, turn the writing or hide are written as their numbers",
        arguments: [
            ("\u{1b}[2J", #"\u{1b}[2J"#), ("a\nb\r\t", #"a\nb\r\t"#), ("\0\u{7f}\u{9b}\u{85}", #"\u{0}\u{7f}\u{9b}\u{85}"#),
            ("\u{202e}\u{2066}\u{200e}\u{61c}", #"\u{202e}\u{2066}\u{200e}\u{61c}"#),
            ("\u{2028}\u{2029}\u{200b}\u{feff}\u{e0041}", #"\u{2028}\u{2029}\u{200b}\u{feff}\u{e0041}"#),
            ("naïve 日本 😀", "naïve 日本 😀"),
        ])
    func printable(text: String, shown: String) {
        #expect(text.printable == shown)
        #expect(text.printable.printable == shown)
    }
}
