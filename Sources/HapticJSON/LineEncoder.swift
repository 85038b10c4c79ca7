// SPDX-License-Identifier: MIT
package import HapticCore

/// Writes an `Encodable` value as JSON on one line, members in the order in which the value gives them. One thread.
///
/// Our own, because `JSONEncoder` takes longer for an answer than all else that becomes of a request (`docs/adr/0009`). It writes
/// as it goes and keeps no tree; so containers are to be filled one after the other, each nested one before its parent goes on,
/// as all that is written here is.
package final class LineEncoder: Encoder {
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate var text = JSONText()
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

    /// As the value at hand: a number in just these digits.
    package func write(numeral: Text) { text.write(numeral: numeral) }

    /// Opens the container of the value at hand, or goes on with it.
    private func open(_ start: Unicode.Scalar, _ end: Unicode.Scalar) {
        if text.level == base { text.begin(start, end) }
    }

    fileprivate func write(_ value: some Encodable) throws {
        let outer = base
        base = text.level
        try value.encode(to: self)
        text.close(to: base)
        base = outer
    }
}

/// A JSON text as far as it has been written. A value of its own, so that a whole token is one access to it.
private struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// What ends each container that is open, from the outside in.
    private var ends: [UInt8] = []
    /// Nothing has been written into the innermost one yet.
    private var isEmpty = true

    init() { bytes.reserveCapacity(512) }

    /// How many containers are open.
    var level: Int { ends.count }

    mutating func begin(_ start: Unicode.Scalar, _ end: Unicode.Scalar) {
        bytes.append(UInt8(ascii: start))
        ends.append(UInt8(ascii: end))
        isEmpty = true
    }

    mutating func close(to level: Int) {
        while ends.count > level {
            bytes.append(ends.removeLast())
            isEmpty = false
        }
    }

    /// The next entry of the container at `level` begins.
    mutating func next(at level: Int) {
        close(to: level)
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
    }

    mutating func next(_ key: String, at level: Int) {
        next(at: level)
        write(key)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func writeNull() { bytes.append(contentsOf: "null".utf8) }
    mutating func write(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }
    mutating func write(_ number: some BinaryInteger) { bytes.append(contentsOf: String(number).utf8) }

    mutating func write(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        // The shortest text that reads as the same number; a whole one as people write it.
        let text = number.description
        bytes.append(contentsOf: text.utf8.dropLast(text.without(end: ".0") != nil ? 2 : 0))
    }

    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { write(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// What is not printable is escaped, also where JSON would not have it so: people read these lines on terminals.
    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        // trap: every scalar has both encodings.
        case _ where scalar.isPrintable: bytes.append(contentsOf: UTF8.encode(scalar)!)
        default:
            // trap: see above.
            for unit in UTF16.encode(scalar)! {
                let digits = String(unit, radix: 16)
                bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            }
        }
    }

    mutating func write(numeral: Text) { bytes.append(contentsOf: numeral.utf8) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: LineEncoder
    let level: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        encoder.text.next(key.stringValue, at: level)
        try encoder.text.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: UInt64, forKey key: Key) {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.text.next(key.stringValue, at: level)
        try encoder.write(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.begin("{", "}")
        return KeyedEncodingContainer(Members<Nested>(encoder: encoder, level: encoder.text.level))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.text.next(key.stringValue, at: level)
        encoder.text.begin("[", "]")
        return Items(encoder: encoder, level: encoder.text.level)
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
        encoder.text.next(at: level)
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
        encoder.text.begin("{", "}")
        return KeyedEncodingContainer(Members<Nested>(encoder: encoder, level: encoder.text.level))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next()
        encoder.text.begin("[", "]")
        return Items(encoder: encoder, level: encoder.text.level)
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
