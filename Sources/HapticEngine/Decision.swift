// SPDX-License-Identifier: MIT
public import HapticCore

/// What became of one input and why. Final when made.
public struct Decision: Hashable, Sendable, Encodable {
    public enum InputKind: String, CaseIterable, Hashable, Sendable, Codable {
        case progress, release, event, play
    }

    /// Counts all decisions, from 1.
    public var sequence: UInt64
    public var at: MonotonicInstant
    public var input: InputKind
    /// The explicit id; nil where the connection is the source.
    public var source: String?
    /// The name that the client gave itself; nil: it gave none.
    public var app: String?
    /// The event's name.
    public var name: String?
    public var value: Scalar?
    public var feedbackClass: FeedbackClass?
    /// The `match` of the rule that was used.
    public var rule: String?
    public var outcome: Outcome
    public var reason: Reason?
    public var pattern: String?
    /// The peak after scaling.
    public var intensity: Intensity?
    /// The names of the actuators that play it; empty where none does.
    public var actuators: [String]
    public var playback: PlaybackID?
    /// What begins to be felt after this comes too late. Nil: there is none, or it was refused before that mattered.
    public var deadline: MonotonicInstant?
    /// The bound that refused it, where its reason is `quota` and that is one of the configuration's.
    public var bound: Bound?

    public init(
        sequence: UInt64, at: MonotonicInstant, input: InputKind, source: String? = nil, app: String? = nil, name: String? = nil,
        value: Scalar? = nil, feedbackClass: FeedbackClass? = nil, rule: String? = nil, outcome: Outcome,
        reason: Reason? = nil, pattern: String? = nil, intensity: Intensity? = nil, actuators: [String] = [],
        playback: PlaybackID? = nil, deadline: MonotonicInstant? = nil, bound: Bound? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.input = input
        self.source = source
        self.app = app
        self.name = name
        self.value = value
        self.feedbackClass = feedbackClass
        self.rule = rule
        self.outcome = outcome
        self.reason = reason
        self.pattern = pattern
        self.intensity = intensity
        self.actuators = actuators
        self.playback = playback
        self.deadline = deadline
        self.bound = bound
    }
}

/// How many pulses a playback comes to, on the actuator that plays the most.
public struct PlaySummary: Hashable, Sendable, Encodable {
    /// How often the pattern was to be played; repetitions included.
    public var steps: Int
    /// Maximal runs above 0.
    public var pulses: Int
    /// Pulses that the motor's `minGap` left nothing of.
    public var mergedByMinGap: Int
    /// Levels, those of whole pulses too, that came faster than the actuator's `minInterval`.
    public var mergedByMinInterval: Int

    public init(steps: Int, pulses: Int, mergedByMinGap: Int, mergedByMinInterval: Int = 0) {
        self.steps = steps
        self.pulses = pulses
        self.mergedByMinGap = mergedByMinGap
        self.mergedByMinInterval = mergedByMinInterval
    }
}

/// How a playback ended.
public struct PlaybackEnd: Hashable, Sendable, Encodable {
    public enum Ending: String, CaseIterable, Hashable, Sendable, Encodable {
        case completed, preempted, cancelled, failed
    }

    public var playback: PlaybackID
    public var ending: Ending
    /// Of a completed one: what the motor's limits cut (`maxOn`, `dutyLimit`), if anything.
    public var reason: Reason?
    public var at: MonotonicInstant

    public init(playback: PlaybackID, ending: Ending, reason: Reason?, at: MonotonicInstant) {
        self.playback = playback
        self.ending = ending
        self.reason = reason
        self.at = at
    }
}

/// What came of one item of a batch.
public enum ItemResult: Hashable, Sendable, Encodable {
    /// The decision on an input. The summary is that of a `play`.
    case decided(Decision, PlaySummary?)
    /// So many playbacks were cancelled.
    case cancelled(Int)
    /// The profile is now this one.
    case profileSet(Profile)
}

/// What the engine wants done or reported.
public enum EngineAction: Hashable, Sendable, Encodable {
    case ended(PlaybackEnd)
    /// For the executor: apply this at its planned time.
    case actuate(Actuation)
    /// For the executor: drop what `playback` still has to do on `actuator` from this instant on.
    case revoke(PlaybackID, ActuatorIndex, from: MonotonicInstant)
}

/// What comes of one call into the engine. The caller owns it, reads it and empties it before the next call.
///
/// Its capacity is fixed: the engine puts off what can wait (actuations, which it plans again at `nextDeadline`) before it
/// would overflow, and everything that cannot wait is bounded by the engine's own limits, for which there is always room.
public struct ActionBuffer: Sendable {
    /// What came of each item of the batch, in its order; they come before the actions.
    public internal(set) var results: [ItemResult] = []
    /// In order.
    public private(set) var actions: [EngineAction] = []
    /// Of the actions.
    public let capacity: Int

    public init(capacity: Int) {
        self.capacity = capacity
        results.reserveCapacity(FeedbackEngine.largestBatch)
        actions.reserveCapacity(capacity)
    }

    public var free: Int { capacity - actions.count }
    public var isEmpty: Bool { results.isEmpty && actions.isEmpty }

    mutating func append(_ action: EngineAction) {
        // trap: `actionCapacity` counts what bounds and configuration let come of one call.
        precondition(actions.count < capacity, "the engine's bounds let no more than \(capacity) actions come of one call")
        actions.append(action)
    }

    /// Empties it and keeps its memory.
    public mutating func removeAll() {
        if !results.isEmpty { results.removeAll(keepingCapacity: true) }
        if !actions.isEmpty { actions.removeAll(keepingCapacity: true) }
    }
}
