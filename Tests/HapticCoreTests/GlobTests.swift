// SPDX-License-Identifier: MIT
import Testing

@testable import HapticCore

@Suite("Names are matched with wildcards")
struct GlobTests {
    @Test(
        "a star is any run of characters, dots included, a question mark one",
        arguments: [
            ("*", "", true), ("*", "a.b.c", true), ("", "", true), ("", "a", false), ("a*", "a", true), ("a*c", "a.b.c", true),
            ("*.failed", "sync.failed", true), ("*.failed", "failed", false), ("a?c", "abc", true), ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true), ("*a*b", "ab.ba", false), ("payment.succeeded", "payment.succeeded", true),
            ("payment.succeeded", "payment.succeede", false), ("**", "anything", true), ("[a]", "a", false),
        ])
    func matches(glob: String, text: String, expected: Bool) {
        #expect(Glob(glob).matches(text) == expected)
    }

    @Test("a hostile pattern and name take no more than their product")
    func hostile() {
        let glob = Glob(String(repeating: "*a", count: 100) + "b")
        #expect(!glob.matches(String(repeating: "a", count: 1000)))
    }
}
