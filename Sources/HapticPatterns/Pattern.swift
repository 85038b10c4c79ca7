// SPDX-License-Identifier: MIT
public import HapticCore

/// What is felt, independent of the device: layers of (intensity, sharpness) over time that are added up, or phases one after
/// another.
///
/// Holds what our own files and AHAP files say. Immutable; every value of it is playable: the patterns that it is composed of are in
/// it.
public struct Pattern: Hashable, Sendable {
    /// What one pattern may hold at most, so that making and rendering it is bounded.
    public enum Limit {
        public static let duration = Timeline.longest
        public static let tracks = 16
        /// Keyframes or events of a track.
        public static let entriesPerTrack = 1024
        public static let parameterCurves = 128
        public static let pointsPerCurve = 1024
        /// Patterns that one is composed of, each with its repetitions.
        public static let parts = 256
        public static let repetitions = 1024
        public static let phases = 16
        /// How many patterns are within each other, the outermost included.
        public static let depth = 8
        /// Keyframes, events and points of curves in all that a pattern is composed of, as often as each is played.
        public static let composedEntries = 4096
        /// How long an open phase may last.
        public static let openPhase = Nanoseconds.seconds(3600)
        /// Bytes in UTF-8.
        public static let nameLength = 128
        /// What rendering it may cost, see `WorkBudget`: a fifth of a second.
        public static let rendering = 20_000_000
    }

    public let name: String
    /// One sentence on when to use it; may be empty.
    public let summary: String
    public let tracks: [Track]
    public let parameterCurves: [ParameterCurve]
    /// Other patterns, which sound at the same time as the tracks.
    public let parts: [Part]
    /// How tracks and parts become one level.
    public let sum: LayerSum
    /// One after another; where there are any, there are no tracks, parts and curves.
    public let phases: [Phase]
    /// How it takes over from what the motor plays before it, where both glide.
    public let transition: Spring
    /// It calls for someone: it may take longer than other patterns, see `PatternLint`.
    public let isCall: Bool
    /// What it tells; nil: none of these.
    public let meaning: Meaning?
    /// It is to be seen: it may take longer than what is felt, and flashes no more often than `FlashBound` says.
    public let isForLights: Bool

    let score: Score

    /// What a pattern plays may be `tracks` and `parts`, or else `phases`.
    public init(
        name: String, summary: String = "", tracks: [Track] = [], parameterCurves: [ParameterCurve] = [], parts: [Part] = [],
        sum: LayerSum = .plain, phases: [Phase] = [], transition: Spring = .snappy, isCall: Bool = false,
        meaning: Meaning? = nil, isForLights: Bool = false
    ) throws(PatternError) {
        try Self.check(name: name)
        if phases.isEmpty {
            try Self.check(tracks, parts)
            try Self.check(parameterCurves)
        } else {
            guard tracks.isEmpty, parts.isEmpty, parameterCurves.isEmpty, sum == .plain else { throw .phasesAndLayers }
            try Self.check(phases)
        }
        self.name = name
        self.summary = summary
        self.tracks = tracks
        self.parameterCurves = parameterCurves
        self.parts = parts
        self.sum = sum
        self.phases = phases
        self.transition = transition
        self.isCall = isCall
        self.meaning = meaning
        self.isForLights = isForLights
        score = phases.isEmpty ? Score(tracks, parameterCurves, parts, sum) : Score(phases)
        guard duration > .zero else { throw .noDuration }
        guard duration <= Limit.duration else { throw .tooLong(duration) }
        guard renderingCost <= Limit.rendering else { throw .tooMuch }
    }

    /// From the start to the end of the last layer, silence at the end included, each phase once; more than 0.
    public var duration: Nanoseconds { score.duration }

    /// What it takes to make a `Timeline` of it, see `WorkBudget`.
    public var renderingCost: Int { score.cost }

    /// Keyframes, events and points of curves that it is made of, as often as each is played.
    package var entryCount: Int { score.entries }

    /// Some phase of it lasts until something ends it. What has none is felt as its `Timeline`.
    public var hasOpenPhases: Bool { phases.contains { $0.until != .end } }

    /// The level at `offset` from the start, each phase once; off before the start and from the end on.
    public func level(at offset: Nanoseconds) -> Level {
        guard offset >= .zero, offset < duration else { return .off }
        var cursor = Score.Cursor(score)
        return cursor.level(at: offset)
    }
}

extension Pattern {
    /// A layer that is written down in the pattern itself.
    public struct Track: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case keyframes([Keyframe])
            case events([HapticEvent])
        }

        public var content: Content
        /// Its intensities are multiplied by this.
        public var gain: Intensity

        public init(_ content: Content, gain: Intensity = .one) {
            self.content = content
            self.gain = gain
        }

        public static func keyframes(_ keyframes: [Keyframe], gain: Intensity = .one) -> Self {
            Self(.keyframes(keyframes), gain: gain)
        }

        public static func events(_ events: [HapticEvent], gain: Intensity = .one) -> Self { Self(.events(events), gain: gain) }
    }

    /// Another pattern as a layer of this one: a line of `compose`.
    public struct Part: Hashable, Sendable {
        public enum Start: Hashable, Sendable {
            /// From the start of the whole; 0 to `Limit.duration`.
            case at(Nanoseconds)
            /// From the end of the part before, its own silence and its repetitions included; of the first one from 0.
            case gap(Nanoseconds)
        }

        /// Without open phases.
        public var pattern: Pattern
        public var start: Start
        /// Its intensities are multiplied by this.
        public var intensity: Intensity
        /// In place of its own; nil: as it is.
        public var sharpness: Sharpness?
        /// How often it is played; 1 to `Limit.repetitions`.
        public var repetitions: Int
        /// From the start of one repetition to the next; more than 0 where there are several. They may overlap: then they add up.
        public var interval: Nanoseconds

        public init(
            _ pattern: Pattern, _ start: Start = .at(.zero), intensity: Intensity = .one, sharpness: Sharpness? = nil,
            repetitions: Int = 1, interval: Nanoseconds = .zero
        ) {
            self.pattern = pattern
            self.start = start
            self.intensity = intensity
            self.sharpness = sharpness
            self.repetitions = repetitions
            self.interval = interval
        }
    }

    /// One of the stretches of time that a pattern goes through.
    public struct Phase: Hashable, Sendable {
        public enum Until: String, Hashable, Sendable, CaseIterable, Codable {
            /// Its pattern is over.
            case end
            /// The `id` of the playback is released.
            case released
            /// The playback is cancelled with the mode `advance`.
            case advanced
        }

        /// One round, without open phases of its own. An open phase plays it over and over: each round begins where the one before
        /// ends. What ends in its own silence has that between the rounds; a level that is held to the end stays on.
        public var pattern: Pattern
        /// The pattern has a name of its own, by which this one uses it.
        public var isNamed: Bool
        public var until: Until
        /// An open phase ends after this at the latest; more than 0, at most `Limit.openPhase`.
        public var upTo: Nanoseconds

        public static let defaultUpTo = Nanoseconds.seconds(60)

        public init(_ pattern: Pattern, isNamed: Bool = true, until: Until = .end, upTo: Nanoseconds = Self.defaultUpTo) {
            self.pattern = pattern
            self.isNamed = isNamed
            self.until = until
            self.upTo = upTo
        }
    }
}
