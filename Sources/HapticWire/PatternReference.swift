// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticText

/// A pattern: one by its name, or an inline one.
public enum PatternReference: Hashable, Sendable {
    case named(String)
    /// A pattern object as described in docs/protocol.md. The resolver reads it instead of looking up a name.
    case inline(Node)

    fileprivate static let kinds = [WireForm<String>.text().kind, .reference(OpenRPC.pattern)]
}

/// The `feedback` of an input.
public enum FeedbackReference: Hashable, Sendable {
    case normal
    /// The state changes without feedback.
    case off
    /// Replaces the rule's pattern.
    case pattern(PatternReference)
}

extension PatternReference {
    static var form: WireForm<Self> {
        let expectation: Expectation = "a pattern's name or a pattern object"
        let name = WireForm<String>.text()
        return WireForm(.either(kinds), expectation) { node, path throws(WireError) in
            switch node.content {
            case .string: .named(try name.read(node, path))
            case .object: .inline(node)
            case .number, .integer: throw .invalid(path, "must be \(expectation.text); \(PulsesHint.pattern([node]))")
            case .list(let items): throw .invalid(path, "must be \(expectation.text); \(PulsesHint.pattern(items))")
            default: throw expectation.wrong(path)
            }
        } write: { pattern, text in
            switch pattern {
            case .named(let name): text.write(name)
            case .inline(let tree): try text.write(tree)
            }
        }
    }
}

extension FeedbackReference {
    static var form: WireForm<Self> {
        let pattern = PatternReference.form
        let kind = Member.Kind.either([.choice(["normal", "off"])] + PatternReference.kinds)
        return WireForm(kind, "`normal`, `off`, a pattern's name or a pattern object") { node, path throws(WireError) in
            switch node.content {
            case .string("normal"): .normal
            case .string("off"): .off
            default: .pattern(try pattern.read(node, path))
            }
        } write: { feedback, text in
            switch feedback {
            case .normal: text.write("normal")
            case .off: text.write("off")
            case .pattern(let reference): try pattern.write(reference, &text)
            }
        }
    }
}
