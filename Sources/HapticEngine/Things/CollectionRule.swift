// SPDX-License-Identifier: MIT
public import HapticCore

/// What is felt where things come and go.
public struct ThingPatterns: Hashable, Sendable, Codable {
    /// Names in `EngineConfiguration.patterns`; nil: nothing is felt of it.
    public var inserted: String?
    public var removed: String?
    /// Where some come and some go at once.
    public var both: String?

    public init(inserted: String? = nil, removed: String? = nil, both: String? = nil) {
        self.inserted = inserted
        self.removed = removed
        self.both = both
    }

    /// All that it names.
    public var names: [String] { [inserted, removed, both].compactMap(\.self) }

    func pattern(inserted: Int, removed: Int) -> String? {
        switch (inserted > 0, removed > 0) {
        case (true, true): both
        case (true, false): self.inserted
        case (false, true): self.removed
        case (false, false): nil
        }
    }
}

/// Maps a change of a set of things to feedback.
public struct CollectionRule: Hashable, Sendable, Codable {
    /// Matched against the set's name.
    public var match: Glob
    public var patterns: ThingPatterns
    /// Its pattern is not used.
    public var feedback: RuleFeedback
    /// From one step of the rhythm to the next where several things come or go, but for a pattern that needs longer; above 0.
    public var interval: Nanoseconds

    public static let standardInterval = Nanoseconds.milliseconds(60)

    public init(
        match: Glob, patterns: ThingPatterns, feedback: RuleFeedback, interval: Nanoseconds = Self.standardInterval
    ) {
        self.match = match
        self.patterns = patterns
        self.feedback = feedback
        self.interval = interval
    }
}

/// The things of a set that exist now, or a part of them.
public struct PresentInput: Hashable, Sendable, Codable {
    public var name: String
    public var ids: [Text]
    /// The set goes on in another input of the same connection.
    public var continues: Bool
    /// What the same connection has said of a set since its input before this one, and was refused before it could be an input.
    public var gap: PresentGap?

    public init(name: String, ids: [Text], continues: Bool = false, gap: PresentGap? = nil) {
        self.name = name
        self.ids = ids
        self.continues = continues
        self.gap = gap
    }
}

/// A part of a set that was refused before it could be an input, or may have been in a line that could not be read. Its client does not
/// know, so the set is not taken without it.
public struct PresentGap: Hashable, Sendable, Codable {
    /// Why it was refused.
    public var reason: Reason
    /// Of the set; nil: nobody knows.
    public var name: String?
    /// Whether the set went on; nil: nobody knows.
    public var continues: Bool?

    public init(reason: Reason, name: String?, continues: Bool?) {
        self.reason = reason
        self.name = name
        self.continues = continues
    }
}
