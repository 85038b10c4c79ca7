// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns

/// A value over time, in straight lines from point to point. Two points at one instant are a step.
struct Envelope {
    struct Point: Hashable {
        var at: Nanoseconds
        var value: Double
    }

    /// Not empty; times never fall. Before the first and after the last the value stays.
    let points: [Point]

    /// Goes through an envelope forward in time.
    struct Cursor {
        private let points: [Point]
        /// Of the first point that is not before the last `at`.
        private var next = 0

        init(_ envelope: Envelope) { points = envelope.points }

        /// The values just before `at` and at it; `at` is not before the one before.
        mutating func sides(at: Nanoseconds) -> (before: Double, after: Double) {
            while next < points.count, points[next].at < at { next += 1 }
            guard next < points.count else { return (points[next - 1].value, points[next - 1].value) }
            if points[next].at == at {
                var last = next
                while last + 1 < points.count, points[last + 1].at == at { last += 1 }
                return (points[next].value, points[last].value)
            }
            guard next > 0 else { return (points[0].value, points[0].value) }
            let (a, b) = (points[next - 1], points[next])
            let value = a.value + (b.value - a.value) * Double((at - a.at).count) / Double((b.at - a.at).count)
            return (value, value)
        }
    }
}

/// A point of an intensity and a sharpness over time, both 0…1, and how they get there. Two points at one instant are a step.
struct LevelPoint: Hashable {
    var at: Nanoseconds
    var intensity: Double
    var sharpness: Double
    var curve = Easing.linear

    func isAsStrong(as other: Self) -> Bool { intensity == other.intensity && sharpness == other.sharpness }

    fileprivate func keyframe(at: Nanoseconds, curve: Easing) -> Keyframe {
        Keyframe(at: at, intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness), curve: curve)
    }
}

extension [LevelPoint] {
    /// Where either of two envelopes bends, from the first to the last point of `intensity`. O(points).
    init(intensity: Envelope, sharpness: Envelope) {
        let (first, last) = (intensity.points[0].at, intensity.points[intensity.points.count - 1].at)
        let others = sharpness.points.lazy.map(\.at).filter { $0 > first && $0 < last }
        var (intensities, sharpnesses) = (Envelope.Cursor(intensity), Envelope.Cursor(sharpness))
        self = []
        var before: Nanoseconds?
        for at in (intensity.points.map(\.at) + others).sorted() where at != before {
            before = at
            let (intensity, sharpness) = (intensities.sides(at: at), sharpnesses.sides(at: at))
            append(LevelPoint(at: at, intensity: intensity.before, sharpness: sharpness.before))
            guard intensity.before != intensity.after || sharpness.before != sharpness.after else { continue }
            append(LevelPoint(at: at, intensity: intensity.after, sharpness: sharpness.after))
        }
    }

    /// Appends points that begin where these end, or later; between them is silence. `next` is not empty.
    mutating func append(later next: Self) {
        if var last, last.at < next[0].at {
            (last.intensity, last.curve) = (0, .linear)
            append(last)
            last.at = next[0].at
            append(last)
        }
        self += next
    }

    /// The same as keyframes, each of which is later than the one before: where a value has glided up to a step, it gets to the step's
    /// lower end a nanosecond before.
    var keyframes: [Keyframe] {
        let nanosecond = Nanoseconds(1)
        var keyframes: [Keyframe] = []
        var (start, before) = (0, LevelPoint?.none)
        while start < count {
            let at = self[start].at
            var end = start
            while end + 1 < count, self[end + 1].at == at { end += 1 }
            let (from, to) = (self[start], self[end])
            if from.isAsStrong(as: to) {
                keyframes.append(to.keyframe(at: at, curve: from.curve))
            } else if let before, let last = keyframes.last {
                if !before.isAsStrong(as: from), last.at < at - nanosecond {
                    keyframes.append(from.keyframe(at: at - nanosecond, curve: from.curve))
                }
                keyframes.append(to.keyframe(at: at, curve: .step))
            } else {
                keyframes.append(to.keyframe(at: at, curve: .linear))
            }
            before = to
            start = end + 1
        }
        return keyframes
    }

    /// The points of keyframes whose curves are `linear` or `step`.
    init(_ keyframes: [Keyframe]) {
        self = []
        for keyframe in keyframes {
            let point = LevelPoint(at: keyframe.at, intensity: keyframe.intensity.value, sharpness: keyframe.sharpness.value)
            if keyframe.curve == .step, var before = last, !before.isAsStrong(as: point) {
                // The lower end of a step that is glided up to, see `keyframes`.
                if count > 1, keyframe.at - before.at == Nanoseconds(1) { removeLast() }
                before.at = keyframe.at
                append(before)
            }
            append(point)
        }
    }
}

extension [Pattern.Track] {
    /// Tracks of `keyframes` and `events`; of more than a track holds, several, each of which begins where the one before ends.
    init(keyframes: [Keyframe], events: [HapticEvent]) {
        let most = Pattern.Limit.entriesPerTrack
        self = stride(from: 0, to: keyframes.count - 1, by: most - 1).map { start in
            .keyframes(keyframes[start..<Swift.min(start + most, keyframes.count)].map { $0 })
        }
        self += stride(from: 0, to: events.count, by: most).map { start in
            .events(events[start..<Swift.min(start + most, events.count)].map { $0 })
        }
    }
}
