// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticFormats

/// Makes `Decodable` values of a tree that `JSONReader` has read: what a daemon says, for its clients.
///
/// Numbers are bounded here, so that nobody who reckons with them later can overflow, whatever claims to be a daemon.
struct NodeDecoder: Decoder {
    /// Whole numbers, some of them nanoseconds: 36 years. Sums and differences of a few fit into 64 bits.
    static let greatestInteger: Int64 = 1 << 60
    /// Others, some of them milliseconds: 31 years; in nanoseconds these fit, too.
    static let greatestNumber = 1e12
    /// Combining marks in a row. With more of them a `String`, which a client compares as it likes, takes long to be compared.
    static let mostMarks = 64

    let node: Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: Node, at codingPath: [any CodingKey] = []) {
        self.node = node
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node.content else { throw wrong("an object") }
        return KeyedDecodingContainer(Members<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let items) = node.content else { throw wrong("a list") }
        return Items(items: items, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private static func hasTooManyMarks(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > mostMarks { return true }
        }
        return false
    }

    fileprivate func wrong(_ wanted: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(wanted) was expected"))
    }

}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.content == .null }

    func decode(_: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = node.content else { throw wrong("true or false") }
        return flag
    }

    func decode(_: String.Type) throws -> String {
        guard case .string(let text) = node.content else { throw wrong("a text") }
        guard !Self.hasTooManyMarks(text.string) else { throw wrong("a text with fewer marks on one letter") }
        return text.string
    }

    func decode(_: Double.Type) throws -> Double {
        guard case .number(let number) = node.content, abs(number) <= Self.greatestNumber else {
            throw wrong("a number of at most \(Self.greatestNumber)")
        }
        return number
    }

    func decode(_: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Integer: FixedWidthInteger & Decodable>(_: Integer.Type) throws -> Integer {
        let whole: Int64? =
            switch node.content {
            case .number(let number): Int64(exactly: number)
            case .integer(let number): number
            default: nil
            }
        guard let whole, whole.magnitude <= Self.greatestInteger, let number = Integer(exactly: whole) else {
            throw wrong("a whole number of at most \(Self.greatestInteger)")
        }
        return number
    }

    func decode<Value: Decodable>(_: Value.Type) throws -> Value { try Value(from: self) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [Node.Member]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key.string) } }

    func contains(_ key: Key) -> Bool { node(key) != nil }

    private func node(_ key: Key) -> Node? { members.first { $0.key == Text(key.stringValue) }?.value }

    private func decoder(_ key: Key) throws -> NodeDecoder {
        guard let node = node(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        return NodeDecoder(node, at: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value { try Value(from: decoder(key)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { NodeDecoder(Node(.object(members)), at: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Items: UnkeyedDecodingContainer {
    let items: [Node]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(items: [Node], codingPath: [any CodingKey]) {
        self.items = items
        self.codingPath = codingPath
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex == items.count }

    private mutating func next() throws -> NodeDecoder {
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "another value was expected"))
        }
        defer { currentIndex += 1 }
        return NodeDecoder(items[currentIndex], at: codingPath)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, items[currentIndex].content == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value { try Value(from: next()) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
