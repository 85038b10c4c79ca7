// SPDX-License-Identifier: MIT
internal import HapticCore

/// Writes an `Encodable` value as JSON on one line, members in the order in which the value gives them. One thread.
///
/// Our own, because `JSONEncoder` takes longer for an answer than all else that becomes of a request (`docs/adr/0009`). It writes
/// as it goes and keeps no tree; so containers are to be filled one after the other, each nested one before its parent goes on,
/// as all that is written here is.
package final class LineEncoder: Encoder {
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate var text = JSONText()
    /// What ends each container that is open, from the outside in.
    private var ends: [Unicode.Scalar] = []
    /// How many containers were open when the value at hand began.
    private var base = 0

    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = LineEncoder()
        try encoder.write(value)
        return encoder.text.bytes
    }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        open("{", "}")
        return KeyedEncodingContainer(Members<Key>(encoder: self, level: base + 1))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open("[", "]")
        return Items(encoder: self, level: base + 1)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// As the value at hand: what `write` writes.
    package func value(_ write: (inout JSONText) throws -> Void) rethrows { try write(&text) }

    /// How many containers are open.
    fileprivate var level: Int { ends.count }

    /// Opens the container of the value at hand, or goes on with it.
    private func open(_ start: Unicode.Scalar, _ end: Unicode.Scalar) { if level == base { begin(start, end) } }

    fileprivate func begin(_ start: Unicode.Scalar, _ end: Unicode.Scalar) {
        text.begin(start)
        ends.append(end)
    }

    private func close(to level: Int) { while ends.count > level { text.end(ends.removeLast()) } }

    /// The next entry of the container at `level` begins.
    fileprivate func next(at level: Int) {
        close(to: level)
        text.next()
    }

    fileprivate func next(_ key: String, at level: Int) {
        close(to: level)
        text.next(key)
    }

    fileprivate func write(_ value: some Encodable) throws {
        let outer = base
        base = level
        try value.encode(to: self)
        close(to: base)
        base = outer
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: LineEncoder
    let level: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        encoder.next(key.stringValue, at: level)
        try encoder.text.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: UInt64, forKey key: Key) {
        encoder.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.next(key.stringValue, at: level)
        try encoder.write(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.next(key.stringValue, at: level)
        encoder.begin("{", "}")
        return KeyedEncodingContainer(Members<Nested>(encoder: encoder, level: encoder.level))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.next(key.stringValue, at: level)
        encoder.begin("[", "]")
        return Items(encoder: encoder, level: encoder.level)
    }

    // trap: only types of ours are written, and none of them inherits.
    func superEncoder() -> any Encoder { preconditionFailure("nothing that is written here inherits") }
    func superEncoder(forKey _: Key) -> any Encoder { superEncoder() }
}

private struct Items: UnkeyedEncodingContainer {
    let encoder: LineEncoder
    let level: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(encoder: LineEncoder, level: Int) {
        self.encoder = encoder
        self.level = level
    }

    private mutating func next() {
        encoder.next(at: level)
        count += 1
    }

    mutating func encodeNil() {
        next()
        encoder.text.writeNull()
    }

    mutating func encode(_ value: some Encodable) throws {
        next()
        try encoder.write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next()
        encoder.begin("{", "}")
        return KeyedEncodingContainer(Members<Nested>(encoder: encoder, level: encoder.level))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next()
        encoder.begin("[", "]")
        return Items(encoder: encoder, level: encoder.level)
    }

    // trap: only types of ours are written, and none of them inherits.
    func superEncoder() -> any Encoder { preconditionFailure("nothing that is written here inherits") }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: LineEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.text.writeNull() }
    func encode(_ value: Bool) { encoder.text.write(value) }
    func encode(_ value: String) { encoder.text.write(value) }
    func encode(_ value: Double) throws { try encoder.text.write(value) }
    func encode(_ value: Float) throws { try encoder.text.write(Double(value)) }
    func encode(_ value: Int) { encoder.text.write(value) }
    func encode(_ value: Int8) { encoder.text.write(value) }
    func encode(_ value: Int16) { encoder.text.write(value) }
    func encode(_ value: Int32) { encoder.text.write(value) }
    func encode(_ value: Int64) { encoder.text.write(value) }
    func encode(_ value: UInt) { encoder.text.write(value) }
    func encode(_ value: UInt8) { encoder.text.write(value) }
    func encode(_ value: UInt16) { encoder.text.write(value) }
    func encode(_ value: UInt32) { encoder.text.write(value) }
    func encode(_ value: UInt64) { encoder.text.write(value) }
    func encode(_ value: some Encodable) throws { try encoder.write(value) }
}
