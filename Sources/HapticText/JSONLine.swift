// SPDX-License-Identifier: MIT

/// A value as a line of JSON, for files of our own: any number, any text. Who reads one checks what it reckons with.
package enum JSONLine {
    /// Without an LF. Throws where a number is not finite.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] { try LineEncoder.bytes(value) }

    /// `userInfo`: for the initializers of what is read.
    package static func value<Value: Decodable>(
        _: Value.Type, from line: [UInt8], userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> Value {
        try NodeDecoder(JSONReader.node(line), isBounded: false, userInfo: userInfo).decode(Value.self)
    }
}
