// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// JSON: what our reader takes and refuses, and what it makes of it, against `PlainJSON`.
///
/// It may refuse more than that in two ways only, both documented: nesting deeper than 64 levels, and names of more than 256 bytes.
public enum JSONTexts: FuzzTarget {
    public static let name = "json"

    public static func run(_ bytes: [UInt8]) {
        let expected = PlainJSON.read(bytes)
        do throws(JSONError) {
            let node = try JSONReader.node(bytes)
            guard let expected else { fatalError("does not hold: what is no JSON is refused") }
            require(expected.depth <= Node.depthLimit, "what is too deep is refused")
            require(isSame(node, expected.value), "both readers read the same")
        } catch {
            require((0...bytes.count).contains(error.offset), "the place of the error is in the text")
            guard let expected else { return }
            require(expected.depth > Node.depthLimit || expected.longestName > 256, "JSON is read: \(error.message)")
        }
    }

    private static func isSame(_ node: Node, _ plain: PlainJSON) -> Bool {
        switch (node.content, plain) {
        case (.null, .null): true
        case (.bool(let ours), .bool(let theirs)): ours == theirs
        case (.number(let ours), .number(let text)): ours.bitPattern == Double(text)?.bitPattern
        case (.integer(let ours), .number(let text)): String(ours) == text
        case (.string(let ours), .string(let theirs)): ours.utf8.elementsEqual(theirs)
        case (.list(let ours), .list(let theirs)): ours.count == theirs.count && zip(ours, theirs).allSatisfy(isSame)
        case (.object(let ours), .object(let theirs)):
            ours.count == theirs.count
                && zip(ours, theirs).allSatisfy { $0.key.utf8.elementsEqual($1.key) && isSame($0.value, $1.value) }
        default: false
        }
    }
}
