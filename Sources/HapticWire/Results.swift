// SPDX-License-Identifier: MIT
public import HapticCore

/// What became of one input, with all its members, null where there is none.
public struct DecisionResult: Codable, Hashable, Sendable {
    public var seq: UInt64
    public var atNs: Int64
    public var input: String
    /// `client`, or `device`: a hand on a key or a button. Null: the daemon is of an earlier version.
    public var origin: String?
    public var source: String?
    public var app: String?
    /// Who sent it; null: not known, or the daemon is of an earlier version.
    public var user: UInt32?
    /// The process that did, when it connected.
    public var process: Int32?
    public var name: String?
    public var value: Scalar?
    /// Of a set: how many things are new, are missing, and have stayed; else null.
    public var inserted: Int?
    public var removed: Int?
    public var kept: Int?
    public var feedbackClass: String?
    public var rule: String?
    public var outcome: String
    public var reason: String?
    public var pattern: String?
    /// The peak after scaling.
    public var intensity: Double?
    public var actuators: [String]
    public var playback: UInt64?
    /// Whether a hand on the motor feels it, by the motor's model; null as `Decision.feel` is.
    public var felt: Bool?
    /// The most acceleration that the motor reaches, as a share of that at rated drive; null if `felt` is.
    public var feltPeak: Double?
    /// The age of a `stale` input at the decision; `nil` for any other reason.
    public var ageMs: Double?
    /// The sentence about a notification that was not valid (`invalidParams`), which names the member; else null, as for other users.
    public var mistake: String?
    /// Not on the wire: the pattern is the client's own, and so is its name.
    var isPatternInline = false
    /// Not on the wire: a followed value, which `intensity` reveals.
    var isFollowed = false

    private enum CodingKeys: String, CodingKey {
        case seq, atNs, input, origin, source, app, user, process, name, value, inserted, removed, kept, rule, outcome, reason,
            pattern
        case intensity, actuators, playback, felt, feltPeak, ageMs, mistake
        case feedbackClass = "class"
    }

    public init(_ decision: Decision) {
        seq = decision.sequence
        atNs = decision.at.nanoseconds
        input = decision.input.rawValue
        origin = decision.origin.rawValue
        source = decision.source
        app = decision.app
        user = decision.user
        process = decision.process
        name = decision.name
        value = decision.value
        inserted = decision.things?.inserted
        removed = decision.things?.removed
        kept = decision.things?.kept
        feedbackClass = decision.feedbackClass?.rawValue
        rule = decision.rule
        outcome = decision.outcome.rawValue
        reason = decision.reason?.rawValue
        pattern = decision.pattern
        isPatternInline = decision.isPatternInline
        isFollowed = decision.isFollowed
        intensity = decision.intensity?.value
        actuators = decision.actuators
        playback = decision.playback?.value
        felt = decision.feel?.isFelt
        // Rounded down below the threshold, so that a peak that is not felt does not read as one that is.
        feltPeak = decision.feel.map { ($0.peak * 1000).rounded($0.isFelt ? .toNearestOrAwayFromZero : .down) / 1000 }
        if case .late(let age) = decision.circumstance { ageMs = age.inMilliseconds }
        if case .mistake(let sentence) = decision.circumstance { mistake = sentence }
    }

    /// Whether a `down` has begun a press. What its rule plays for that may be felt or not.
    public var isPress: Bool { reason == Reason.pressed.rawValue || pattern != nil }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        try container.encode(atNs, forKey: .atNs)
        try container.encode(input, forKey: .input)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(origin, forKey: .origin)
        try container.encode(source, forKey: .source)
        try container.encode(app, forKey: .app)
        try container.encode(user, forKey: .user)
        try container.encode(process, forKey: .process)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(inserted, forKey: .inserted)
        try container.encode(removed, forKey: .removed)
        try container.encode(kept, forKey: .kept)
        try container.encode(feedbackClass, forKey: .feedbackClass)
        try container.encode(rule, forKey: .rule)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(reason, forKey: .reason)
        try container.encode(pattern, forKey: .pattern)
        try container.encode(intensity, forKey: .intensity)
        try container.encode(actuators, forKey: .actuators)
        try container.encode(playback, forKey: .playback)
        try container.encode(felt, forKey: .felt)
        try container.encode(feltPeak, forKey: .feltPeak)
        try container.encode(ageMs, forKey: .ageMs)
        try container.encode(mistake, forKey: .mistake)
    }
}

/// How a playback ended.
public struct EndingResult: Codable, Hashable, Sendable {
    public var playback: UInt64
    public var ended: String
    public var reason: String?
    public var atNs: Int64

    public init(_ end: PlaybackEnd) {
        playback = end.playback.value
        ended = end.ending.rawValue
        reason = end.reason?.rawValue
        atNs = end.at.nanoseconds
    }

    private enum CodingKeys: CodingKey { case playback, ended, reason, atNs }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(playback, forKey: .playback)
        try container.encode(ended, forKey: .ended)
        try container.encode(reason, forKey: .reason)
        try container.encode(atNs, forKey: .atNs)
    }
}

/// The answer to `play`.
public struct PlayResult: Codable, Hashable, Sendable {
    /// Null where nothing is played.
    public var playback: UInt64?
    public var decision: DecisionResult
    public var steps: Int
    public var pulses: Int
    public var mergedByMinGap: Int
    public var mergedByMinInterval: Int
    /// With `wait`: how it ended. Else null.
    public var ending: EndingResult?

    public init(_ decision: Decision, summary: PlaySummary?) {
        playback = decision.playback?.value
        self.decision = DecisionResult(decision)
        steps = summary?.steps ?? 0
        pulses = summary?.pulses ?? 0
        mergedByMinGap = summary?.mergedByMinGap ?? 0
        mergedByMinInterval = summary?.mergedByMinInterval ?? 0
    }

    public var summary: PlaySummary {
        PlaySummary(steps: steps, pulses: pulses, mergedByMinGap: mergedByMinGap, mergedByMinInterval: mergedByMinInterval)
    }

    private enum CodingKeys: CodingKey { case playback, decision, steps, pulses, mergedByMinGap, mergedByMinInterval, ending }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(playback, forKey: .playback)
        try container.encode(decision, forKey: .decision)
        try container.encode(steps, forKey: .steps)
        try container.encode(pulses, forKey: .pulses)
        try container.encode(mergedByMinGap, forKey: .mergedByMinGap)
        try container.encode(mergedByMinInterval, forKey: .mergedByMinInterval)
        try container.encode(ending, forKey: .ending)
    }
}

/// The answer to a `play` with `more: true`, which is no input yet.
public struct PlayPartResult: Codable, Hashable, Sendable {
    /// Bytes of all lines of this pattern so far.
    public var bytes: Int

    /// Creates the answer to a part, after which the lines of the pattern have `bytes` bytes.
    public init(bytes: Int) { self.bytes = bytes }
}

public struct CancelResult: Codable, Hashable, Sendable {
    /// How many playbacks.
    public var cancelled: Int

    public init(cancelled: Int) { self.cancelled = cancelled }
}

public struct ProfileResult: Codable, Hashable, Sendable {
    public var profile: String

    public init(_ profile: Profile) { self.profile = profile.rawValue }
}

public struct PrepareResult: Codable, Hashable, Sendable {
    /// What is ready.
    public var patterns: [String]
    public var actuators: [String]
    /// For how long; null: until the configuration changes or the device goes.
    public var readyForMs: Double?

    public init(patterns: [String], actuators: [String], readyForMs: Double?) {
        self.patterns = patterns
        self.actuators = actuators
        self.readyForMs = readyForMs
    }

    private enum CodingKeys: CodingKey { case patterns, actuators, readyForMs }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(patterns, forKey: .patterns)
        try container.encode(actuators, forKey: .actuators)
        try container.encode(readyForMs, forKey: .readyForMs)
    }
}

public struct SubscribeResult: Codable, Hashable, Sendable {
    /// In force from now on.
    public var topics: [String]

    public init(_ topics: Set<Topic>) { self.topics = topics.map(\.rawValue).sorted() }
}

public struct ReloadResult: Codable, Hashable, Sendable {
    /// The parts of the configuration that changed; empty: none did.
    public var changed: [String]
    /// The parts that differ from what the daemon runs with, and are taken up at its next start only.
    public var needsRestart: [String]
    /// How many rules, actuators or patterns of a changed part are new, gone, or different.
    public var differences: [Difference]
    /// There is no configuration file; the built-in configuration is in force.
    public var isBuiltIn: Bool

    private enum CodingKeys: String, CodingKey {
        case changed, needsRestart, differences
        case isBuiltIn = "builtIn"
    }

    public struct Difference: Codable, Hashable, Sendable {
        public var part: String
        public var added: Int
        public var removed: Int
        public var changed: Int

        public init(part: String, added: Int, removed: Int, changed: Int) {
            self.part = part
            self.added = added
            self.removed = removed
            self.changed = changed
        }
    }

    public init(changed: [String], needsRestart: [String], differences: [Difference] = [], isBuiltIn: Bool = false) {
        self.changed = changed
        self.needsRestart = needsRestart
        self.differences = differences
        self.isBuiltIn = isBuiltIn
    }

    /// A daemon of an earlier version counts no differences.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        changed = try container.decode([String].self, forKey: .changed)
        needsRestart = try container.decode([String].self, forKey: .needsRestart)
        differences = try container.decodeIfPresent([Difference].self, forKey: .differences) ?? []
        isBuiltIn = try container.decodeIfPresent(Bool.self, forKey: .isBuiltIn) ?? false
    }

    /// The changed parts in words: `profile, events (2 added, 1 removed)`; empty where there are none.
    public var words: String {
        changed.map { part in
            guard let its = differences.first(where: { Text($0.part) == Text(part) }) else { return part }
            let counts = [(its.added, "added"), (its.removed, "removed"), (its.changed, "changed")].filter { $0.0 > 0 }
            return counts.isEmpty ? part : "\(part) (\(counts.map { "\($0) \($1)" }.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }
}
