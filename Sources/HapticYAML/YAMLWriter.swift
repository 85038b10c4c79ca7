// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticText

extension YAML {
    /// The text of a file; YAML reads the same values back. Numbers are finite.
    ///
    /// An object in which there is no list is on one line, in braces; not the outermost one.
    public static func text(_ node: Node) -> String {
        guard case .object(let members) = node.content, !members.isEmpty else { return flow(node) + "\n" }
        return lines(members).joined(separator: "\n") + "\n"
    }

    private static func lines(_ members: [Node.Member]) -> [String] {
        members.flatMap { member -> [String] in
            let key = scalar(member.key.string)
            switch member.value.content {
            case .list(let items) where !items.isEmpty: return ["\(key):"] + items.flatMap(item)
            case .object(let inner) where hasList(member.value): return ["\(key):"] + lines(inner).map { "  " + $0 }
            case .string(let text): return ["\(key): \(scalar(text.string))"]
            default: return ["\(key): \(flow(member.value))"]
            }
        }
    }

    private static func item(_ node: Node) -> [String] {
        guard case .object(let members) = node.content, hasList(node) else { return ["  - \(flow(node))"] }
        return lines(members).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
    }

    private static func hasList(_ node: Node) -> Bool {
        switch node.content {
        case .list: true
        case .object(let members): members.contains { hasList($0.value) }
        default: false
        }
    }

    private static func flow(_ node: Node) -> String {
        switch node.content {
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members):
            "{ " + members.map { "\(scalar($0.key.string, inFlow: true)): \(flow($0.value))" }.joined(separator: ", ") + " }"
        case .list(let items): "[" + items.map(flow).joined(separator: ", ") + "]"
        case .string(let text): scalar(text.string, inFlow: true)
        case .number(let number): plainText(number)
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .null, .invalid: "null"
        }
    }

    /// Plain where YAML reads it back as the same text, else in quotes. In a flow a comma ends a plain text.
    private static func scalar(_ text: String, inFlow: Bool = false) -> String {
        let others = inFlow ? " _-.()/;" : " _-,.()/;"
        func isPlainAnywhere(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        let isPlain =
            text.utf8.first.map(isPlainAnywhere) ?? false && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { isPlainAnywhere($0) || others.utf8.contains($0) }
            && coreSchemaContent(ofPlain: Text(text)) == .string(Text(text))
        return isPlain ? text : quoted(text)
    }

    /// `text` in double quotes, on one line and printable; YAML reads the same text back, whatever is in it.
    public static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.isPrintable && scalar.value < 0xd800: quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return "\"\(quoted)\""
    }
}
