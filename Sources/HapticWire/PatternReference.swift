// SPDX-License-Identifier: MIT
public import HapticCore
private import HapticFormats

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

extension PatternReference: Codable {
    public init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.last?.stringValue ?? "pattern"
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .named(try ParamsReader.checked(name, path: path))
        } else {
            let node = try Node(from: decoder)
            guard case .object = node.content else { throw ParamsReader.wrong(path, .pattern) }
            self = .inline(try Self.pattern(node, path: path))
        }
    }

    /// The error is the first one found; the others come to light once that is mended.
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

extension FeedbackReference: Codable {
    public init(from decoder: any Decoder) throws {
        switch try PatternReference(from: decoder) {
        case .named("normal"): self = .normal
        case .named("off"): self = .off
        case let pattern: self = .pattern(pattern)
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
