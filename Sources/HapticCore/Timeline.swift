// SPDX-License-Identifier: MIT

/// A pattern rendered to frames: the level holds from one frame to the next.
///
/// Changes where the pattern jumps are exact; where it glides it is sampled once per frame interval. The first frame is on
/// or later than 0, equal levels do not follow each other, and the last frame is off.
public struct Timeline: Hashable, Sendable {
    public struct Frame: Hashable, Sendable {
        /// From the start of the pattern.
        public var offset: Nanoseconds
        public var level: Level

        @inlinable public init(offset: Nanoseconds, level: Level) {
            self.offset = offset
            self.level = level
        }
    }

    /// Below this an intensity is not distinguished from off by any motor; it is rendered as off.
    public static let leastIntensity = 0.002

    public let frames: [Frame]
    /// The pattern's whole length, silence at the end included.
    public let duration: Nanoseconds
    /// The offset of the last frame: from here on nothing is felt.
    public let felt: Nanoseconds
    /// The greatest intensity of all frames.
    public let peak: Intensity

    /// Renders `pattern` with a frame every `Schedule.frameInterval` where it glides.
    ///
    /// At most one frame for each end of a stretch and one for each interval of the duration, however many tracks and events
    /// glide at once; each costs the events that sound at it. What it takes in all is `pattern.renderingCost`.
    public init(_ pattern: Pattern) {
        var frames: [Frame] = []
        var last = Level.off
        var cursor = Pattern.Cursor(pattern)
        pattern.schedule.forEachOffset { offset in
            var level = offset < pattern.duration ? cursor.level(at: offset) : .off
            if level.intensity.value < Self.leastIntensity { level = .off }
            guard level != last else { return }
            frames.append(Frame(offset: offset, level: level))
            last = level
        }
        self.init(frames: frames, duration: pattern.duration)
    }

    private init(frames: [Frame], duration: Nanoseconds) {
        self.frames = frames
        self.duration = duration
        felt = frames.last?.offset ?? .zero
        peak = frames.reduce(.zero) { max($0, $1.level.intensity) }
    }
}

extension Timeline: Codable {
    private enum CodingKeys: CodingKey { case duration, frames }

    /// Fails where the frames are not as those of a pattern are.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let duration = try container.decode(Nanoseconds.self, forKey: .duration)
        let frames = try container.decode([Frame].self, forKey: .frames)
        let follows = zip(frames, frames.dropFirst()).allSatisfy { $0.offset < $1.offset && $0.level != $1.level }
        let range = Nanoseconds.zero...Pattern.Limit.duration
        guard follows, range.contains(duration), frames.allSatisfy({ range.contains($0.offset) }),
            frames.first?.level.isOn != false, frames.last?.level.isOn != true
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .frames, in: container, debugDescription: "no pattern has these frames")
        }
        self.init(frames: frames, duration: duration)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(duration, forKey: .duration)
        try container.encode(frames, forKey: .frames)
    }
}

extension Timeline.Frame: Codable {
    /// A list, for there are many of them: offset, intensity, sharpness.
    public init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        try self.init(
            offset: items.decode(Nanoseconds.self),
            level: Level(intensity: items.decode(Intensity.self), sharpness: items.decode(Sharpness.self)))
    }

    public func encode(to encoder: any Encoder) throws {
        var items = encoder.unkeyedContainer()
        try items.encode(offset)
        try items.encode(level.intensity)
        try items.encode(level.sharpness)
    }
}
