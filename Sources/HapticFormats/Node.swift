// SPDX-License-Identifier: MIT

/// A value of a document, with its place where the document has places: what YAML and JSON have in common.
public struct Node: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        /// May be infinite or no number at all where YAML says so (`.inf`, `.nan`, `1e400`); readers refuse that.
        case number(Double)
        case string(String)
        case list([Node])
        /// In the order of the document (YAML) or of the keys (JSON); no key twice.
        case object([Member])
        /// Not usable, and already reported: readers say nothing more about it.
        case invalid
    }

    public struct Member: Hashable, Sendable {
        public var key: String
        public var keyMark: SourceMark?
        public var value: Node

        public init(key: String, keyMark: SourceMark? = nil, value: Node) {
            self.key = key
            self.keyMark = keyMark
            self.value = value
        }
    }

    /// The deepest nesting of any document.
    public static let depthLimit = 64

    public var content: Content
    public var mark: SourceMark?

    public init(_ content: Content, mark: SourceMark? = nil) {
        self.content = content
        self.mark = mark
    }
}

extension Node: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads any JSON value; throws `DecodingError.dataCorrupted` where it is nested deeper than `depthLimit`.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.depthLimit else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "nested deeper than \(Self.depthLimit) levels"))
        }
        // What is frequent comes first: each attempt that fails costs an error.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self.init(.null)
        } else if let number = try? container.decode(Double.self) {
            self.init(.number(number))
        } else if let text = try? container.decode(String.self) {
            self.init(.string(text))
        } else if let object = try? decoder.container(keyedBy: Key.self) {
            let keys = object.allKeys.sorted { $0.stringValue < $1.stringValue }
            self.init(.object(try keys.map { Member(key: $0.stringValue, value: try object.decode(Node.self, forKey: $0)) }))
        } else if var list = try? decoder.unkeyedContainer() {
            var items: [Node] = []
            while !list.isAtEnd { items.append(try list.decode(Node.self)) }
            self.init(.list(items))
        } else {
            self.init(.bool(try container.decode(Bool.self)))
        }
    }
}
