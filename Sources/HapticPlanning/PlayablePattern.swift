// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns

/// A pattern with its frames: what a playback needs of it.
///
/// Never changes; a class, so that an input that names one costs no more to hand on than one that does not.
public final class PlayablePattern: Sendable {
    /// One of the stretches of time of a pattern with open phases.
    public struct Phase: Hashable, Sendable {
        /// One round of it.
        public let pattern: PlayablePattern
        public let until: Pattern.Phase.Until
        /// An open phase ends after this at the latest.
        public let upTo: Nanoseconds

        public init(_ pattern: PlayablePattern, until: Pattern.Phase.Until, upTo: Nanoseconds) {
            self.pattern = pattern
            self.until = until
            self.upTo = upTo
        }
    }

    public let name: String
    /// Of a pattern with open phases each phase once.
    public let timeline: Timeline
    /// Through this it goes on from what is felt before it, where both glide.
    public let transition: Spring
    /// Empty where none of them is open: then the timeline is all there is.
    public let phases: [Phase]
    /// What it tells; nil: nothing that a profile keeps.
    public let meaning: Meaning?
    /// When a light that shows it once flashes; nil: some phase of it is open, so it may flash at any time.
    package let flashes: [Nanoseconds]?
    /// The index of its first run among those of the configuration; nil where it is in none.
    let firstRun: Int?
    /// Its runs, in order of time.
    let passages: [Passage]
    private let runStarts: [Int]

    /// It is in no configuration: a client has sent it.
    package var isInline: Bool { firstRun == nil }

    public convenience init(
        name: String, timeline: Timeline, transition: Spring = .snappy, phases: [Phase] = [], meaning: Meaning? = nil
    ) {
        self.init(name: name, timeline: timeline, transition: transition, phases: phases, meaning: meaning, firstRun: nil)
    }

    public convenience init(_ pattern: Pattern) {
        let phases = pattern.phases.map { Phase(PlayablePattern($0.pattern), until: $0.until, upTo: $0.upTo) }
        self.init(
            name: pattern.name, timeline: Timeline(pattern), transition: pattern.transition,
            phases: pattern.hasOpenPhases ? phases : [], meaning: pattern.meaning)
    }

    /// What it takes to make one, see `WorkBudget`.
    public static func renderingCost(of pattern: Pattern) -> Int {
        pattern.hasOpenPhases ? 2 * pattern.renderingCost : pattern.renderingCost
    }

    private init(
        name: String, timeline: Timeline, transition: Spring, phases: [Phase], meaning: Meaning?, firstRun: Int?
    ) {
        self.name = name
        self.timeline = timeline
        self.transition = transition
        self.phases = phases
        self.meaning = meaning
        flashes = phases.isEmpty ? timeline.flashes : nil
        self.firstRun = firstRun
        let starts = timeline.runStarts
        runStarts = starts
        let frames = timeline.frames
        passages = starts.enumerated().map { number, start in
            let end = number + 1 < starts.count ? starts[number + 1] : frames.count
            return Passage(frames[start..<end])
        }
    }

    /// The same in a configuration that has so many runs before its own.
    package func numbered(from firstRun: Int) -> PlayablePattern {
        PlayablePattern(
            name: name, timeline: timeline, transition: transition, phases: phases, meaning: meaning, firstRun: firstRun)
    }

    /// The run that begins with this frame.
    func run(at frame: Int) -> RunIndex? {
        guard let firstRun else { return nil }
        let number = runStarts.countOfPrefix { $0 < frame }
        return number < runStarts.count && runStarts[number] == frame ? RunIndex(firstRun + number) : nil
    }

    /// The run that is felt at `offset` from the start.
    func passage(at offset: Nanoseconds) -> Passage? {
        let begun = passages.countOfPrefix { $0.start <= offset }
        guard begun > 0, offset < passages[begun - 1].end else { return nil }
        return passages[begun - 1]
    }
}

extension PlayablePattern: Codable {
    private enum CodingKeys: CodingKey { case name, timeline, transition, phases, meaning }

    /// One of the configuration in force is written as its name; it is looked up among `userInfo[.patterns]`.
    public convenience init(from decoder: any Decoder) throws {
        let named = try? decoder.singleValueContainer().decode(String.self)
        let known = decoder.userInfo[.patterns] as? [Text: PlayablePattern]
        if let named, let pattern = known?[Text(named)] {
            self.init(
                name: pattern.name, timeline: pattern.timeline, transition: pattern.transition, phases: pattern.phases,
                meaning: pattern.meaning, firstRun: pattern.firstRun)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            try self.init(
                name: container.decode(String.self, forKey: .name), timeline: container.decode(Timeline.self, forKey: .timeline),
                transition: container.decodeIfPresent(Spring.self, forKey: .transition) ?? .snappy,
                phases: container.decodeIfPresent([Phase].self, forKey: .phases) ?? [],
                meaning: container.decodeIfPresent(Meaning.self, forKey: .meaning))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if firstRun != nil {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        } else {
            try encodeWhole(to: encoder)
        }
    }

    /// With all that it is, also where it is one of the configuration's.
    package func encodeWhole(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(timeline, forKey: .timeline)
        if transition != .snappy { try container.encode(transition, forKey: .transition) }
        if !phases.isEmpty { try container.encode(phases, forKey: .phases) }
        try container.encodeIfPresent(meaning, forKey: .meaning)
    }
}

extension PlayablePattern.Phase: Codable {
    private enum CodingKeys: CodingKey { case pattern, until, upTo }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            container.decode(PlayablePattern.self, forKey: .pattern),
            until: container.decode(Pattern.Phase.Until.self, forKey: .until),
            upTo: container.decode(Nanoseconds.self, forKey: .upTo))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pattern, forKey: .pattern)
        try container.encode(until, forKey: .until)
        try container.encode(upTo, forKey: .upTo)
    }
}

extension CodingUserInfoKey {
    /// `[Text: PlayablePattern]`: those of the configuration in force.
    // trap: any text is a key.
    public static let patterns = CodingUserInfoKey(rawValue: "patterns")!
}

extension PlayablePattern: Hashable {
    public static func == (a: PlayablePattern, b: PlayablePattern) -> Bool {
        a === b
            || (a.name == b.name && a.timeline == b.timeline && a.firstRun == b.firstRun && a.transition == b.transition
                && a.phases == b.phases && a.meaning == b.meaning)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
