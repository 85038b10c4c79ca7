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

    /// Below this an intensity is not told from off by any motor; it is rendered as off.
    public static let leastIntensity = 0.002

    public let frames: [Frame]
    /// The pattern's whole length, silence at the end included.
    public let duration: Nanoseconds
    /// The offset of the last frame: from here on nothing is felt.
    public let felt: Nanoseconds
    /// The greatest intensity of all frames.
    public let peak: Intensity

    /// Renders `pattern` with a frame every `frameInterval` (more than 0) where it glides. O(stretches · tracks).
    public init(_ pattern: Pattern, frameInterval: Nanoseconds = .milliseconds(5)) {
        var gliding: [(start: Nanoseconds, end: Nanoseconds)] = []
        var offsets: Set<Nanoseconds> = [.zero, pattern.duration]
        pattern.forEachStretch { start, end, isConstant in
            offsets.insert(start)
            offsets.insert(end)
            if !isConstant { gliding.append((start, end)) }
        }
        for stretch in gliding {
            var offset = stretch.start + frameInterval
            while offset < stretch.end {
                offsets.insert(offset)
                offset += frameInterval
            }
        }
        var frames: [Frame] = []
        var last = Level.off
        for offset in offsets.sorted() where offset <= pattern.duration {
            var level = offset < pattern.duration ? pattern.level(at: offset) : .off
            if level.intensity.value < Self.leastIntensity { level = .off }
            guard level != last else { continue }
            frames.append(Frame(offset: offset, level: level))
            last = level
        }
        self.frames = frames
        duration = pattern.duration
        felt = frames.last?.offset ?? .zero
        peak = frames.reduce(.zero) { max($0, $1.level.intensity) }
    }
}
