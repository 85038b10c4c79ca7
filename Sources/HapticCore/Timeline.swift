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
    /// How often a gliding level is sampled.
    @inlinable public static var frameInterval: Nanoseconds { .milliseconds(5) }
    /// The longest that any pattern takes.
    public static let longest = Nanoseconds.seconds(60)

    public let frames: [Frame]
    /// The pattern's whole length, silence at the end included.
    public let duration: Nanoseconds
    /// The offset of the last frame: from here on nothing is felt.
    public let felt: Nanoseconds
    /// The greatest intensity of all frames.
    public let peak: Intensity

    /// `frames` are as above, and none is later than `longest`.
    package init(frames: [Frame], duration: Nanoseconds) {
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
        let range = Nanoseconds.zero...Self.longest
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
