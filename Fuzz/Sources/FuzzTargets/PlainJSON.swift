// SPDX-License-Identifier: MIT

/// A second reader of JSON (RFC 8259), as plain as can be, that judges ours and shares no code with it. Numbers stay text.
indirect enum PlainJSON {
    case null
    case bool(Bool)
    case number(String)
    case string([UInt8])
    case list([PlainJSON])
    case object([(key: [UInt8], value: PlainJSON)])

    private struct Refused: Error {}

    /// Nil where `bytes` are no JSON, or hold a member twice. `depth`: of the deepest value, the outermost being at 0.
    static func read(_ bytes: [UInt8]) -> (value: PlainJSON, depth: Int, longestName: Int)? {
        guard isUTF8(bytes) else { return nil }
        var rest = bytes[...]
        var (depth, longestName) = (0, 0)
        guard let value = try? value(&rest, 0, &depth, &longestName) else { return nil }
        space(&rest)
        return rest.isEmpty ? (value, depth, longestName) : nil
    }

    private static func space(_ rest: inout ArraySlice<UInt8>) {
        while let byte = rest.first, [9, 10, 13, 32].contains(byte) { rest.removeFirst() }
    }

    private static func take(_ text: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    private static func value(
        _ rest: inout ArraySlice<UInt8>, _ level: Int, _ depth: inout Int, _ longestName: inout Int
    ) throws -> PlainJSON {
        // This reader's own stack is not tested.
        guard level < 1000 else { throw Refused() }
        depth = max(depth, level)
        space(&rest)
        if take("null", &rest) { return .null }
        if take("true", &rest) { return .bool(true) }
        if take("false", &rest) { return .bool(false) }
        if take("\"", &rest) { return .string(try string(&rest)) }
        if take("[", &rest) {
            var items: [PlainJSON] = []
            space(&rest)
            if take("]", &rest) { return .list(items) }
            while true {
                items.append(try value(&rest, level + 1, &depth, &longestName))
                space(&rest)
                if take("]", &rest) { return .list(items) }
                guard take(",", &rest) else { throw Refused() }
            }
        }
        if take("{", &rest) {
            var members: [(key: [UInt8], value: PlainJSON)] = []
            var names: Set<[UInt8]> = []
            space(&rest)
            if take("}", &rest) { return .object(members) }
            while true {
                space(&rest)
                guard take("\"", &rest) else { throw Refused() }
                let name = try string(&rest)
                longestName = max(longestName, name.count)
                guard names.insert(name).inserted else { throw Refused() }
                space(&rest)
                guard take(":", &rest) else { throw Refused() }
                members.append((name, try value(&rest, level + 1, &depth, &longestName)))
                space(&rest)
                if take("}", &rest) { return .object(members) }
                guard take(",", &rest) else { throw Refused() }
            }
        }
        return .number(try number(&rest))
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws -> String {
        let start = rest
        func digits(_ rest: inout ArraySlice<UInt8>) throws {
            guard rest.first.map(isDigit) == true else { throw Refused() }
            while rest.first.map(isDigit) == true { rest.removeFirst() }
        }
        _ = take("-", &rest)
        if !take("0", &rest) { try digits(&rest) }
        if take(".", &rest) { try digits(&rest) }
        if take("e", &rest) || take("E", &rest) {
            if !take("+", &rest) { _ = take("-", &rest) }
            try digits(&rest)
        }
        return String(decoding: start[..<rest.startIndex], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func string(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 34 { return text }
            guard byte >= 32 else { throw Refused() }
            guard byte == 92 else {
                text.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { throw Refused() }
            let plain: [UInt8: UInt8] = [34: 34, 92: 92, 47: 47, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9]
            if let meant = plain[letter] {
                text.append(meant)
                continue
            }
            guard letter == 117 else { throw Refused() }
            let unit = try unit(&rest)
            if unit >> 10 == 0x36 {
                guard take("\\u", &rest) else { throw Refused() }
                let low = try self.unit(&rest)
                guard low >> 10 == 0x37 else { throw Refused() }
                text += String(decoding: [unit, low], as: UTF16.self).utf8
            } else {
                guard unit >> 10 != 0x37 else { throw Refused() }
                text += String(decoding: [unit], as: UTF16.self).utf8
            }
        }
        throw Refused()
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) throws -> UInt16 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.count == 4, digits.allSatisfy({ isDigit($0) || (97...102).contains($0 | 32) }) else { throw Refused() }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)!
    }

    /// By the table of RFC 3629.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        var index = 0
        while index < bytes.count {
            let (count, second): (Int, ClosedRange<UInt8>)
            switch bytes[index] {
            case 0...0x7F: (count, second) = (1, 0...0)
            case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
            case 0xE0: (count, second) = (3, 0xA0...0xBF)
            case 0xE1...0xEC, 0xEE, 0xEF: (count, second) = (3, 0x80...0xBF)
            case 0xED: (count, second) = (3, 0x80...0x9F)
            case 0xF0: (count, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
            case 0xF4: (count, second) = (4, 0x80...0x8F)
            default: return false
            }
            guard index + count <= bytes.count else { return false }
            for offset in 1..<max(count, 1) where !(offset == 1 ? second : 0x80...0xBF).contains(bytes[index + offset]) {
                return false
            }
            index += count
        }
        return true
    }
}

extension PlainJSON {
    subscript(name: String) -> PlainJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.elementsEqual(name.utf8) }?.value
    }

    /// Where it is a string.
    var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
