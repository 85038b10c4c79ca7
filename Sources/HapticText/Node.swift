// SPDX-License-Identifier: MIT
public import HapticCore

/// A value of a document, with its place where the document has places: what YAML and JSON have in common.
public struct Node: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        /// May be infinite or no number at all where a document says so (`.inf`, `.nan`, `1e400`); readers refuse that.
        case number(Double)
        /// A whole number of JSON beyond ±2^53, where a Double would round it.
        case integer(Int64)
        case string(Text)
        case list([Node])
        /// In the order of the document; no key twice.
        case object([Member])
        /// Not usable, and already reported: readers say nothing more about it.
        case invalid
    }

    public struct Member: Hashable, Sendable {
        public var key: Text
        public var keyMark: SourceMark?
        public var value: Node

        public init(key: Text, keyMark: SourceMark? = nil, value: Node) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    /// The deepest nesting of any document.
    public static let depthLimit = 64

    public var content: Content
    public var mark: SourceMark?
    /// How a number of JSON was written that a Double may have rounded, and in any document one that is not finite.
    public var numeral: Text?

    public init(_ content: Content, mark: SourceMark? = nil, numeral: Text? = nil) {
        self.content = content
        self.mark = mark
        self.numeral = numeral
    }
}

extension Node: Encodable {
    /// As JSON. What JSON cannot say is written as null, which its reader refuses: a number that is not finite, and what is not usable.
    public func encode(to encoder: any Encoder) throws {
        switch content {
        case .object(let members):
            var container = encoder.container(keyedBy: MemberKey.self)
            for member in members { try container.encode(member.value, forKey: MemberKey(stringValue: member.key.string)) }
        case .list(let items): try items.encode(to: encoder)
        case .null, .bool, .number, .integer, .string, .invalid:
            var container = encoder.singleValueContainer()
            try encode(to: &container)
        }
    }

    private func encode(to container: inout any SingleValueEncodingContainer) throws {
        switch content {
        case .bool(let flag): try container.encode(flag)
        case .number(let number) where number.isFinite: try container.encode(number)
        case .integer(let number): try container.encode(number)
        case .string(let text): try container.encode(text.string)
        case .null, .number, .list, .object, .invalid: try container.encodeNil()
        }
    }
}

extension Scalar {
    /// Nil where the node is none: a list, an object, or a number that is not finite.
    public init?(_ node: Node) {
        switch node.content {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number) where number.isFinite: self = .number(number)
        case .integer(let number): self = .number(Double(number))
        case .string(let text): self = .string(text)
        case .number, .list, .object, .invalid: return nil
        }
    }
}
