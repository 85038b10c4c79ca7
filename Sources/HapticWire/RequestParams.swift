// SPDX-License-Identifier: MIT
public import HapticCore

/// Stop what is playing: by `id`, by `playback`, or all of it.
public struct CancelParams: Encodable, Sendable {
    public var target: CancelTarget
    public var mode: CancelMode

    public init(_ target: CancelTarget, mode: CancelMode = .graceful) {
        self.target = target
        self.mode = mode
    }

    static let members = [
        Member("id", .text, "what this source is playing"),
        Member("playback", .integer(1...Int64.max), "this playback"),
        Member("all", .boolean, "everything: `true`"),
        Member("mode", .choice(of: CancelMode.self), "`graceful` fades out, `immediate` is off at once"),
    ]

    init(_ reader: ParamsReader) throws(WireError) {
        let names = ["id", "playback", "all"].filter(reader.has)
        guard names.count == 1 else {
            throw .invalid(
                names.dropFirst().first ?? "id",
                names.isEmpty
                    ? "is missing; give one of `id`, `playback` and `all`"
                    : "is one too many; give one of `id`, `playback` and `all`")
        }
        if let id = try reader.text("id") {
            target = .source(id: id)
        } else if let playback = try reader.integer("playback", in: 1...Int64.max) {
            target = .playback(.init(UInt64(playback)))
        } else {
            guard try reader.boolean("all") == true else { throw .invalid("all", "must be true, or left out") }
            target = .all
        }
        mode = try reader.choice("mode") ?? .graceful
    }

    private enum CodingKeys: CodingKey { case id, playback, all, mode }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch target {
        case .source(let id): try container.encode(id, forKey: .id)
        case .playback(let playback): try container.encode(playback.value, forKey: .playback)
        case .all: try container.encode(true, forKey: .all)
        }
        try container.encode(mode.rawValue, forKey: .mode)
    }
}

/// Make these ready, so that the first one is not late.
public struct PrepareParams: Encodable, Sendable {
    public var patterns: [String]?
    public var actuators: [String]?

    public init(patterns: [String]? = nil, actuators: [String]? = nil) {
        self.patterns = patterns
        self.actuators = actuators
    }

    static let members = [
        Member("patterns", .list(of: .text), "names of patterns"), Member("actuators", .list(of: .text), "names of actuators"),
    ]

    init(_ reader: ParamsReader) throws(WireError) {
        patterns = try reader.texts("patterns")
        actuators = try reader.texts("actuators")
        guard patterns != nil || actuators != nil else {
            throw .invalid("patterns", "is missing; give `patterns`, `actuators` or both")
        }
    }
}

/// Ask for the profile in force, or set it.
public struct ProfileParams: Encodable, Sendable {
    /// Nil: only ask.
    public var set: Profile?

    public init(set: Profile? = nil) { self.set = set }

    static let members = [Member("set", .choice(of: Profile.self), "the new one; without it, only the answer")]

    init(_ reader: ParamsReader) throws(WireError) { set = try reader.choice("set") }
}

/// What a client can subscribe to.
public enum Topic: String, CaseIterable, Codable, Hashable, Sendable {
    case decisions, playbacks, actuations, actuators
}

/// Be notified of `topics` from now on, in place of those before; an empty list ends it.
public struct SubscribeParams: Encodable, Sendable {
    public var topics: Set<Topic>

    public init(topics: Set<Topic>) { self.topics = topics }

    static let members = [
        Member("topics", .list(of: .choice(of: Topic.self)), isRequired: true, "what to be notified of; empty: nothing any more")
    ]

    init(_ reader: ParamsReader) throws(WireError) {
        guard let topics = try reader.choices("topics", as: Topic.self) else {
            throw ParamsReader.missing("topics", Self.members[0].kind)
        }
        self.topics = Set(topics)
    }
}

/// The params of a method that takes none.
public struct NoParams: Encodable, Sendable {
    public init() {}

    static let members: [Member] = []
}
