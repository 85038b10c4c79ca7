// SPDX-License-Identifier: MIT

/// What of a pattern is felt in one go: from an on to the next off. What a device that can play by itself is given.
public struct Run: Hashable, Sendable {
    /// Their offsets are from the start of the run: the first is on and at 0, the last is off.
    public let frames: [Timeline.Frame]

    /// From on to off.
    public var length: Nanoseconds { frames[frames.count - 1].offset }
    /// The greatest intensity of all frames.
    public var peak: Intensity { frames.reduce(.zero) { max($0, $1.level.intensity) } }
}

/// A run by its index in the list of all runs of the configuration in force.
public struct RunIndex: Hashable, Sendable {
    public let value: Int

    @inlinable public init(_ value: Int) { self.value = value }
}

extension Timeline {
    /// What is felt without a pause, in order: the frames that are on, and the one that is off after them.
    public var beats: [ArraySlice<Frame>] { Self.beats(of: frames) }

    /// The same of `frames` whose times ascend; what is not off again at their end is none.
    public static func beats(of frames: [Frame]) -> [ArraySlice<Frame>] {
        var beats: [ArraySlice<Frame>] = []
        var begin: Int?
        for (index, frame) in frames.enumerated() {
            if frame.level.isOn {
                begin = begin ?? index
            } else if let start = begin {
                beats.append(frames[start...index])
                begin = nil
            }
        }
        return beats
    }

    /// The runs of this timeline, in order: its beats, each by its own time.
    public var runs: [Run] {
        beats.map { beat in
            let start = beat[beat.startIndex].offset
            return Run(frames: beat.map { Frame(offset: $0.offset - start, level: $0.level) })
        }
    }

    /// The indices of the frames that begin a run, ascending.
    public var runStarts: [Int] { beats.map(\.startIndex) }
}
