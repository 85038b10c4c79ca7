// SPDX-License-Identifier: MIT
package import HapticCore

/// A JSON text on one line, as far as it has been written.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(512) }

    package mutating func begin(_ start: Unicode.Scalar) { bytes.append(UInt8(ascii: start)) }
    package mutating func end(_ end: Unicode.Scalar) { bytes.append(UInt8(ascii: end)) }

    /// The next entry of the innermost list or object begins.
    package mutating func next() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    /// The next member of the innermost object begins; its value follows.
    package mutating func next(_ key: String) {
        next()
        write(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// The same. `key`: what `written(key:)` made of it.
    package mutating func next(written key: [UInt8]) {
        next()
        bytes.append(contentsOf: key)
    }

    /// A key as it stands before its value, for one that is written often.
    package static func written(key: String) -> [UInt8] {
        var text = JSONText()
        text.next(key)
        return text.bytes
    }

    package mutating func writeNull() { bytes.append(contentsOf: "null".utf8) }
    package mutating func write(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }
    package mutating func write(_ number: some BinaryInteger) { bytes.append(contentsOf: String(number).utf8) }

    /// Throws if `number` is not finite.
    package mutating func write(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        // The shortest text that reads as the same number; a whole one as people write it.
        let text = number.description
        bytes.append(contentsOf: text.utf8.dropLast(text.without(end: ".0") != nil ? 2 : 0))
    }

    package mutating func write(_ text: String) {
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

    /// What JSON cannot say is null: a number that is not finite, and what is not usable.
    package mutating func write(_ node: Node) throws {
        switch node.content {
        case .null, .invalid: writeNull()
        case .bool(let flag): write(flag)
        case .number(let number): if number.isFinite { try write(number) } else { writeNull() }
        case .integer(let number): write(number)
        case .string(let text): write(text.string)
        case .list(let items):
            begin("[")
            for item in items {
                next()
                try write(item)
            }
            end("]")
        case .object(let members):
            begin("{")
            for member in members {
                next(member.key.string)
                try write(member.value)
            }
            end("}")
        }
    }

    /// Members in the order of their names.
    package mutating func write(_ value: JSONValue) throws {
        switch value {
        case .null: writeNull()
        case .bool(let flag): write(flag)
        case .number(let number): try write(number)
        case .string(let text): write(text)
        case .array(let items):
            begin("[")
            for item in items {
                next()
                try write(item)
            }
            end("]")
        case .object(let members):
            begin("{")
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                next(name.string)
                try write(value)
            }
            end("}")
        }
    }

    /// What another text has written.
    package mutating func write(written bytes: [UInt8]) { self.bytes.append(contentsOf: bytes) }

    /// A number in just these digits.
    package mutating func write(numeral: Text) { bytes.append(contentsOf: numeral.utf8) }
}
