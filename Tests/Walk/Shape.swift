// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What a pattern says, with an arithmetic of its own: the walk's oracle asks this, never what was rendered or planned from it.
///
/// Points of intensity over time, held or joined by a straight line; off from the last point on. All times in nanoseconds.
struct Shape: Sendable {
    struct Point: Sendable {
        var at: Int64
        /// 0, or enough to be felt.
        var value: Double
        /// What it comes to at the next point, straight from here; nil: it is held.
        var reaches: Double?
    }

    let name: String
    let points: [Point]

    /// The length, silence at the end included.
    var length: Int64 { points[points.count - 1].at }
    /// Glides are played in frames of 5 ms: what one rises to after its last frame is not felt.
    var peak: Double {
        points.indices.dropLast().reduce(0) { peak, index in
            let (start, frame) = (points[index].at, 5_000_000 as Int64)
            let last = start + (points[index + 1].at - 1 - start) / frame * frame
            return max(peak, points[index].value, value(in: index, at: last))
        }
    }
    var glides: Bool { points.contains { $0.reaches != nil } }
    /// What takes its place, or whose place it takes, may go on from one to the other: steps that are as close as samples of a glide
    /// count as one.
    var mayGlide: Bool {
        glides || zip(points, points.dropFirst()).contains { $0.value > 0 && $1.value > 0 && $1.at - $0.at <= 5_000_000 }
    }
    /// From here on nothing is felt.
    var felt: Int64 {
        guard let last = points.dropLast().lastIndex(where: { $0.value > 0 }) else { return 0 }
        return points[last + 1].at
    }

    /// The same for the engine, as keyframes: what glides reaches the next point.
    var pattern: Pattern {
        let keyframes = points.indices.map { index in
            Keyframe(
                at: Nanoseconds(points[index].at), intensity: Intensity(points[index].value)!, sharpness: Sharpness(0.5)!,
                curve: index > 0 && points[index - 1].reaches != nil ? .linear : .step)
        }
        // A pattern that its author made cannot be wrong here: times ascend, and there are at least two of them.
        return try! Pattern(name: name, tracks: [.keyframes(keyframes)])
    }

    func value(at offset: Int64) -> Double {
        guard offset >= points[0].at, offset < length else { return 0 }
        let index = self.index(of: offset)
        return value(in: index, at: offset)
    }

    /// What it came to just before `offset`.
    func value(before offset: Int64) -> Double {
        guard offset > points[0].at, offset <= length else { return 0 }
        return value(in: index(of: offset - 1), at: offset)
    }

    /// The end of what is felt of it before `offset`; nil where that is nothing.
    func felt(before offset: Int64) -> Int64? {
        guard let last = points.dropLast().lastIndex(where: { $0.value > 0 && $0.at < offset }) else { return nil }
        return min(offset, points[last + 1].at)
    }

    /// The least and the greatest value in `first`…`last`.
    func range(_ first: Int64, _ last: Int64) -> (low: Double, high: Double) {
        var (low, high) = (value(at: first), value(at: first))
        func take(_ value: Double) { (low, high) = (min(low, value), max(high, value)) }
        take(value(at: last))
        for index in points.indices where points[index].at > first && points[index].at <= last {
            take(value(at: points[index].at))
            if index > 0 { take(value(in: index - 1, at: points[index].at)) }
        }
        return (low, high)
    }

    /// The last instant up to `offset` at which it was below `threshold`; nil where it has not been since its start.
    func lastBelow(_ threshold: Double, upTo offset: Int64) -> Int64? {
        guard offset < length else { return offset }
        for index in stride(from: self.index(of: offset), through: 0, by: -1) {
            let end = min(offset, points[index + 1].at)
            let (from, to) = (points[index].value, value(in: index, at: end))
            if to < threshold { return end }
            guard from < threshold else { continue }
            return points[index].at + Int64(Double(end - points[index].at) * (threshold - from) / (to - from))
        }
        return nil
    }

    private func index(of offset: Int64) -> Int {
        // The points are few, or far apart.
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].at <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// On the stretch from the point at `index` on.
    private func value(in index: Int, at offset: Int64) -> Double {
        let (a, b) = (points[index], points[index + 1])
        guard let end = a.reaches else { return a.value }
        return a.value + (end - a.value) * Double(offset - a.at) / Double(b.at - a.at)
    }
}

extension Shape {
    /// A rectangle.
    static func pulse(_ name: String, _ length: Int64, _ value: Double) -> Shape {
        Shape(name: name, points: [Point(at: 0, value: value), Point(at: length * 1_000_000, value: 0)])
    }

    /// Steps, ramps, holds and silence, in a length and a density that are drawn too; felt at least once.
    static func random(_ name: String, using random: inout some RandomNumberGenerator) -> Shape {
        let longest = [2, 1_000_000, 40_000_000, 400_000_000, 3_000_000_000].randomElement(using: &random)! as Int64
        let count = Int.random(in: 1...[3, 8, 40].randomElement(using: &random)!, using: &random)
        var points: [Point] = []
        var at = Int64.random(in: 0...3, using: &random) > 0 ? 0 : Int64.random(in: 0...longest, using: &random)
        for index in 0..<count {
            let isOff = index > 0 && Int.random(in: 0..<4, using: &random) == 0
            points.append(Point(at: at, value: isOff ? 0 : Double.random(in: 0.05...1, using: &random)))
            at += Int64.random(in: 1...longest, using: &random)
        }
        points.append(Point(at: at, value: 0))
        let mayGlide = Bool.random(using: &random)
        // Only between two points that are felt, and to one that is reached.
        for index in points.indices.dropLast(2) where mayGlide && points[index].value > 0 && points[index + 1].value > 0 {
            if Bool.random(using: &random) { points[index].reaches = points[index + 1].value }
        }
        return Shape(name: name, points: points)
    }
}
