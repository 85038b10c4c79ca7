// SPDX-License-Identifier: MIT
internal import HapticCore

// JSON Schema, draft 7: the newest that the YAML servers of editors know.

extension JSONValue {
    /// The JSON Schema of a file of these members. `id`: a URI. `title`: what kind of file it is.
    public static func schema(ofDocument members: [Member], id: String, title: String) -> JSONValue {
        Member.Kind.object(members).schema(.units).adding([
            "$schema": "http://json-schema.org/draft-07/schema#", "$id": .string(id), "title": .string(title),
            "description": "A schema cannot say all; `hapticctl check-config` checks the rest.",
        ])
    }

    fileprivate func adding(_ members: [Text: JSONValue]) -> JSONValue {
        guard case .object(let own) = self else { return self }
        return .object(own.merging(members) { _, added in added })
    }

    fileprivate init(_ number: Int) { self = .number(Double(number)) }
}

extension Member.Kind {
    /// JSON Schema of the value. `notation`: files write `20ms` and `40%` where the wire has numbers.
    public func schema(_ notation: Notation) -> JSONValue {
        switch self {
        case .null: ["type": "null"]
        case .boolean: ["type": "boolean"]
        case .text(let bytes):
            // A character has at least one byte, so the reader may still find a text too long that is taken here.
            [
                "type": "string", "minLength": JSONValue(bytes.lowerBound), "maxLength": JSONValue(bytes.upperBound),
                "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
            ]
        case .anyText: ["type": "string"]
        case .textLike(let example, let pattern):
            ["type": "string", "pattern": .string(pattern), "patternErrorMessage": .string("write it as in `\(example)`")]
        case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
        case .scalar: ["type": ["string", "number", "boolean", "null"]]
        case .integer(let range): Self.schema(range)
        case .number(let range, let isOpen): Self.schema(range, isOpen: isOpen)
        case .share(let isOpen):
            notation == .wire
                ? Self.schema(0...1, isOpen: isOpen)
                : Self.schema(0...1, isOpen: isOpen).adding(WrittenPattern.share(isOpen: isOpen).keywords(and: "number"))
        case .duration(let range):
            notation == .wire
                ? Self.schema(range.lowerBound.inMilliseconds...range.upperBound.inMilliseconds, isOpen: false)
                : .object(WrittenPattern.duration(range).keywords())
        case .seconds(let range):
            Self.schema(range.lowerBound.inSeconds...range.upperBound.inSeconds, isOpen: false)
                .adding(WrittenPattern.seconds(range).keywords(and: "number"))
        case .milliseconds(let range):
            notation == .wire
                ? Self.duration(range).schema(.wire)
                : Self.duration(range).schema(.wire).adding(WrittenPattern.duration(range).keywords(and: "number"))
        case .rate(let range): .object(WrittenPattern.rate(range).keywords())
        case .frequency: .object(WrittenPattern.frequency.keywords())
        case .anyObject: ["type": "object"]
        case .reference(let place): ["$ref": .string(place)]
        case .list(let kind, let count): Self.schema(of: kind, count: count, notation)
        case .tuple(let kinds):
            [
                "type": "array", "items": .array(kinds.map { $0.schema(notation) }), "additionalItems": false,
                "minItems": JSONValue(kinds.count), "maxItems": JSONValue(kinds.count),
            ]
        case .map(let kind, let count):
            [
                "type": "object", "additionalProperties": kind.schema(notation), "maxProperties": JSONValue(count),
                "propertyNames": Self.text(bytes: 1...128).schema(notation),
            ]
        case .object(let members): Self.schema(members, notation)
        case .objectOfAny(let members): Self.schema(members, notation).adding(["minProperties": JSONValue(1)])
        case .either(let kinds): Variants(kinds)?.schema(notation) ?? ["anyOf": .array(kinds.map { $0.schema(notation) })]
        }
    }

    private static func schema(_ range: ClosedRange<Double>, isOpen: Bool) -> JSONValue {
        [
            "type": "number", isOpen ? "exclusiveMinimum" : "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ]
    }

    private static func schema(_ range: ClosedRange<Int64>) -> JSONValue {
        let (least, most) = (JSONValue.number(Double(range.lowerBound)), JSONValue.number(Double(range.upperBound)))
        if range.lowerBound == range.upperBound { return ["type": "integer", "const": least] }
        let schema: JSONValue = ["type": "integer", "minimum": least]
        return range.upperBound == .max ? schema : schema.adding(["maximum": most])
    }

    private static func schema(of kind: Self, count: ClosedRange<Int>, _ notation: Notation) -> JSONValue {
        let schema: JSONValue = ["type": "array", "items": kind.schema(notation), "maxItems": JSONValue(count.upperBound)]
        return count.lowerBound == 0 ? schema : schema.adding(["minItems": JSONValue(count.lowerBound)])
    }

    fileprivate static func schema(_ members: [Member], _ notation: Notation) -> JSONValue {
        [
            "type": "object", "additionalProperties": false, "properties": .object(members.properties(notation)),
            "required": .array(members.filter(\.isRequired).map { .string($0.name(notation)) }),
        ]
    }

    /// The range of a value with a unit, which no schema can say.
    fileprivate var range: String? {
        switch self {
        case .duration(let range), .seconds(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .frequency(let range): "\(range.lowerBound)Hz to \(range.upperBound)Hz"
        case .rate(let range): "\(range.lowerBound)/s to \(range.upperBound)/s"
        case .either(let kinds): kinds.lazy.compactMap(\.range).first
        default: nil
        }
    }
}

extension Member {
    fileprivate func name(_ notation: Notation) -> String { notation == .wire ? wireName : name }

    fileprivate func schema(_ notation: Notation) -> JSONValue {
        let notes = notation == .wire ? [] : [kind.range, standard.map { "default: \($0)" }].compactMap(\.self)
        let text = notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
        return kind.schema(notation).adding(["description": .string(text)])
    }
}

extension [Member] {
    fileprivate func properties(_ notation: Notation) -> [Text: JSONValue] {
        Dictionary(map { (Text($0.name(notation)), $0.schema(notation)) }) { _, last in last }
    }
}

/// Objects that one key tells apart, such as actuators by their `backend`. The schema goes by that key alone, so an editor offers the
/// keys of that backend, and complains of nothing else.
private struct Variants {
    let key: String
    let all: [(names: [String], members: [Member])]

    init?(_ kinds: [Member.Kind]) {
        let objects = kinds.compactMap { if case .object(let members) = $0 { members } else { nil } }
        guard objects.count == kinds.count, let first = objects.first else { return nil }
        for member in first {
            let variants = objects.compactMap { members in Self.names(of: member.name, in: members).map { ($0, members) } }
            guard variants.count == objects.count else { continue }
            let names = variants.flatMap(\.0)
            guard Set(names.map { Text($0) }).count == names.count else { continue }
            (key, all) = (member.name, variants)
            return
        }
        return nil
    }

    /// What the key may be where it is required and one of a list.
    private static func names(of key: String, in members: [Member]) -> [String]? {
        guard let member = members.first(where: { $0.name == key }), member.isRequired, case .choice(let names) = member.kind
        else { return nil }
        return names
    }

    func schema(_ notation: Notation) -> JSONValue {
        let everywhere = all[0].members.narrowing(key, to: .choice(all.flatMap(\.names))).filter { member in
            member.name == key || all.allSatisfy { $0.members.contains(member) }
        }
        let required = everywhere.filter(\.isRequired).map { JSONValue.string($0.name(notation)) }
        return [
            "type": "object", "properties": .object(everywhere.properties(notation)), "required": .array(required),
            "allOf": .array(
                all.map { variant in
                    let isIt: JSONValue = .object([Text(key): ["enum": .array(variant.names.map { .string($0) })]])
                    return [
                        "if": ["properties": isIt, "required": [.string(key)]],
                        "then": Member.Kind.schema(variant.members, notation),
                    ]
                }),
        ]
    }
}
