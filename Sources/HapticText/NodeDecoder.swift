// SPDX-License-Identifier: MIT
internal import HapticCore

/// Makes `Decodable` values of a tree that `JSONReader` has read: what a daemon says, for its clients.
///
/// Numbers are bounded here, so that calculating with them cannot overflow, whatever claims to be a daemon. `JSONLine` reads without these
/// bounds.
package struct NodeDecoder: Decoder {
    /// Whole numbers, some of them nanoseconds: 36 years. Sums and differences of a few fit into 64 bits.
    package static let greatestInteger: Int64 = 1 << 60
    /// Others, some of them milliseconds: 31 years; in nanoseconds these fit, too.
    package static let greatestNumber = 1e12

    package let node: Node
    package let codingPath: [any CodingKey]
    package let userInfo: [CodingUserInfoKey: Any]
    private let isBounded: Bool

    package init(_ node: Node, isBounded: Bool = true, userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.node = node
        self.isBounded = isBounded
        self.userInfo = userInfo
        codingPath = []
    }

    fileprivate init(_ node: Node, in parent: NodeDecoder, at codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        (isBounded, userInfo) = (parent.isBounded, parent.userInfo)
    }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node.content else { throw wrong("an object") }
        return KeyedDecodingContainer(Members<Key>(parent: self, members: members))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let items) = node.content else { throw wrong("a list") }
        return Items(parent: self, items: items)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    fileprivate func wrong(_ wanted: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(wanted) was expected"))
    }

}

extension NodeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { node.content == .null }

    package func decode(_: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = node.content else { throw wrong("true or false") }
        return flag
    }

    package func decode(_: String.Type) throws -> String {
        guard case .string(let text) = node.content else { throw wrong("a text") }
        guard !isBounded || !text.string.hasTooManyMarks else { throw wrong("a text with fewer marks on one letter") }
        return text.string
    }

    package func decode(_: Double.Type) throws -> Double {
        let number: Double? =
            switch node.content {
            case .number(let number): number
            case .integer(let number) where !isBounded: Double(number)
            default: nil
            }
        guard let number, !isBounded || abs(number) <= Self.greatestNumber else {
            throw wrong("a number of at most \(Self.greatestNumber)")
        }
        return number
    }

    package func decode(_: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    package func decode<Integer: FixedWidthInteger & Decodable>(_: Integer.Type) throws -> Integer {
        let whole: Int64? =
            switch node.content {
            case .number(let number): Int64(exactly: number)
            case .integer(let number): number
            default: nil
            }
        guard let whole, !isBounded || whole.magnitude <= Self.greatestInteger, let number = Integer(exactly: whole) else {
            throw wrong("a whole number of at most \(Self.greatestInteger)")
        }
        return number
    }

    package func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        // Any number may be the value of an event: nobody reckons with it.
        if Value.self is Scalar.Type, let scalar = Scalar(node) as? Value { return scalar }
        return try Value(from: self)
    }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let parent: NodeDecoder
    let members: [Node.Member]
    var codingPath: [any CodingKey] { parent.codingPath }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key.string) } }

    func contains(_ key: Key) -> Bool { node(key) != nil }

    private func node(_ key: Key) -> Node? { members.first { $0.key == Text(key.stringValue) }?.value }

    private func decoder(_ key: Key) throws -> NodeDecoder {
        guard let node = node(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        return NodeDecoder(node, in: parent, at: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { parent }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Items: UnkeyedDecodingContainer {
    let parent: NodeDecoder
    let items: [Node]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { parent.codingPath }

    init(parent: NodeDecoder, items: [Node]) {
        self.parent = parent
        self.items = items
    }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex == items.count }

    private mutating func next() throws -> NodeDecoder {
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "another value was expected"))
        }
        defer { currentIndex += 1 }
        return NodeDecoder(items[currentIndex], in: parent, at: codingPath)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, items[currentIndex].content == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
