// SPDX-License-Identifier: MIT

// sizes: plain values
/// What became of one input and why. Final when made.
public struct Decision: Hashable, Sendable, Encodable {
    public enum InputKind: String, CaseIterable, Hashable, Sendable, Codable {
        case progress, release, event, play, present, hold, task
    }

    /// Counts all decisions, from 1.
    public var sequence: UInt64
    public var at: MonotonicInstant
    public var input: InputKind
    public var origin = Origin.client
    /// The explicit id; nil where the connection is the source, and of a set.
    public var source: String?
    /// The name that the client gave itself; nil: it gave none.
    public var app: String?
    /// The user who sent it, the scope of that user, and the process, when it connected; nil: not known, or no scope.
    public var user: UInt32?
    public var scope: UInt32?
    public var process: Int32?
    /// The event's name, or the set's.
    public var name: String?
    /// Of progress and an event its value, of a step of a hold how far that has come, of a hold or a task else its state.
    public var value: Scalar?
    /// Which of a set's things have come and gone; nil: it is about no set, or no set has changed yet.
    public var things: ThingCounts?
    public var feedbackClass: FeedbackClass?
    /// The `match` of the rule that was used.
    public var rule: String?
    public var outcome: Outcome
    public var reason: Reason?
    public var pattern: String?
    /// The pattern is the client's own, and so is its name.
    public var isPatternInline = false
    /// A followed value: its `intensity` reveals the value.
    public var isFollowed = false
    /// The peak after scaling.
    public var intensity: Intensity?
    /// The predicted feel; `nil` if nothing is played, or if only a motor without a model could make it felt.
    public var feel: Feel?
    /// The names of the actuators that play it; empty where none does.
    public var actuators: [String]
    public var playback: PlaybackID?
    /// What begins to be felt after this comes too late. Nil: there is none, or it was refused before that mattered.
    public var deadline: MonotonicInstant?
    /// The bound that refused it, where its reason is `quota` and that is one of the configuration's.
    public var bound: Bound?
    /// What the policy made of it; nil: it was decided before the policy was asked.
    public var policy: PolicyPath?
    /// What its reason and its actuators do not say; nil, mostly.
    public var circumstance: Circumstance?

    public init(
        sequence: UInt64, at: MonotonicInstant, input: InputKind, source: String? = nil, app: String? = nil,
        user: UInt32? = nil, scope: UInt32? = nil, process: Int32? = nil, name: String? = nil, value: Scalar? = nil,
        feedbackClass: FeedbackClass? = nil, rule: String? = nil, outcome: Outcome, reason: Reason? = nil,
        pattern: String? = nil, intensity: Intensity? = nil, actuators: [String] = [], playback: PlaybackID? = nil,
        deadline: MonotonicInstant? = nil, bound: Bound? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.input = input
        self.source = source
        self.app = app
        self.user = user
        self.scope = scope
        self.process = process
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

extension Decision {
    /// The owner of its ids and values; nil: not known.
    public var owner: Owner? { user.map { Owner(user: $0, scope: scope) } }

    /// The predicted feel of a playback on the best of its motors, by their models and within their limits.
    public struct Feel: Hashable, Sendable, Encodable {
        /// The least peak that counts as felt: a tenth of the acceleration at rated drive. A definition of ours, see `docs/motors.md`; AOSP's
        /// own test wants 0.1 g of a click.
        public static let least = 0.1

        /// The most acceleration, as a share of that at rated drive.
        public var peak: Double
        /// The motor does not stop enough between its pulses, or after the playback before, so a hand feels fewer pulses than were played.
        public var runsTogether: Bool

        public init(peak: Double, runsTogether: Bool = false) {
            self.peak = peak
            self.runsTogether = runsTogether
        }

        public var isFelt: Bool { peak >= Self.least }
    }

    /// Who did what it is about.
    public enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
        case client
        /// A hand, on a key or a button that hapticd reads.
        case device
    }

    /// What came of comparing the things that exist now with those that existed before.
    public struct ThingCounts: Hashable, Sendable, Encodable {
        public var inserted: Int
        public var removed: Int
        public var kept: Int

        public init(inserted: Int, removed: Int, kept: Int) {
            self.inserted = inserted
            self.removed = removed
            self.kept = kept
        }
    }

    /// The most bytes of a `Circumstance.mistake`.
    public static let mostMistake = 256

    /// What else is worth knowing for who asks why.
    public enum Circumstance: Hashable, Sendable, Encodable {
        /// This one plays, and is more important, or as important and another user's.
        case blocked(by: Blocker)
        /// The first rule whose `match` fits the event; its `when` does not, nor does that of any other rule.
        case otherChange(rule: String)
        /// Some of what was wanted is not there, and something stands in for it: `there` plays, or was to, what `wanted` would
        /// have. What has neither a part nor a stand-in with one is in neither. By name.
        case standIn(wanted: [String], there: [String])
        /// The motor that plays most of it is hot: so much is left of its strength, at the least.
        case hot(strength: Double)
        /// The input was past its deadline; `age` is its age at the decision.
        case late(age: Nanoseconds)
        /// The task has not ended within this time, and counts as failed.
        case timedOut(after: Nanoseconds)
        /// The sentence about a notification that was not valid, which names the member; `mostMistake` bytes at most.
        case mistake(String)
        /// All ids of the set are numbers, and each is one more, or one less, than before: they are probably positions.
        case idsShifted
    }

    /// What stands in the way.
    public struct Blocker: Hashable, Sendable, Encodable {
        public var playback: PlaybackID
        /// Nil: it is a client's own, and so is its name; or a value that is followed, which has none.
        public var pattern: String?
        public var feedbackClass: FeedbackClass

        public init(playback: PlaybackID, pattern: String?, feedbackClass: FeedbackClass) {
            self.playback = playback
            self.pattern = pattern
            self.feedbackClass = feedbackClass
        }
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

/// A playback that goes on later is felt nowhere for a time, or again.
public struct PlaybackInterruption: Hashable, Sendable, Encodable {
    public enum State: String, CaseIterable, Hashable, Sendable, Encodable {
        case interrupted, resumed
    }

    public var playback: PlaybackID
    public var state: State
    public var at: MonotonicInstant

    public init(playback: PlaybackID, state: State, at: MonotonicInstant) {
        self.playback = playback
        self.state = state
        self.at = at
    }
}

/// How a playback ended.
public struct PlaybackEnd: Hashable, Sendable, Encodable {
    public enum Ending: String, CaseIterable, Hashable, Sendable, Encodable {
        case completed, preempted, cancelled, failed
    }

    public var playback: PlaybackID
    public var ending: Ending
    /// Of a completed one: what the motor's limits cut (`maxOn`, `dutyLimit`, `thermal`), if anything.
    public var reason: Reason?
    public var at: MonotonicInstant

    public init(playback: PlaybackID, ending: Ending, reason: Reason?, at: MonotonicInstant) {
        self.playback = playback
        self.ending = ending
        self.reason = reason
        self.at = at
    }
}
