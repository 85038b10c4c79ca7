// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// A member of a method's params: what is accepted, what is described and what is checked come from here.
public struct Member: Hashable, Sendable {
    public indirect enum Kind: Hashable, Sendable {
        /// 1 to 256 bytes without control characters.
        case text
        /// 1 to 128 bytes without control characters.
        case app
        /// 0…1.
        case share
        /// More than 0 where `isOpen`.
        case number(ClosedRange<Double>, isOpen: Bool)
        case integer(ClosedRange<Int64>)
        case boolean
        case scalar
        case choice([String])
        /// A pattern's name, or an inline pattern object.
        case pattern
        /// `normal`, `off` or a pattern.
        case feedback
        case list(of: Kind)
    }

    public let name: String
    public let kind: Kind
    public let isRequired: Bool
    public let summary: String

    init(_ name: String, _ kind: Kind, isRequired: Bool = false, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }
}

extension Member.Kind {
    /// The longest text that it may be.
    var mostBytes: Int { if case .app = self { WireLimit.app } else { WireLimit.text } }

    /// What a value must be, to go on after "must be".
    var expectation: String {
        switch self {
        case .text, .app: "a string of 1 to \(mostBytes) bytes without control characters"
        case .share: "a number in 0…1"
        case .number(let range, let isOpen):
            isOpen
                ? "a number above \(Self.plain(range.lowerBound)) and at most \(Self.plain(range.upperBound))"
                : "a number in \(Self.plain(range.lowerBound))…\(Self.plain(range.upperBound))"
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number, at least \(range.lowerBound)" : "a whole number in \(range.lowerBound)…\(range.upperBound)"
        case .boolean: "true or false"
        case .scalar: "a string of at most \(WireLimit.text) bytes, a number, true, false or null"
        case .choice(let names): "one of " + names.map { "`\($0)`" }.joined(separator: ", ")
        case .pattern: "a pattern's name or a pattern object"
        case .feedback: "`normal`, `off`, a pattern's name or a pattern object"
        case .list(let kind): "a list of at most \(WireLimit.listItems) values, each \(kind.expectation)"
        }
    }

    /// JSON Schema.
    var schema: JSONValue {
        switch self {
        case .text, .app: ["type": "string", "minLength": .number(1), "maxLength": .number(Double(mostBytes))]
        case .share: ["type": "number", "minimum": .number(0), "maximum": .number(1)]
        case .number(let range, let isOpen):
            [
                "type": "number", isOpen ? "exclusiveMinimum" : "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .integer(let range):
            range.upperBound == .max
                ? ["type": "integer", "minimum": .number(Double(range.lowerBound))]
                : [
                    "type": "integer", "minimum": .number(Double(range.lowerBound)),
                    "maximum": .number(Double(range.upperBound)),
                ]
        case .boolean: ["type": "boolean"]
        case .scalar: ["type": ["string", "number", "boolean", "null"]]
        case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
        case .pattern: ["type": ["string", "object"]]
        case .feedback: ["type": ["string", "object"]]
        case .list(let kind):
            ["type": "array", "items": kind.schema, "maxItems": .number(Double(WireLimit.listItems))]
        }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int64(number)) : String(number)
    }
}

extension Member.Kind {
    static func choice<Names: CaseIterable & RawRepresentable<String>>(of _: Names.Type) -> Self {
        .choice(Names.allCases.map(\.rawValue))
    }
}

extension Member {
    static let id = Member("id", .text, "who this is about; without it, the connection is")
    static let app = Member(
        "app", .app, "the name that the client gives itself, or the program that it speaks for")
    static let atNs = Member(
        "atNs", .integer(0...Int64.max), "when it happened, in ns of CLOCK_MONOTONIC; an instant to come counts as now")
    static let deadlineMs = Member(
        "deadlineMs", .number(WireLimit.deadlineMilliseconds, isOpen: false), "how old it may be when it is decided")
    static let feedback = Member("feedback", .feedback, "`off`: state changes, nothing is felt; a pattern replaces the rule's")
    static let intensity = Member("intensity", .share, "scales the pattern")
    static let feedbackClass = Member(
        "class", .choice(of: FeedbackClass.self), "priority, deadline and rate limit go by it")
    /// What every input takes.
    static let context = [id, app, atNs, deadlineMs, feedback]

    func required() -> Member { Member(name, kind, isRequired: true, summary) }
}
