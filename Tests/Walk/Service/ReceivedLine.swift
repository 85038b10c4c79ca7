// SPDX-License-Identifier: MIT

/// A line of the daemon, or one answer of a batch. It is searched for a few members, without any of our readers.
struct ReceivedLine {
    /// The text of a member.
    enum Key: String, CaseIterable {
        case id, method, code, seq, playback, ended, ending, outcome, count, sources, playbacks, result, user, source, value,
            decision

        fileprivate static let bytes = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, Array("\"\($0.rawValue)\":".utf8)) })
    }

    static let answer = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    static let error = Array(#"{"jsonrpc":"2.0","error":"#.utf8)
    static let notice = Array(#"{"jsonrpc":"2.0","method":"#.utf8)
    private static let null = Array("null".utf8)
    private static let between = Array(#",{"jsonrpc":"2.0","#.utf8)
    private static let line = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")

    let bytes: ArraySlice<UInt8>

    /// The lines of `bytes`, which have to be complete.
    static func lines(of bytes: [UInt8]) -> [ReceivedLine]? {
        guard !bytes.isEmpty else { return [] }
        guard bytes.last == line else { return nil }
        return bytes.dropLast().split(separator: line, omittingEmptySubsequences: false).map { ReceivedLine(bytes: $0) }
    }

    /// The answers of a batch; the line itself if it is no batch.
    var answers: [ReceivedLine] {
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return [self] }
        var answers: [ReceivedLine] = []
        var rest = bytes.dropFirst().dropLast()
        while let next = Self.place(of: Self.between, in: rest) {
            answers.append(ReceivedLine(bytes: rest[..<next]))
            rest = rest[(next + 1)...]
        }
        return answers + [ReceivedLine(bytes: rest)]
    }

    var text: String { String(decoding: bytes.prefix(300), as: UTF8.self) }

    func begins(with start: [UInt8]) -> Bool { bytes.starts(with: start) }

    /// The number behind the first `key`, if any.
    func number(_ key: Key) -> Int? { after(key).flatMap(Self.number) }

    /// The number behind the last `id`, at the end of the line.
    var lastID: Int? {
        // `}` follows the number.
        let digits = bytes.dropLast().reversed().prefix { $0 >= 48 && $0 <= 57 }.reversed()
        return Self.number(ArraySlice(digits))
    }

    /// The text behind the first `key`, if it has no escapes.
    func word(_ key: Key) -> String? {
        guard let rest = after(key), rest.first == Self.quote else { return nil }
        return String(decoding: rest.dropFirst().prefix { $0 != Self.quote }, as: UTF8.self)
    }

    /// Whether the first `key` is null.
    func isNull(_ key: Key) -> Bool { after(key)?.starts(with: Self.null) == true }

    /// The first member of the result.
    var firstMember: String? {
        guard let rest = after(.result), rest.dropFirst().first == Self.quote else { return nil }
        return String(decoding: rest.dropFirst(2).prefix { $0 != Self.quote }, as: UTF8.self)
    }

    /// The rest of the line from the first `key` on.
    func from(_ key: Key) -> ReceivedLine? { after(key).map { ReceivedLine(bytes: $0) } }

    private func after(_ key: Key) -> ArraySlice<UInt8>? {
        guard let pattern = Key.bytes[key], let place = Self.place(of: pattern, in: bytes) else { return nil }
        return bytes[(place + pattern.count)...]
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        var (number, digits) = (0, 0)
        for byte in isNegative ? text.dropFirst() : text {
            guard byte >= 48, byte <= 57 else { break }
            (number, digits) = (10 * number + Int(byte - 48), digits + 1)
        }
        return digits == 0 ? nil : isNegative ? -number : number
    }

    private static func place(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { buffer -> Int? in
            var place = 0
            while place + pattern.count <= buffer.count {
                var length = 0
                while length < pattern.count, buffer[place + length] == pattern[length] { length += 1 }
                if length == pattern.count { return bytes.startIndex + place }
                place += 1
            }
            return nil
        }
    }
}
