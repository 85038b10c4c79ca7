// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning

/// Something that happened, as a client says. Each ends in exactly one decision.
public struct Input: Hashable, Sendable, Codable {
    public enum Kind: Hashable, Sendable, Codable {
        case progress(ProgressInput)
        /// The source goes back to 0, silently.
        case release
        case event(EventInput)
        case play(PlayInput)
        /// The things of a set that exist now.
        case present(PresentInput)
        case hold(HoldInput)
        case task(TaskState)
    }

    /// What an input's `feedback` member says.
    public enum FeedbackOverride: Hashable, Sendable, Codable {
        case normal
        /// State changes, nothing is felt.
        case off
        /// Replaces the rule's pattern.
        case pattern(PlayablePattern)
    }

    public var client: ClientIdentity
    /// Explicit identity; nil: the connection itself is the source.
    public var id: String?
    /// The name that the client gives itself, or the program that it speaks for.
    public var app: String?
    /// When it happened; an instant later than now counts as now.
    public var at: MonotonicInstant
    /// How old it may be when it is decided; nil: as the rule or the class says.
    public var deadline: Nanoseconds?
    public var feedback: FeedbackOverride
    public var kind: Kind

    public init(
        client: ClientIdentity, id: String? = nil, app: String? = nil, at: MonotonicInstant, deadline: Nanoseconds? = nil,
        feedback: FeedbackOverride = .normal, kind: Kind
    ) {
        self.client = client
        self.id = id
        self.app = app
        self.at = at
        self.deadline = deadline
        self.feedback = feedback
        self.kind = kind
    }
}

public struct ProgressInput: Hashable, Sendable, Codable {
    public var value: Progress
    /// These four replace what the rule says.
    public var pattern: PlayablePattern?
    public var step: Double?
    public var mode: ProgressMode?
    public var intensity: Intensity?

    public init(
        value: Progress, pattern: PlayablePattern? = nil, step: Double? = nil, mode: ProgressMode? = nil,
        intensity: Intensity? = nil
    ) {
        self.value = value
        self.pattern = pattern
        self.step = step
        self.mode = mode
        self.intensity = intensity
    }
}

public struct EventInput: Hashable, Sendable, Codable {
    public var name: String
    /// Nil: the event has no value and always fires.
    public var value: Scalar?
    public var intensity: Intensity?
    public var feedbackClass: FeedbackClass?

    public init(
        name: String, value: Scalar? = nil, intensity: Intensity? = nil, feedbackClass: FeedbackClass? = nil
    ) {
        self.name = name
        self.value = value
        self.intensity = intensity
        self.feedbackClass = feedbackClass
    }
}

extension EventInput {
    /// No value is another thing than the value null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: container.decode(String.self, forKey: .name),
            value: container.contains(.value) ? container.decode(Scalar.self, forKey: .value) : nil,
            intensity: container.decodeIfPresent(Intensity.self, forKey: .intensity),
            feedbackClass: container.decodeIfPresent(FeedbackClass.self, forKey: .feedbackClass))
    }
}

public struct HoldInput: Hashable, Sendable, Codable {
    public static let down = Self(.down)
    public static let up = Self(.up)

    public var state: HoldState
    /// The time within which a press has to be repeated; `HoldShape.leases`. Nil: a lease that runs keeps its time.
    public var lease: Nanoseconds?
    /// Whether the instant of the input is that of the hand. False: it is only known when the input was read.
    public var isDated: Bool

    public init(_ state: HoldState, lease: Nanoseconds? = nil, isDated: Bool = true) {
        self.state = state
        self.lease = lease
        self.isDated = isDated
    }
}

public struct PlayInput: Hashable, Sendable, Codable {
    public var pattern: PlayablePattern
    /// Nil: once. Else the pattern is played at each of these instants, see `StepTrain`.
    public var train: StepTrain?
    public var intensity: Intensity
    /// Replaces the sharpness of the whole pattern.
    public var sharpness: Sharpness?
    public var feedbackClass: FeedbackClass
    /// Nil: all actuators.
    public var actuators: [ActuatorIndex]?
    /// Nil: the same on all of them, at once.
    public var spread: Spread?
    /// How often the whole is played, 1 or more.
    public var repetitions: Int
    /// Nil: as the actuator has it.
    public var fit: Fit?
    /// The playback ends gracefully with the connection of its client, whatever it plays or waits for.
    public var endsWithClient: Bool

    public init(
        pattern: PlayablePattern, train: StepTrain? = nil, intensity: Intensity = .one, sharpness: Sharpness? = nil,
        feedbackClass: FeedbackClass = .interaction, actuators: [ActuatorIndex]? = nil, spread: Spread? = nil,
        repetitions: Int = 1, fit: Fit? = nil, endsWithClient: Bool = false
    ) {
        self.pattern = pattern
        self.train = train
        self.intensity = intensity
        self.sharpness = sharpness
        self.feedbackClass = feedbackClass
        self.actuators = actuators
        self.spread = spread
        self.repetitions = repetitions
        self.fit = fit
        self.endsWithClient = endsWithClient
    }
}

public struct CancelRequest: Hashable, Sendable, Codable {
    public var client: ClientIdentity
    public var target: CancelTarget
    public var mode: CancelMode
    /// It begins a `Suspension`: the machine is about to sleep.
    public var untilResumed: Bool

    public init(client: ClientIdentity, target: CancelTarget, mode: CancelMode, untilResumed: Bool = false) {
        self.client = client
        self.target = target
        self.mode = mode
        self.untilResumed = untilResumed
    }
}

/// One thing that a client asks of the engine. The items of a batch are decided in order at one instant.
public enum BatchItem: Hashable, Sendable, Codable {
    case input(Input)
    case cancel(CancelRequest)
    case change(SettingsChange)
    case condition(ConditionRequest)
}
