// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Stop what is playing: by `id`, by `playback`, or all of it.
public struct CancelParams: Encodable, Sendable {
    public var target: CancelTarget
    public var mode: CancelMode
    /// The machine is about to sleep: nothing begins until it has. Only with `all`, and always `immediate`.
    public private(set) var untilResumed = false

    public init(_ target: CancelTarget, mode: CancelMode = .graceful) {
        self.target = target
        self.mode = mode
    }

    /// Everything is off at once, and nothing begins until the machine has slept.
    public static var untilResumed: CancelParams {
        var params = CancelParams(.all, mode: .immediate)
        params.untilResumed = true
        return params
    }

    /// What is read: one of the first three names the target.
    struct Given: DescribedParams {
        var id: String?
        var playback: Int64?
        var all: Bool?
        var mode = CancelMode.graceful
        var untilResumed: Bool?

        static let blank = Self()

        static let members: [Param<Self>] = [
            .optional("id", .text(), "what this source is playing") { $0.id = $1 },
            .optional("playback", .integer(in: 1...Int64.max), "this playback") { $0.playback = $1 },
            .optional("all", .boolean, "everything: `true`") { $0.all = $1 },
            .optional(
                "mode", .choice(of: CancelMode.self),
                "`graceful` fades out, `immediate` is off at once, `advance` ends a phase that lasts until then"
            ) { $0.mode = $1 },
            .optional(
                "untilResumed", .boolean,
                "`true`, with `all`: off at once, and nothing begins until the machine has slept; not in a batch"
            ) { $0.untilResumed = $1 },
        ]
    }

    init(_ given: Given) throws(WireError) {
        var targets: [(name: String, target: CancelTarget)] = []
        if let id = given.id { targets.append(("id", .source(id: id))) }
        if let playback = given.playback { targets.append(("playback", .playback(.init(UInt64(playback))))) }
        if given.all != nil { targets.append(("all", .all)) }
        guard targets.count == 1 else {
            throw .invalid(
                targets.dropFirst().first?.name ?? "id",
                targets.isEmpty
                    ? "is missing; give one of `id`, `playback` and `all`"
                    : "is one too many; give one of `id`, `playback` and `all`")
        }
        if given.all == false { throw .invalid("all", "must be true, or left out") }
        guard given.untilResumed != true else {
            guard given.all == true else { throw .invalid("untilResumed", "needs `all: true`; give both, or neither") }
            self = .untilResumed
            return
        }
        self.init(targets[0].target, mode: given.mode)
    }

    private enum CodingKeys: CodingKey { case id, playback, all, mode, untilResumed }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch target {
        case .source(let id): try container.encode(id, forKey: .id)
        case .playback(let playback): try container.encode(playback.value, forKey: .playback)
        case .all: try container.encode(true, forKey: .all)
        }
        try container.encode(mode.rawValue, forKey: .mode)
        if untilResumed { try container.encode(true, forKey: .untilResumed) }
    }
}

/// Make these ready, so that the first one is not late.
public struct PrepareParams: Encodable, Sendable, DescribedParams {
    public var patterns: [String]?
    public var actuators: [String]?

    public init(patterns: [String]? = nil, actuators: [String]? = nil) {
        self.patterns = patterns
        self.actuators = actuators
    }

    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("patterns", .list(of: .text()), "names of patterns") { $0.patterns = $1 },
        .optional("actuators", .list(of: .text()), "names of actuators") { $0.actuators = $1 },
    ]

    func check() throws(WireError) {
        guard patterns != nil || actuators != nil else {
            throw .invalid("patterns", "is missing; give `patterns`, `actuators` or both")
        }
    }
}

/// What a client can subscribe to.
public enum Topic: String, CaseIterable, Codable, Hashable, Sendable {
    case decisions, playbacks, actuations, actuators, holds, settings
}

/// Be notified of `topics` from now on, in place of those before; an empty list ends it.
public struct SubscribeParams: Encodable, Sendable, DescribedParams {
    public var topics: Set<Topic>

    public init(topics: Set<Topic>) { self.topics = topics }

    static let blank = Self(topics: [])

    static let members: [Param<Self>] = [
        .required("topics", .list(of: .choice(of: Topic.self)), "what to be notified of; empty: nothing any more") {
            $0.topics = Set($1)
        }
    ]
}

/// Ask for all patterns, or for one of them with its outline.
public struct PatternsParams: Encodable, Sendable, DescribedParams {
    /// Nil: all of them.
    public var name: String?
    /// Only those behind this name in the list, where that is too long for one answer.
    public var after: String?

    public init(name: String? = nil, after: String? = nil) { (self.name, self.after) = (name, after) }

    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("name", .text(), "only this one, with its `outline`") { $0.name = $1 },
        .optional("after", .text(), "only those behind this name: the rest of a list that has `more`") { $0.after = $1 },
    ]
}

/// The params of a method that takes none.
public struct NoParams: Encodable, Sendable, DescribedParams {
    public init() {}

    static let blank = Self()
    static let members: [Param<Self>] = []
}
