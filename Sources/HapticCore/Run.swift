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
    /// The runs of this timeline, in order.
    public var runs: [Run] {
        runStarts.map { start in
            let end = frames[start...].firstIndex { !$0.level.isOn } ?? frames.count - 1
            return Run(
                frames: frames[start...end].map { Frame(offset: $0.offset - frames[start].offset, level: $0.level) })
        }
    }

    /// The indices of the frames that begin a run, ascending.
    public var runStarts: [Int] {
        frames.indices.filter { frames[$0].level.isOn && ($0 == 0 || !frames[$0 - 1].level.isOn) }
    }
}
