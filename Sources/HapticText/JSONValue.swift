// SPDX-License-Identifier: MIT
public import HapticCore

/// Any JSON: for documents without a fixed shape, such as the description of the interface.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Text: JSONValue])

    public subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[Text(key)] } else { nil }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements.map { (Text($0), $1) }) { _, last in last })
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberKey.self) {
            var object: [Text: JSONValue] = [:]
            for key in members.allKeys { object[Text(key.stringValue)] = try members.decode(JSONValue.self, forKey: key) }
            self = .object(object)
            return
        }
        if var items = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !items.isAtEnd { array.append(try items.decode(JSONValue.self)) }
            self = .array(array)
            return
        }
        self.init(try decoder.singleValueContainer().decode(Scalar.self))
    }

    /// What JSON cannot say is null.
    package init(_ node: Node) {
        switch node.content {
        case .null, .invalid: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = value.isFinite ? .number(value) : .null
        case .integer(let value): self = .number(Double(value))
        case .string(let value): self = .string(value.string)
        case .list(let items): self = .array(items.map { JSONValue($0) })
        case .object(let members): self = .object(Dictionary(members.map { ($0.key, JSONValue($0.value)) }) { _, last in last })
        }
    }

    public init(_ scalar: Scalar) {
        switch scalar {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value.string)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try Scalar.null.encode(to: encoder)
        case .bool(let value): try value.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .array(let items): try items.encode(to: encoder)
        case .object(let members):
            var container = encoder.container(keyedBy: MemberKey.self)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: MemberKey(stringValue: name.string))
            }
        }
    }
}

extension Node {
    /// The same tree, members in the order of their names.
    package init(json value: JSONValue) {
        switch value {
        case .null: self.init(.null)
        case .bool(let flag): self.init(.bool(flag))
        case .number(let number): self.init(.number(number))
        case .string(let text): self.init(.string(Text(text)))
        case .array(let items): self.init(.list(items.map { Node(json: $0) }))
        case .object(let members):
            self.init(.object(members.sorted { $0.key < $1.key }.map { Node.Member(key: $0, value: Node(json: $1)) }))
        }
    }
}

extension Scalar {
    /// The scalar that `json` is; nil where it is anything else.
    public init?(json: [UInt8]) {
        guard let node = try? JSONReader.node(json) else { return nil }
        self.init(node)
    }
}

/// Any member of a JSON object.
package struct MemberKey: CodingKey, Hashable {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
