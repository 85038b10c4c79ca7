// SPDX-License-Identifier: MIT

/// A text pattern with wildcards: `*` is any run of characters, dots included, `?` any one; all others are themselves.
public struct Glob: Hashable, Sendable {
    public let text: String
    private let bytes: [UInt8]

    /// `?` is one byte of UTF-8 outside ASCII.
    public init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    public var matchesEverything: Bool { !bytes.isEmpty && bytes.allSatisfy { $0 == UInt8(ascii: "*") } }

    /// O(pattern · text) at worst and without recursion: a hostile name cannot make it blow up.
    public func matches(_ candidate: String) -> Bool {
        if matchesEverything { return true }
        var candidate = candidate
        return candidate.withUTF8 { text in
            var (p, t) = (0, 0)
            var (starAt, textAtStar) = (-1, 0)
            while t < text.count {
                if p < bytes.count, bytes[p] == UInt8(ascii: "*") {
                    (starAt, textAtStar) = (p, t)
                    p += 1
                } else if p < bytes.count, bytes[p] == UInt8(ascii: "?") || bytes[p] == text[t] {
                    p += 1
                    t += 1
                } else if starAt >= 0 {
                    // Let the last star swallow one more and try again from behind it.
                    textAtStar += 1
                    p = starAt + 1
                    t = textAtStar
                } else {
                    return false
                }
            }
            while p < bytes.count, bytes[p] == UInt8(ascii: "*") { p += 1 }
            return p == bytes.count
        }
    }
}
