// SPDX-License-Identifier: MIT

/// A text pattern with wildcards: `*` is any run of characters, dots included, `?` any one; all others are themselves.
///
/// What is before its first star and after its last one is compared with the ends of a text. The rest runs in one pass as a
/// nondeterministic automaton, a bit for each of its bytes (Baeza-Yates and Gonnet, "A new approach to text searching", 1992).
public struct Glob: Sendable {
    public let text: String
    private let head: [UInt8]
    /// Nil: there is no star, and the head is all of it.
    private let tail: [UInt8]?
    private let middle: Middle?

    /// `?` is one byte of UTF-8 outside ASCII.
    public init(_ text: String) {
        self.text = text
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(of: Self.star), let last = bytes.lastIndex(of: Self.star) else {
            (head, tail, middle) = (bytes, nil, nil)
            return
        }
        (head, tail) = (Array(bytes[..<first]), Array(bytes[(last + 1)...]))
        middle = Middle(bytes[first...last])
    }

    public var matchesEverything: Bool { head.isEmpty && tail?.isEmpty == true && middle == nil }

    /// What looking at texts costs at most, see `WorkBudget`; a sum for several globs.
    public struct Cost: Sendable {
        /// Of the comparison with a text's ends.
        private var ends = 0
        /// Words of bits that each byte of a text is held against.
        private var words = 0

        public init() {}

        public mutating func add(_ glob: Glob) {
            ends += WorkBudget.Cost.rule + (glob.head.count + (glob.tail?.count ?? 0)) / 8
            words += glob.middle?.wordCount ?? 0
        }

        /// For a text of so many bytes.
        public func units(_ bytes: Int) -> Int { ends + (bytes + 16) * words / 2 }
    }

    /// Each byte of `candidate` costs one comparison, or, between two stars, one for each 64 bytes of the pattern.
    public func matches(_ candidate: String) -> Bool {
        if matchesEverything { return true }
        var candidate = candidate
        return candidate.withUTF8 { matches(bytes: $0) }
    }

    func matches(bytes text: some RandomAccessCollection<UInt8>) -> Bool {
        guard let tail else { return text.count == head.count && Self.agree(text, head) }
        guard text.count >= head.count + tail.count, Self.agree(text.prefix(head.count), head),
            Self.agree(text.suffix(tail.count), tail)
        else { return false }
        return middle?.matches(text.dropFirst(head.count).dropLast(tail.count)) ?? true
    }

    private static let star = UInt8(ascii: "*")
    private static let anyOne = UInt8(ascii: "?")

    private static func agree(_ text: some Sequence<UInt8>, _ wanted: [UInt8]) -> Bool {
        zip(text, wanted).allSatisfy { $0 == $1 || $1 == anyOne }
    }

    /// What stands between the first star and the last, and stars around it.
    private struct Middle: Sendable {
        let wordCount: Int
        /// By the byte of a text: where its words are in `masks`. 0: it is not in the pattern.
        private var offsets = [UInt32](repeating: 0, count: 256)
        /// Of each byte: a bit for every position of the pattern where it may stand.
        private var masks: [UInt64]
        /// A bit for each position that follows a star.
        private var starts: [UInt64]
        private let lastBit: UInt64

        /// Nil where there is nothing but stars.
        init?(_ bytes: ArraySlice<UInt8>) {
            let wanted = bytes.filter { $0 != Glob.star }
            guard !wanted.isEmpty else { return nil }
            wordCount = (wanted.count + 63) / 64
            lastBit = 1 << UInt64((wanted.count - 1) % 64)
            let none = [UInt64](repeating: 0, count: wordCount)
            (masks, starts) = (none, none)
            for byte in wanted where byte != Glob.anyOne && offsets[Int(byte)] == 0 {
                offsets[Int(byte)] = UInt32(masks.count)
                masks += none
            }
            var position = 0
            var followsStar = false
            for byte in bytes {
                guard byte != Glob.star else {
                    followsStar = true
                    continue
                }
                let (word, bit) = (position / 64, UInt64(1) << UInt64(position % 64))
                if followsStar { starts[word] |= bit }
                if byte == Glob.anyOne {
                    for of in stride(from: 0, to: masks.count, by: wordCount) { masks[of + word] |= bit }
                } else {
                    masks[Int(offsets[Int(byte)]) + word] |= bit
                }
                followsStar = false
                position += 1
            }
        }

        /// One pass, in which each byte of `text` costs `wordCount` steps.
        func matches(_ text: some Sequence<UInt8>) -> Bool {
            // The positions that were reached by the byte before; and of those that follow a star the ones that may be taken up, from
            // the first byte on or once the position before was reached.
            var reached = [UInt64](repeating: 0, count: wordCount)
            var open = reached
            open[0] = 1
            for byte in text {
                let offset = Int(offsets[Int(byte)])
                var (carry, openCarry) = (UInt64(0), UInt64(0))
                for word in 0..<wordCount {
                    let next = (reached[word] << 1 | carry | open[word]) & masks[offset + word]
                    carry = reached[word] >> 63
                    reached[word] = next
                    open[word] |= (next << 1 | openCarry) & starts[word]
                    openCarry = next >> 63
                }
                if reached[wordCount - 1] & lastBit != 0 { return true }
            }
            return false
        }
    }
}

extension Glob: Hashable {
    public static func == (a: Glob, b: Glob) -> Bool { Text(a.text) == Text(b.text) }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
