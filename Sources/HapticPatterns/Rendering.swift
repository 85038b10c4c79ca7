// SPDX-License-Identifier: MIT
public import HapticCore

extension Timeline {
    /// Renders `pattern` with a frame every `Schedule.frameInterval` where it glides.
    ///
    /// At most one frame for each end of a stretch and one for each interval of the duration, however many tracks and events
    /// glide at once; each costs the events that sound at it. Of a pattern with phases it has each phase once. What it takes in all is `pattern.renderingCost`.
    public init(_ pattern: Pattern) {
        var frames: [Frame] = []
        var last = Level.off
        var cursor = Score.Cursor(pattern.score)
        pattern.score.forEachOffset { offset in
            var level = offset < pattern.duration ? cursor.level(at: offset) : .off
            if level.intensity.value < Self.leastIntensity { level = .off }
            guard level != last else { return }
            frames.append(Frame(offset: offset, level: level))
            last = level
        }
        self.init(frames: frames, duration: pattern.duration)
    }
}
