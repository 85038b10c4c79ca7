// SPDX-License-Identifier: MIT
internal import HapticCore

/// Writes JSON for people: what fits on a line is on one, the rest is indented.
public enum IndentedJSON {
    /// Columns of a line.
    private static let width = 110

    /// The text of a file, with an LF at its end. Numbers are as short as they can be.
    public static func text(_ node: Node) -> String { text(node, indent: "", before: 0) + "\n" }

    private static func text(_ node: Node, indent: String, before: Int) -> String {
        let line = oneLine(node)
        if indent.utf8.count + before + line.utf8.count <= width { return line }
        let inner = indent + "  "
        switch node.content {
        case .object(let members):
            let lines = members.map { member in
                let key = oneLine(key: member.key)
                return inner + key + text(member.value, indent: inner, before: key.utf8.count)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .list(let items):
            return "[\n" + items.map { inner + text($0, indent: inner, before: 0) }.joined(separator: ",\n") + "\n\(indent)]"
        case .null, .bool, .number, .integer, .string, .invalid: return line
        }
    }

    private static func oneLine(_ node: Node) -> String {
        switch node.content {
        case .object(let members) where !members.isEmpty:
            return "{ " + members.map { oneLine(key: $0.key) + oneLine($0.value) }.joined(separator: ", ") + " }"
        case .list(let items): return "[" + items.map(oneLine).joined(separator: ", ") + "]"
        case .null, .bool, .number, .integer, .string, .object, .invalid:
            // trap: a node writes null for what JSON cannot say.
            return String(decoding: try! LineEncoder.bytes(node), as: UTF8.self)
        }
    }

    private static func oneLine(key: Text) -> String { oneLine(Node(.string(key))) + ": " }
}
