// SPDX-License-Identifier: MIT
internal import FoundationEssentials
internal import HapticCore
internal import HapticText
internal import HapticYAML

/// read-document json|yaml: for each path on standard input a line, `read` and what was read as JSON, or `refused` and why.
@main
struct ReadDocument {
    static func main() {
        let isJSON = CommandLine.arguments.dropFirst().first == "json"
        while let path = readLine() {
            let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
            print(isJSON ? json(bytes) : yaml(bytes))
        }
    }

    private static func json(_ bytes: [UInt8]) -> String {
        do throws(JSONError) {
            return "read " + text(try JSONReader.node(bytes))
        } catch {
            return refused(error.message)
        }
    }

    private static func yaml(_ bytes: [UInt8]) -> String {
        let report = DocumentReport(file: nil)
        guard let node = YAML.parse(bytes, report: report), report.isEmpty else {
            return refused(report.diagnostics.map(\.description).joined(separator: "; "))
        }
        return "read " + text(node)
    }

    private static func refused(_ reason: String) -> String {
        "refused " + reason.replacing("\n", with: " ").replacing("\r", with: " ")
    }

    /// In the notation of Python, which knows NaN and Infinity.
    private static func text(_ node: Node) -> String {
        switch node.content {
        case .null, .invalid: "null"
        case .bool(let value): "\(value)"
        case .number(let value): value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
        case .integer(let value): "\(value)"
        case .string(let value): quoted(value.string)
        case .list(let items): "[" + items.map(text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { quoted($0.key.string) + ":" + text($0.value) }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var escaped = "\""
        for unit in text.utf16 {
            let digits = String(unit, radix: 16)
            escaped +=
                (0x20...0x7E).contains(unit) && unit != 0x22 && unit != 0x5C
                ? String(decoding: [unit], as: UTF16.self) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return escaped + "\""
    }
}
