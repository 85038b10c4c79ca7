// SPDX-License-Identifier: MIT
public import HapticCore

/// The kind of feedback an input is for. Priority, deadline and rate limit go by it.
public enum FeedbackClass: String, CaseIterable, Hashable, Sendable, Codable {
    case alarm, notification, interaction, texture

    /// Its index in `allCases`, without the array that those are.
    public var index: Int {
        switch self {
        case .alarm: 0
        case .notification: 1
        case .interaction: 2
        case .texture: 3
        }
    }
}

/// How much the user wants to feel.
public enum Profile: String, CaseIterable, Hashable, Sendable, Codable {
    case full, quiet, reduced, silent
}

/// A JSON scalar: what an event's `value` may be.
public enum Scalar: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(Text)
}

extension Scalar: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(Text(try container.decode(String.self)))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value.string)
        }
    }
}

/// What became of an input.
public enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    /// It is felt.
    case played
    /// It falls into the gap, or the interval, that the actuator needs after what it has just played, and is felt as part of that.
    case merged
    /// It is not felt.
    case suppressed
    /// A later item of the same batch took its source or its actuators before it began.
    case preempted
    /// A later item of the same batch cancelled it before it began.
    case cancelled
    /// It could not be played.
    case failed
}

/// Why an input was not simply played, or why a playback ended before its time.
public enum Reason: String, CaseIterable, Hashable, Sendable, Codable {
    /// The progress has not come a step further.
    case belowStep
    /// The rule's `minInterval` or the limit of the class is used up.
    case rateLimited
    /// The event's value is the one it had.
    case unchanged
    /// The same `play` with the same `id` is still playing.
    case duplicate
    /// Older than its deadline.
    case stale
    /// The profile in force asks for nothing.
    case profile
    /// Something more important is playing.
    case lowerPriority
    /// Another user's playback of equal priority is playing, which this user may not end.
    case notAllowed
    /// The motor's off time between two pulses has not passed.
    case minGap
    /// It came faster than the actuator's shortest interval.
    case minInterval
    /// The motor has been on for as long as it may without a break.
    case maxOn
    /// The motor has been on for as large a share of the time as it may.
    case dutyLimit
    /// No rule is for it.
    case noRule
    /// No actuator that could play it is there.
    case noActuator
    /// The actuator can only be on or off, and this is too subtle for it.
    case tooSubtle
    /// No actuator of it is there, or it has gone or failed.
    case deviceLost
    /// A bound on sources or playbacks is reached; of a notification also one on requests a second.
    case quota
    /// The source went back to 0.
    case released
    /// A later item of the same batch, or a newer one of the same source, took its place.
    case superseded
    /// Someone asked for it: a `cancel`.
    case requested
    /// `feedback: off` was given.
    case feedbackOff
    /// A notification's parameters were not valid.
    case invalidParams
    /// The client that waited for it has gone.
    case clientGone
    /// The configuration was changed and no longer has it.
    case reload
    /// The daemon is stopping.
    case shutdown
}

/// Who sends an input: one connection of one user, as the kernel says. What a client says about itself is the input's `app`.
public struct ClientIdentity: Hashable, Sendable, Codable {
    /// Of the connection; never used twice while the daemon runs.
    public var connection: UInt64
    /// The peer's user id.
    public var user: UInt32
    /// The number of the peer's process, when it connected; nil: the daemon has none for it.
    public var process: Int32?
    /// Whether it may take the place of what another user plays at equal priority.
    public var mayEndOthers: Bool

    public init(connection: UInt64, user: UInt32, process: Int32? = nil, mayEndOthers: Bool = true) {
        self.connection = connection
        self.user = user
        self.process = process
        self.mayEndOthers = mayEndOthers
    }
}

/// A pattern with its frames: what a playback needs of it.
///
/// Never changes; a class, so that an input that names one costs no more to hand on than one that does not.
public final class PlayablePattern: Sendable {
    public let name: String
    public let timeline: Timeline
    /// The index of its first run among those of the configuration; nil where it is in none.
    let firstRun: Int?
    private let runStarts: [Int]

    public convenience init(name: String, timeline: Timeline) { self.init(name: name, timeline: timeline, firstRun: nil) }

    public convenience init(_ pattern: Pattern) { self.init(name: pattern.name, timeline: Timeline(pattern)) }

    private init(name: String, timeline: Timeline, firstRun: Int?) {
        self.name = name
        self.timeline = timeline
        self.firstRun = firstRun
        runStarts = timeline.runStarts
    }

    /// The same in a configuration that has so many runs before its own.
    func numbered(from firstRun: Int) -> PlayablePattern {
        PlayablePattern(name: name, timeline: timeline, firstRun: firstRun)
    }

    /// The run that begins with this frame.
    func run(at frame: Int) -> RunIndex? {
        guard let firstRun, let number = runStarts.firstIndex(of: frame) else { return nil }
        return RunIndex(firstRun + number)
    }
}

extension PlayablePattern: Codable {
    private enum CodingKeys: CodingKey { case name, timeline }

    /// One of the configuration in force is written as its name; it is looked up among `userInfo[.patterns]`.
    public convenience init(from decoder: any Decoder) throws {
        let named = try? decoder.singleValueContainer().decode(String.self)
        let known = decoder.userInfo[.patterns] as? [Text: PlayablePattern]
        if let named, let pattern = known?[Text(named)] {
            self.init(name: pattern.name, timeline: pattern.timeline, firstRun: pattern.firstRun)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try self.init(
                name: container.decode(String.self, forKey: .name), timeline: container.decode(Timeline.self, forKey: .timeline))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if firstRun != nil {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        } else {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(timeline, forKey: .timeline)
        }
    }
}

extension CodingUserInfoKey {
    /// `[Text: PlayablePattern]`: those of the configuration in force.
    // trap: any text is a key.
    public static let patterns = CodingUserInfoKey(rawValue: "patterns")!
}

extension PlayablePattern: Hashable {
    public static func == (a: PlayablePattern, b: PlayablePattern) -> Bool {
        a === b || (a.name == b.name && a.timeline == b.timeline && a.firstRun == b.firstRun)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
