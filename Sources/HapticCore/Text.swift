// SPDX-License-Identifier: MIT

/// Text from outside: of a client, a file, a device or a daemon. It is equal to another where their UTF-8 bytes are, and sorted by them.
///
/// Swift compares and hashes a `String` by its characters, so it brings both into a normal form first. That takes time in the square of
/// the combining marks on one letter: seconds for 60 KB of them. And it takes two ids for one that are not the same to whoever sent them.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// To be shown, stored and sent; to be compared with nothing.
    public let string: String

    public init(_ string: some StringProtocol) { self.string = String(string) }
    public init(stringLiteral string: String) { self.string = string }

    public var description: String { string }
    public var utf8: String.UTF8View { string.utf8 }
    public var isEmpty: Bool { string.isEmpty }

    public static func == (a: Text, b: Text) -> Bool {
        guard a.utf8.count == b.utf8.count else { return false }
        return a.withBytes { a in b.withBytes { b in a.elementsEqual(b) } }
    }

    public static func < (a: Text, b: Text) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // What follows in the same hash must not be taken for more of this; no byte of UTF-8 has this value.
        hasher.combine(0xff as UInt8)
    }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var string = string
        return string.withUTF8(body)
    }
}

extension StringProtocol {
    /// Whether the bytes begin with those of `start`.
    public func begins(with start: StaticString) -> Bool {
        start.withUTF8Buffer { utf8.starts(with: $0) }
    }

    /// What is before `end`, where the bytes end with those of it; else nil.
    public func without(end: String) -> SubSequence? {
        guard utf8.count >= end.utf8.count else { return nil }
        let cut = utf8.index(utf8.endIndex, offsetBy: -end.utf8.count)
        return utf8[cut...].elementsEqual(end.utf8) ? self[..<cut] : nil
    }
}

extension Text {
    /// At most so many bytes of it, without a broken scalar at the end.
    public func prefix(bytes: Int) -> String {
        var end = string.utf8.index(string.startIndex, offsetBy: bytes, limitedBy: string.endIndex) ?? string.endIndex
        while end > string.startIndex, end < string.endIndex, UTF8.isContinuation(string.utf8[end]) {
            end = string.utf8.index(before: end)
        }
        return String(string[..<end])
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The case that `text` names.
    public init?(text: Text) {
        guard let found = Self.allCases.first(where: { Text($0.rawValue) == text }) else { return nil }
        self = found
    }
}

extension Text: Codable {
    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}
