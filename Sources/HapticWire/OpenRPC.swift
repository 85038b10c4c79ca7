// SPDX-License-Identifier: MIT
public import HapticJSON

/// The description of the interface that `rpc.discover` answers with, made of the table that the daemon reads params by.
public enum OpenRPC {
    /// Where it describes what a pattern object may be.
    static let pattern = "#/components/schemas/pattern"

    /// An OpenRPC 1.2 document. `version`: of the daemon. `pattern`, `patternPart`: the JSON Schemas of a pattern object
    /// and of a part of one, which another room reads.
    public static func document(version: String, pattern: JSONValue, patternPart: JSONValue) -> JSONValue {
        [
            "openrpc": "1.2.6",
            "info": [
                "title": "hapticd", "version": .string(version),
                "description":
                    "haptic and sensory feedback; JSON-RPC 2.0 over a Unix socket, one JSON text a line, params by name",
            ],
            "methods": .array(Method.allCases.map(description)),
            // OpenRPC has no word for what a server sends by itself.
            "x-notifications": .array(Notice.Kind.allCases.map(description)),
            "components": [
                "errors": .object(
                    Dictionary(uniqueKeysWithValues: ErrorCode.allCases.map { ("\($0)", description($0)) })),
                "schemas": ["pattern": pattern, "patternPart": patternPart],
            ],
        ]
    }

    private static func description(_ method: Method) -> JSONValue {
        let names = method.members
        return [
            "name": .string(method.rawValue), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(names.filter(\.isRequired).map(description) + names.filter { !$0.isRequired }.map(description)),
            "result": ["name": .string(method.resultName), "schema": ["type": "object"]],
        ]
    }

    private static func description(_ member: Member) -> JSONValue {
        [
            "name": .string(member.name), "summary": .string(member.summary), "required": .bool(member.isRequired),
            "schema": member.kind.schema(.wire),
        ]
    }

    private static func description(_ notice: Notice.Kind) -> JSONValue {
        ["name": .string(notice.rawValue), "summary": .string(notice.summary)]
    }

    private static func description(_ code: ErrorCode) -> JSONValue {
        ["code": .number(Double(code.rawValue)), "message": .string(code.summary)]
    }
}

extension Notice.Kind {
    fileprivate var summary: String {
        switch self {
        case .decision: "topic `decisions`: what became of an input, and why"
        case .playback: "topic `playbacks`: how a playback ended"
        case .interruption: "topic `playbacks`: one whose rule says `resume` is felt nowhere for a time, or again"
        case .actuation: "topic `actuations`: a change of an actuator: what is meant, what is sent, planned and real time"
        case .actuator: "topic `actuators`: an actuator has come or gone"
        case .hold: "topic `holds`: a press and hold has begun, has come a step further, is confirmed or has fallen back to 0"
        case .settings:
            "topic `settings`: what people have set has changed, or what is configured of it; `settings` says what is in force"
        case .missed: "this many notifications were left out, because they were not read fast enough"
        }
    }
}

extension Method {
    /// One sentence.
    public var summary: String {
        switch self {
        case .progress: "progress moved to a value in 0…1; a gate decides whether it is felt"
        case .release: "a source goes back to 0, silently"
        case .event: "something happened; the rules of the configuration say what is felt"
        case .play: "play a pattern, once or as a train of steps"
        case .present: "which things exist now; what is new and what is missing is felt, what stayed is not"
        case .hold: "a hand presses, or lets go: a press that lasts is charged, step by step, until it is confirmed"
        case .task: "an action that takes time has begun, or has ended; its result is felt"
        case .cancel: "stop what is playing"
        case .transaction: "the first item of a batch: what the inputs behind it have where they say nothing themselves"
        case .prepare: "make patterns and actuators ready, so that the first one is not late"
        case .settings: "what people set: strengths, profile, quiet hours, off; ask for it, or set it"
        case .patterns: "all patterns by name, or one of them with its outline"
        case .actuators: "all actuators with what they can do"
        case .subscribe: "be notified of what happens"
        case .history: "the newest decisions that were felt, refused or failed, each with the links that made it"
        case .status: "how the daemon is: counters, lateness, latency"
        case .reload: "read the configuration again; a bad one changes nothing"
        case .discover: "this document"
        }
    }

    var resultName: String {
        switch self {
        case .progress, .release, .event, .present, .hold, .task: "decision"
        case .play: "play"
        case .discover: "openrpc"
        default: rawValue
        }
    }
}
