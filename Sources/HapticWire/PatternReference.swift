// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON

/// Which pattern is meant: one by its name, or one that is given.
public enum PatternReference: Hashable, Sendable {
    case named(String)
    /// An object as docs/protocol.md describes it. It is read where its name would be looked up.
    case inline(Node)
}

/// What an input's `feedback` says.
public enum FeedbackReference: Hashable, Sendable {
    case normal
    /// State changes, nothing is felt.
    case off
    /// Replaces the rule's pattern.
    case pattern(PatternReference)
}

extension ParamForm where Value == PatternReference {
    static var pattern: Self {
        let expectation: Expectation = "a pattern's name or a pattern object"
        let name = ParamForm<String>.text()
        return Self(.either([name.kind, .reference(OpenRPC.pattern)]), expectation) { node, path throws(WireError) in
            switch node.content {
            case .string: .named(try name.read(node, path))
            case .object: .inline(node)
            case .number, .integer: throw .invalid(path, "must be \(expectation.text); \(PulsesHint.pattern([node]))")
            case .list(let items): throw .invalid(path, "must be \(expectation.text); \(PulsesHint.pattern(items))")
            default: throw expectation.wrong(path)
            }
        }
    }
}

extension ParamForm where Value == FeedbackReference {
    static var feedback: Self {
        let pattern = ParamForm<PatternReference>.pattern
        return Self(pattern.kind, "`normal`, `off`, a pattern's name or a pattern object") { node, path throws(WireError) in
            switch node.content {
            case .string("normal"): .normal
            case .string("off"): .off
            default: .pattern(try pattern.read(node, path))
            }
        }
    }
}

extension PatternReference: Encodable {
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let name): try name.encode(to: encoder)
        case .inline(let pattern): try pattern.encode(to: encoder)
        }
    }
}

extension FeedbackReference: Encodable {
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .normal: try "normal".encode(to: encoder)
        case .off: try "off".encode(to: encoder)
        case .pattern(let pattern): try pattern.encode(to: encoder)
        }
    }
}
