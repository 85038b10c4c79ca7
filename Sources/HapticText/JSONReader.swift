// SPDX-License-Identifier: MIT
internal import HapticCore

/// Why bytes are not JSON.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong, to go on after "not JSON: ".
    public let message: String
    /// Where, in bytes from 0.
    public let offset: Int
}

/// Reads one JSON text (RFC 8259), strictly: UTF-8 without a byte order mark, no member twice, nothing after it. Pure.
///
/// Our own, because `JSONDecoder` took three quarters of an event's time (`docs/adr/0009`), is lax about commas at the end and
/// byte order marks, and keeps only one of two members of the same name. Takes time in proportion to the text; bounded by
/// `Node.depthLimit` and the length of the text.
public struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Nil where nobody asks for marks.
    private var marks: MarkCounter?
    /// Gets a note for each comma at the end of a list or an object; `nil` if such a comma is an error.
    private let commaNotes: DocumentReport?

    private init(_ bytes: [UInt8], marks: MarkCounter?, commaNotes: DocumentReport?) {
        self.bytes = bytes
        self.marks = marks
        self.commaNotes = commaNotes
    }

    /// The value that `bytes` are. Its nodes have marks where it `isMarked`.
    public static func node(_ bytes: [UInt8], isMarked: Bool = false) throws(JSONError) -> Node {
        try node(bytes, marks: isMarked ? MarkCounter() : nil, commaNotes: nil)
    }

    /// The value of a file, with marks. `commaNotes`: see the property.
    static func markedNode(_ bytes: [UInt8], commaNotes: DocumentReport?) throws(JSONError) -> Node {
        try node(bytes, marks: MarkCounter(), commaNotes: commaNotes)
    }

    private static func node(
        _ bytes: [UInt8], marks: MarkCounter?, commaNotes: DocumentReport?
    ) throws(JSONError) -> Node {
        var reader = JSONReader(bytes, marks: marks, commaNotes: commaNotes)
        let node = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error("something follows the value") }
        return node
    }

    /// Where the next byte is.
    private mutating func mark() -> SourceMark? { marks?.mark(at: position, in: bytes) }

    private func error(_ message: String) -> JSONError { JSONError(message: message, offset: position) }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        position += 1
        return true
    }

    /// Takes the comma behind an item; false if there is none, or if the `end` of the list or object follows and the comma is noted.
    private mutating func takeComma(before end: UInt8) -> Bool {
        guard commaNotes != nil else { return take(UInt8(ascii: ",")) }
        guard byte == UInt8(ascii: ",") else { return false }
        let mark = mark()
        position += 1
        skipSpace()
        guard byte == end else { return true }
        let container = end == UInt8(ascii: "]") ? "list" : "object"
        commaNotes?.add("left out: the comma at the end of the \(container), which JSON does not allow", at: mark)
        return false
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(JSONError) -> Node {
        guard depth <= Node.depthLimit else { throw error("it is nested deeper than \(Node.depthLimit) levels") }
        skipSpace()
        guard marks != nil else { return try unmarkedValue(depth: depth) }
        let mark = mark()
        var node = try unmarkedValue(depth: depth)
        node.mark = mark
        return node
    }

    private mutating func unmarkedValue(depth: Int) throws(JSONError) -> Node {
        guard let byte else { throw error("it ends where a value was expected") }
        switch byte {
        case UInt8(ascii: "{"): return Node(try object(depth: depth))
        case UInt8(ascii: "["): return Node(try list(depth: depth))
        case UInt8(ascii: "\""): return Node(.string(try string()))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return Node(try literal("true", .bool(true)))
        case UInt8(ascii: "f"): return Node(try literal("false", .bool(false)))
        case UInt8(ascii: "n"): return Node(try literal("null", .null))
        case UInt8(ascii: ","): throw error("there is no value before this comma; leave the comma out")
        default: throw error("a value was expected here")
        }
    }

    private mutating func literal(_ text: String, _ content: Node.Content) throws(JSONError) -> Node.Content {
        for byte in text.utf8 {
            guard take(byte) else { throw error("`\(text)` was expected") }
        }
        return content
    }

    private mutating func list(depth: Int) throws(JSONError) -> Node.Content {
        position += 1
        var items: [Node] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .list(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while takeComma(before: UInt8(ascii: "]"))
        guard take(UInt8(ascii: "]")) else { throw error("`,` or `]` was expected") }
        return .list(items)
    }

    /// Bytes of a member's name; more than any that means something.
    static let longestName = 256

    /// With more members than this a member that is there twice is looked for in a set.
    private static let fewMembers = 16

    private var expectedName: String {
        switch byte {
        case UInt8(ascii: "}"): "there is a comma too many before `}`"
        case UInt8(ascii: ","): "there is no member before this comma; leave the comma out"
        case UInt8(ascii: "'"): "a name is in double quotes, not in single ones"
        default: "a member's name in double quotes was expected"
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> Node.Content {
        position += 1
        var members: [Node.Member] = []
        var keys: Set<Text> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        members.reserveCapacity(4)
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw error(expectedName) }
            let keyMark = mark()
            let key = try string()
            guard key.utf8.count <= Self.longestName else {
                throw error("a member's name is longer than \(Self.longestName) bytes")
            }
            if members.count == Self.fewMembers { keys = Set(members.map(\.key)) }
            let isTwice =
                members.count < Self.fewMembers ? members.contains { $0.key == key } : !keys.insert(key).inserted
            if isTwice { throw error("the member `\(key.prefix(bytes: 64))` is there twice") }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("`:` was expected") }
            members.append(Node.Member(key: key, keyMark: keyMark, value: try value(depth: depth + 1)))
            skipSpace()
        } while takeComma(before: UInt8(ascii: "}"))
        guard take(UInt8(ascii: "}")) else { throw error("`,` or `}` was expected") }
        return .object(members)
    }
}

// MARK: Strings

extension JSONReader {
    private mutating func string() throws(JSONError) -> Text {
        position += 1
        let start = position
        var allBits: UInt8 = 0
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            allBits |= byte
            position += 1
        }
        guard byte == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        defer { position += 1 }
        // ASCII needs no validation, which takes longer than all the rest.
        if allBits < 0x80 { return Text(String(decoding: bytes[start..<position], as: UTF8.self)) }
        return try text(bytes[start..<position])
    }

    private func text(_ bytes: some Sequence<UInt8>) throws(JSONError) -> Text {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw error("the string is not UTF-8") }
        return Text(text)
    }

    /// Goes on with a string from `start` at the first byte that does not stand for itself.
    private mutating func escapedString(from start: Int) throws(JSONError) -> Text {
        var unescaped = Array(bytes[start..<position])
        while true {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(unescaped)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &unescaped)
            case nil: throw error("it ends within a string")
            case let byte? where byte < 0x20: throw error("a control character in a string is written as \\u00…")
            case let byte?:
                unescaped.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let letter = byte else { throw error("it ends within a string") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("half of a surrogate pair") }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair") }
            // trap: every scalar has UTF-8.
            text.append(contentsOf: UTF8.encode(scalar)!)
        default:
            position -= 1
            throw error("there is no such escape")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw error("four hexadecimal digits were expected")
            }
            code = code << 4 + UInt32(digit)
            position += 1
        }
        return code
    }
}

// MARK: Numbers

extension JSONReader {
    /// Up to here a power of ten is exact in a Double, and so is a product or quotient with an exact number (Clinger 1990).
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
        1e22,
    ]
    private static let exactInDouble: UInt64 = 1 << 53

    private var digit: UInt64? {
        guard let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        return UInt64(byte - UInt8(ascii: "0"))
    }

    /// The nearest Double, infinite where it is too large for one; a whole number that a Double does not hold stays as it is.
    private mutating func number() throws(JSONError) -> Node {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        var (mantissa, isExact) = (UInt64(0), true)
        func add(_ digit: UInt64) {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { isExact = false }
            mantissa = sum
        }
        guard digit != nil else { throw error("a digit was expected") }
        if digit == 0 {
            position += 1
            if digit != nil { throw error("a number has no leading zero") }
        }
        while let digit {
            add(digit)
            position += 1
        }
        var exponent = 0
        if take(UInt8(ascii: ".")) {
            guard digit != nil else { throw error("a digit was expected") }
            let first = position
            while let digit {
                add(digit)
                position += 1
            }
            exponent = first - position
        }
        let isWhole = exponent == 0 && byte != UInt8(ascii: "e") && byte != UInt8(ascii: "E")
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            let isReciprocal = take(UInt8(ascii: "-"))
            if !isReciprocal { _ = take(UInt8(ascii: "+")) }
            guard digit != nil else { throw error("a digit was expected") }
            var power = 0
            while let digit {
                // More than any number here can make up for.
                power = min(power * 10 + Int(digit), 1_000_000)
                position += 1
            }
            exponent += isReciprocal ? -power : power
        }
        if isExact, mantissa <= Self.exactInDouble, abs(exponent) < Self.powersOfTen.count {
            let power = Self.powersOfTen[abs(exponent)]
            let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return Node(.number(isNegative ? -magnitude : magnitude))
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return Node(.integer(integer)) }
        guard let number = Double(text) else { throw error("this is no number") }
        return Node(.number(number), numeral: Text(text))
    }
}
