// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import HapticCore

@Suite("Globs")
struct GlobTests {
    @Test(
        "A star matches any run of characters, dots included, and a question mark matches one",
        arguments: [
            ("*", "", true), ("*", "a.b.c", true), ("", "", true), ("", "a", false), ("a*", "a", true), ("a*c", "a.b.c", true),
            ("*.failed", "sync.failed", true), ("*.failed", "failed", false), ("a?c", "abc", true), ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true), ("*a*b", "ab.ba", false), ("payment.succeeded", "payment.succeeded", true),
            ("payment.succeeded", "payment.succeede", false), ("**", "anything", true), ("[a]", "a", false),
        ])
    func matches(glob: String, text: String, expected: Bool) {
        #expect(Glob(glob).matches(text) == expected)
    }

    @Test("100,000 random globs match what the plain definition says")
    func random() {
        var random = SplitMix64(seed: 8)
        for round in 0..<100_000 {
            let glob = Self.text(&random, of: "ab*?**", upTo: round % 50 == 0 ? 160 : 12)
            let text = Self.text(&random, of: "abc", upTo: round % 50 == 0 ? 200 : 12)
            let wanted = Self.isMatch(Array(glob.utf8), Array(text.utf8))
            #expect(Glob(glob).matches(text) == wanted, "\(glob) and \(text)")
        }
    }

    @Test(
        "Whatever the glob, each byte of a text is read once, in addition to those at its ends",
        arguments: [
            String(repeating: "*a", count: 60) + "b", "*" + String(repeating: "a", count: 120) + "b*",
            String(repeating: "*?", count: 60) + "*b*", String(repeating: "*a?", count: 40) + "*",
            String(repeating: "a", count: 90) + "*b",
        ])
    func hostile(glob: String) {
        for text in [String(repeating: "a", count: 256), String(repeating: "ab", count: 128)] {
            let counted = CountedBytes(text)
            _ = Glob(glob).matches(bytes: counted)
            #expect(counted.reads.count <= text.utf8.count + glob.utf8.count)
        }
    }

    @Test("Two globs are equal only if their bytes are")
    func equality() {
        #expect(Glob("e\u{301}") != Glob("\u{e9}"))
        #expect(Glob("a*") == Glob("a*"))
    }

    private static func text(_ random: inout SplitMix64, of alphabet: String, upTo longest: Int) -> String {
        String((0..<Int.random(in: 0...longest, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
    }

    /// The definition, row by row: what each prefix of the glob matches of the prefixes of the text.
    private static func isMatch(_ glob: [UInt8], _ text: [UInt8]) -> Bool {
        var row = [true] + [Bool](repeating: false, count: text.count)
        for byte in glob {
            var next = [byte == UInt8(ascii: "*") && row[0]]
            for (index, character) in text.enumerated() {
                switch byte {
                case UInt8(ascii: "*"): next.append(next[index] || row[index + 1])
                case UInt8(ascii: "?"): next.append(row[index])
                default: next.append(row[index] && byte == character)
                }
            }
            row = next
        }
        return row[text.count]
    }
}

/// Bytes that count how often one of them is read.
private struct CountedBytes: RandomAccessCollection {
    final class Count { var count = 0 }

    let reads = Count()
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    subscript(index: Int) -> UInt8 {
        reads.count += 1
        return bytes[index]
    }
}
