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

extension PatternReference: Encodable {
    /// `path`: the member that it is.
    init(_ node: Node, path: String) throws(WireError) {
        switch node.content {
        case .string(let name): self = .named(try ParamsReader.checked(name, path: path))
        case .object: self = .inline(node)
        default: throw ParamsReader.wrong(path, .pattern)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let name): try name.encode(to: encoder)
        case .inline(let pattern): try pattern.encode(to: encoder)
        }
    }
}

extension FeedbackReference: Encodable {
    /// `path`: the member that it is.
    init(_ node: Node, path: String) throws(WireError) {
        switch node.content {
        case .string("normal"): self = .normal
        case .string("off"): self = .off
        default: self = .pattern(try PatternReference(node, path: path))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .normal: try "normal".encode(to: encoder)
        case .off: try "off".encode(to: encoder)
        case .pattern(let pattern): try pattern.encode(to: encoder)
        }
    }
}
