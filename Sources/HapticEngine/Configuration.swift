// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning

// sizes: plain values
/// Everything that the engine's decisions depend on: whatever it names is there.
public struct EngineConfiguration: Hashable, Sendable {
    /// What is in force where people have set nothing. Never `off`.
    public internal(set) var settings: Settings
    public internal(set) var classes: ClassTable
    /// Nil: the profile `reduced` keeps none.
    public internal(set) var meanings: KeptMeanings?
    /// An `ActuatorIndex` is an index in this list.
    public internal(set) var actuators: [EngineActuator]
    /// The first that matches is used.
    public internal(set) var progressRules: [ProgressRule]
    /// The first that matches is used.
    public internal(set) var eventRules: [EventRule]
    /// The first that matches is used.
    public internal(set) var collectionRules: [CollectionRule]
    /// The first that matches is used.
    public internal(set) var holdRules: [HoldRule]
    /// The first that matches is used.
    public internal(set) var taskRules: [TaskRule]
    /// Each name once.
    public internal(set) var conditionRules: [ConditionRule]
    /// What only devices may say.
    let reserved: ReservedNames
    /// By name. Holds every pattern that a rule or class names.
    public let patterns: [Text: PlayablePattern]
    /// In order.
    public let patternNames: [String]
    /// Of all patterns, in the order of their names; a `RunIndex` is an index in this list.
    public let runs: [Run]
    public internal(set) var bounds: EngineBounds

    /// Throws the first mistake.
    public init(
        settings: Settings = Settings(), classes: ClassTable = .standard, meanings: KeptMeanings? = nil,
        actuators: [EngineActuator],
        progressRules: [ProgressRule] = [], eventRules: [EventRule] = [], collectionRules: [CollectionRule] = [],
        holdRules: [HoldRule] = [], taskRules: [TaskRule] = [], conditionRules: [ConditionRule] = [],
        patterns: [Text: PlayablePattern],
        bounds: EngineBounds = .standard
    ) throws(ConfigurationMistake) {
        self.settings = settings
        self.classes = classes
        self.meanings = meanings
        self.actuators = actuators
        self.progressRules = progressRules
        self.eventRules = eventRules
        self.collectionRules = collectionRules
        self.holdRules = holdRules
        self.taskRules = taskRules
        self.conditionRules = conditionRules
        reserved = ReservedNames(holdRules)
        var numbered = patterns
        var runs: [Run] = []
        let names = patterns.keys.sorted()
        patternNames = names.map(\.string)
        for name in names {
            // trap: `name` is one of its keys.
            numbered[name] = patterns[name]!.numbered(from: runs.count)
            // trap: `name` is one of its keys.
            runs += patterns[name]!.timeline.runs
        }
        self.patterns = numbered
        self.runs = runs
        self.bounds = bounds
        try validate()
    }

    /// The one that is in force where people have set none.
    public var profile: Profile { settings.profile ?? .full }
}

/// Past a bound the newest input is refused with `quota`.
public struct EngineBounds: Hashable, Sendable, Codable {
    /// All of them: progress sources, and one for each (event name, source).
    public var sources: Int
    public var sourcesPerUser: Int
    /// Those that one connection has made, and that are not forgotten yet; nil: as many as its user may have.
    public var sourcesPerClient: Int?
    /// The things of all sets, and of those that are being said; and those of one user. So many, and 80 bytes for each, of ids and
    /// of the names of sets. A set counts as four things at least.
    public var things: Int
    public var thingsPerUser: Int
    public var playbacks: Int
    /// Nil: all of them. What fades out does not count, and neither does what the new one takes the place of. See `share(of:)`.
    public var playbacksPerUser: Int?
    public var playbacksPerClient: Int?
    /// A source is forgotten this long after its last input.
    public var sourceTimeout: Nanoseconds

    public init(
        sources: Int, sourcesPerUser: Int, sourcesPerClient: Int? = nil, things: Int = 400_000, thingsPerUser: Int = 100_000,
        playbacks: Int, playbacksPerUser: Int? = nil,
        playbacksPerClient: Int? = nil, sourceTimeout: Nanoseconds
    ) {
        self.sources = sources
        self.sourcesPerUser = sourcesPerUser
        self.sourcesPerClient = sourcesPerClient
        self.things = things
        self.thingsPerUser = thingsPerUser
        self.playbacks = playbacks
        self.playbacksPerUser = playbacksPerUser
        self.playbacksPerClient = playbacksPerClient
        self.sourceTimeout = sourceTimeout
    }

    /// The default share of one user: a quarter of the playbacks, so that no user alone can take all.
    public static func share(of playbacks: Int) -> Int { (playbacks + 3) / 4 }

    public static let standard = EngineBounds(
        sources: 16_384, sourcesPerUser: 4096, playbacks: 1024, playbacksPerUser: share(of: 1024), sourceTimeout: .seconds(60))
}

/// What a profile makes of a class.
public enum ProfileEffect: Hashable, Sendable, Codable {
    case full
    /// Half the intensity.
    case half
    case nothing
    /// This pattern, once, in place of whatever would be played.
    case pattern(String)
}

public struct ClassPolicy: Hashable, Sendable, Codable {
    /// Higher pre-empts lower; on a tie the newer wins.
    public var priority: Int
    /// How old an input may be; nil: any age.
    public var deadline: Nanoseconds?
    /// How many inputs may be played in any second; nil: any number.
    public var limitPerSecond: Int?
    public var quiet: ProfileEffect
    public var reduced: ProfileEffect
    public var silent: ProfileEffect

    public init(
        priority: Int, deadline: Nanoseconds?, limitPerSecond: Int?, quiet: ProfileEffect, reduced: ProfileEffect,
        silent: ProfileEffect
    ) {
        self.priority = priority
        self.deadline = deadline
        self.limitPerSecond = limitPerSecond
        self.quiet = quiet
        self.reduced = reduced
        self.silent = silent
    }

    public func effect(of profile: Profile) -> ProfileEffect {
        switch profile {
        case .full: .full
        case .quiet: quiet
        case .reduced: reduced
        case .silent: silent
        }
    }
}

public struct ClassTable: Hashable, Sendable, Codable {
    public var alarm: ClassPolicy
    public var notification: ClassPolicy
    public var interaction: ClassPolicy
    public var texture: ClassPolicy

    public init(alarm: ClassPolicy, notification: ClassPolicy, interaction: ClassPolicy, texture: ClassPolicy) {
        self.alarm = alarm
        self.notification = notification
        self.interaction = interaction
        self.texture = texture
    }

    public subscript(_ feedbackClass: FeedbackClass) -> ClassPolicy {
        get {
            switch feedbackClass {
            case .alarm: alarm
            case .notification: notification
            case .interaction: interaction
            case .texture: texture
            }
        }
        set {
            switch feedbackClass {
            case .alarm: alarm = newValue
            case .notification: notification = newValue
            case .interaction: interaction = newValue
            case .texture: texture = newValue
            }
        }
    }

    public static let standard = ClassTable(
        alarm: .init(priority: 3, deadline: nil, limitPerSecond: nil, quiet: .half, reduced: .full, silent: .nothing),
        notification: .init(
            priority: 2, deadline: .seconds(1), limitPerSecond: 10, quiet: .half, reduced: .pattern("light"), silent: .nothing),
        interaction: .init(
            priority: 1, deadline: .milliseconds(100), limitPerSecond: 50, quiet: .nothing, reduced: .pattern("tick"),
            silent: .nothing),
        texture: .init(
            priority: 0, deadline: .milliseconds(100), limitPerSecond: 200, quiet: .nothing, reduced: .nothing,
            silent: .nothing))
}

/// What a rule says of the feedback it asks for.
public struct RuleFeedback: Hashable, Sendable, Codable {
    /// A name in `EngineConfiguration.patterns`, or the configuration is refused.
    public var pattern: String
    public var feedbackClass: FeedbackClass
    public var intensity: Intensity
    /// These two replace what the class says.
    public var priority: Int?
    public var deadline: Nanoseconds?
    /// Nil: all actuators.
    public var actuators: [ActuatorIndex]?
    /// Nil: the same on all of them, at once.
    public var spread: Spread?

    public init(
        pattern: String, feedbackClass: FeedbackClass, intensity: Intensity = .one, priority: Int? = nil,
        deadline: Nanoseconds? = nil, actuators: [ActuatorIndex]? = nil, spread: Spread? = nil
    ) {
        self.pattern = pattern
        self.feedbackClass = feedbackClass
        self.intensity = intensity
        self.priority = priority
        self.deadline = deadline
        self.actuators = actuators
        self.spread = spread
    }
}

/// Threshold logic for the progress of sources whose id matches.
public struct ProgressRule: Hashable, Sendable, Codable {
    /// Matched against the source's id; a source without one is matched as the empty id.
    public var match: Glob
    public var gate: GateConfiguration
    /// The value itself is felt, and of the feedback's pattern its detents; nil: steps are.
    public var follow: FollowShape?
    public var feedback: RuleFeedback
    /// The pattern in which reaching 1 is felt; nil: as a step.
    public var complete: String?
    /// The class of the completion where `complete` names a pattern.
    public var completeClass: FeedbackClass

    public init(
        match: Glob, gate: GateConfiguration, follow: FollowShape? = nil, feedback: RuleFeedback, complete: String? = nil,
        completeClass: FeedbackClass = .notification
    ) {
        self.match = match
        self.gate = gate
        self.follow = follow
        self.feedback = feedback
        self.complete = complete
        self.completeClass = completeClass
    }
}
