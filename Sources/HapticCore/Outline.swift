// SPDX-License-Identifier: MIT

/// What a pattern is meant to feel like, as few points: enough for a picture, too little to play.
///
/// It goes straight from each point to the next one; two points at one instant are a jump.
public struct Outline: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        /// From the start of the pattern.
        public var offset: Nanoseconds
        public var level: Level

        public init(offset: Nanoseconds, level: Level) {
            self.offset = offset
            self.level = level
        }
    }

    public static let mostPoints = 512

    public let points: [Point]

    /// Nil where there are more than `mostPoints`, where one is before the one before, or where one is not in the time that a
    /// pattern may take.
    public init?(points: [Point]) {
        let ascends = zip(points, points.dropFirst()).allSatisfy { $0.offset <= $1.offset }
        let range = Nanoseconds.zero...Timeline.longest
        guard points.count <= Self.mostPoints, ascends, points.allSatisfy({ range.contains($0.offset) }) else { return nil }
        self.points = points
    }
}

extension Outline: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let outline = Outline(points: try container.decode([Point].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no pattern has these points")
        }
        self = outline
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(points)
    }
}

extension Outline.Point: Codable {
    /// A list, as there are many of them: milliseconds, intensity, sharpness.
    public init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        let milliseconds = try items.decode(Double.self)
        guard let offset = Nanoseconds(seconds: milliseconds / 1000) else {
            throw DecodingError.dataCorruptedError(in: items, debugDescription: "no pattern has a point at \(milliseconds) ms")
        }
        try self.init(
            offset: offset, level: Level(intensity: items.decode(Intensity.self), sharpness: items.decode(Sharpness.self)))
    }

    public func encode(to encoder: any Encoder) throws {
        var items = encoder.unkeyedContainer()
        try items.encode(offset.inMilliseconds)
        try items.encode(level.intensity)
        try items.encode(level.sharpness)
    }
}
