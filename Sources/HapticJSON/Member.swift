// SPDX-License-Identifier: MIT
public import HapticCore

/// One member of an object, as it is described. What reads it is made with the same kind, so the description is true.
public struct Member: Hashable, Sendable {
    /// What a value may be.
    public indirect enum Kind: Hashable, Sendable {
        case boolean
        /// A text of so many bytes, without control characters.
        case text(bytes: ClosedRange<Int>)
        case anyText
        /// A text that is written like this one.
        case textLike(String)
        case choice([String])
        /// A text, a number, true, false or null.
        case scalar
        /// 0…1, more than 0 where `isOpen`; in a file also `40%`.
        case share(isOpen: Bool)
        /// More than the lower bound where `isOpen`.
        case number(ClosedRange<Double>, isOpen: Bool)
        case integer(ClosedRange<Int64>)
        /// `20ms` in a file. On the wire a number of milliseconds, and the name ends in `Ms`.
        case duration(ClosedRange<Nanoseconds>)
        /// A number of seconds, or `20ms`, in files and on the wire.
        case seconds(ClosedRange<Nanoseconds>)
        /// So many times a second: `10/s`.
        case rate(ClosedRange<Int>)
        /// In hertz: `200Hz`.
        case frequency(ClosedRange<Int>)
        /// A name, or an object that is read by another room.
        case textOrObject
        case list(of: Kind, count: ClosedRange<Int>)
        case object([Member])
        case either([Kind])
    }

    /// As it is in a file.
    public let name: String
    public let kind: Kind
    public let isRequired: Bool
    /// What it means, in one line.
    public let summary: String

    public init(_ name: String, _ kind: Kind, isRequired: Bool, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }

    /// As it is on the wire: a time has its unit in its name.
    public var wireName: String { if case .duration = kind { name + "Ms" } else { name } }
}

extension Member.Kind {
    /// One of the raw values of `Choice`.
    public static func choice<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> Self {
        .choice(Choice.allCases.map(\.rawValue))
    }

    /// JSON Schema of the value as it is on the wire.
    public var schema: JSONValue {
        switch self {
        case .boolean: ["type": "boolean"]
        case .text(let bytes):
            ["type": "string", "minLength": .number(Double(bytes.lowerBound)), "maxLength": .number(Double(bytes.upperBound))]
        case .anyText, .textLike, .rate, .frequency: ["type": "string"]
        case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
        case .scalar: ["type": ["string", "number", "boolean", "null"]]
        case .share(let isOpen): Self.schema(0...1, isOpen: isOpen)
        case .number(let range, let isOpen): Self.schema(range, isOpen: isOpen)
        case .integer(let range):
            range.upperBound == .max
                ? ["type": "integer", "minimum": .number(Double(range.lowerBound))]
                : [
                    "type": "integer", "minimum": .number(Double(range.lowerBound)),
                    "maximum": .number(Double(range.upperBound)),
                ]
        case .duration(let range): Self.schema(range.lowerBound.inMilliseconds...range.upperBound.inMilliseconds, isOpen: false)
        case .seconds: ["type": ["number", "string"]]
        case .textOrObject: ["type": ["string", "object"]]
        case .list(let kind, let count):
            count.lowerBound == 0
                ? ["type": "array", "items": kind.schema, "maxItems": .number(Double(count.upperBound))]
                : [
                    "type": "array", "items": kind.schema, "minItems": .number(Double(count.lowerBound)),
                    "maxItems": .number(Double(count.upperBound)),
                ]
        case .object(let members):
            [
                "type": "object", "additionalProperties": false,
                "properties": .object(Dictionary(members.map { (Text($0.wireName), $0.kind.schema) }) { _, last in last }),
                "required": .array(members.filter(\.isRequired).map { .string($0.wireName) }),
            ]
        case .either(let kinds): ["anyOf": .array(kinds.map(\.schema))]
        }
    }

    private static func schema(_ range: ClosedRange<Double>, isOpen: Bool) -> JSONValue {
        [
            "type": "number", isOpen ? "exclusiveMinimum" : "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ]
    }
}
