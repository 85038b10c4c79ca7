// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns

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

    /// It is in no configuration: a client has sent it.
    var isInline: Bool { firstRun == nil }

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
