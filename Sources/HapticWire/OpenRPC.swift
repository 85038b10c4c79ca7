// SPDX-License-Identifier: MIT
public import HapticText

/// The description of the interface: the answer to `rpc.discover`, generated from the lists of members.
public enum OpenRPC {
    /// The place of the schema of a pattern object in the document.
    static let pattern = "#/components/schemas/pattern"

    /// An OpenRPC 1.2 document.
    ///
    /// - Parameters:
    ///   - version: The version of the daemon.
    ///   - methods: All methods.
    ///   - pattern: The JSON Schema of a pattern object.
    ///   - patternPart: The JSON Schema of a part of one.
    public static func document(
        version: String, methods: [any WireCall.Type], pattern: JSONValue, patternPart: JSONValue
    ) -> DiscoverResult {
        var document = DiscoverResult()
        document.info = [
            "title": "hapticd", "version": .string(version),
            "description":
                "haptic and sensory feedback; JSON-RPC 2.0 over a Unix socket, one JSON text a line, params by name",
        ]
        document.methods = .array(methods.map { description($0) })
        document.notifications = .array(Notice.Kind.allCases.map(description))
        document.components = [
            "errors": .object(Dictionary(uniqueKeysWithValues: ErrorCode.allCases.map { ("\($0)", description($0)) })),
            "schemas": ["pattern": pattern, "patternPart": patternPart],
        ]
        return document
    }

    private static func description(_ method: any WireCall.Type) -> JSONValue {
        let members = method.description
        return [
            "name": .string(method.method), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(members.filter(\.isRequired).map(description) + members.filter { !$0.isRequired }.map(description)),
            "result": ["name": .string(method.method), "schema": method.answer.schema(.wire)],
        ]
    }

    private static func description(_ member: Member) -> JSONValue {
        [
            "name": .string(member.name), "summary": .string(member.summary), "required": .bool(member.isRequired),
            "schema": member.kind.schema(.wire),
        ]
    }

    private static func description(_ notice: Notice.Kind) -> JSONValue {
        [
            "name": .string(notice.rawValue),
            "summary": .string((notice.topic.map { "topic `\($0.rawValue)`: " } ?? "") + notice.summary),
            "schema": Member.Kind.object(notice.content.description).schema(.wire),
        ]
    }

    private static func description(_ code: ErrorCode) -> JSONValue {
        ["code": .number(Double(code.rawValue)), "message": .string(code.summary)]
    }
}
