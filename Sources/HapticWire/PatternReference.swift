// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticFormats

/// Which pattern is meant: one by its name, or one that is given.
public enum PatternReference: Hashable, Sendable {
    case named(String)
    case inline(Pattern)
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
        case .object: self = .inline(try Self.pattern(node, path: path))
        default: throw ParamsReader.wrong(path, .pattern)
        }
    }

    /// The error is the first one found; the others come to light once that is fixed.
    private static func pattern(_ node: Node, path: String) throws(WireError) -> Pattern {
        do {
            return try PatternReader.pattern(wire: node, path: path)
        } catch {
            let first = error.diagnostics[0]
            throw WireError(.invalidParams, "`\(first.path)`: \(first.message)", data: .init(path: first.path))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let name): try name.encode(to: encoder)
        case .inline(let pattern): try PatternEncoding(pattern).encode(to: encoder)
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
