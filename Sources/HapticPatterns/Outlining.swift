// SPDX-License-Identifier: MIT
public import HapticCore

extension Outline {
    /// Of each of so many equal parts of a long pattern four points are kept.
    private static let parts = mostPoints / 4

    /// Of the frames: a glide is a line through them, everything else a jump, also where one is in the midst of a glide. Times are rounded to a microsecond, levels to a
    /// thousandth.
    ///
    /// Where there are too many points, each part of the time keeps the first, the weakest, the strongest and the last of its own,
    /// so that what is left looks the same at any width that a picture has. O(frames).
    public init(_ timeline: Timeline) {
        var points: [Point] = []
        var last = Timeline.Frame(offset: .zero, level: .off)
        func add(_ offset: Nanoseconds, _ level: Level) {
            let point = Point(offset: Self.rounded(offset), level: Self.rounded(level))
            if points.last != point { points.append(point) }
        }
        add(.zero, .off)
        let frames = timeline.frames
        var (slope, next) = (Slope?.none, Slope?.none)
        for (index, frame) in frames.enumerated() {
            let before = slope
            slope = index == 0 ? nil : next
            next = index + 1 < frames.count ? Slope(from: frame, to: frames[index + 1]) : nil
            if slope?.isJump(between: before, next) ?? true { add(frame.offset, last.level) }
            add(frame.offset, frame.level)
            last = frame
        }
        add(timeline.duration, last.level)
        // trap: frames ascend within the time that a pattern may take, and so do their points; `thinned` leaves few enough.
        self = Outline(points: Self.thinned(points, timeline.duration))!
    }

    /// How fast the level changes from one frame to the next, where both may be of a glide.
    private struct Slope {
        /// What is below this is drawn alike.
        private static let leastJump = 0.02
        /// So many times as much as on either side of it is no part of a glide: these are smooth, or begin and end.
        private static let jump = 3.0

        /// Of the intensity and of the sharpness, per second.
        let rates: (Double, Double)
        let time: Double

        init?(from last: Timeline.Frame, to frame: Timeline.Frame) {
            let time = frame.offset - last.offset
            guard last.level.isOn, frame.level.isOn, time <= Schedule.frameInterval else { return nil }
            self.time = time.inSeconds
            rates = (
                abs(frame.level.intensity.value - last.level.intensity.value) / self.time,
                abs(frame.level.sharpness.value - last.level.sharpness.value) / self.time
            )
        }

        /// Whether this is a jump within a glide, whose slopes before and after it are given.
        func isJump(between before: Slope?, _ after: Slope?) -> Bool {
            if before == nil, after == nil { return false }
            func isJump(_ rate: Double, _ before: Double?, _ after: Double?) -> Bool {
                rate * time > Self.leastJump && rate > Self.jump * max(before ?? 0, after ?? 0)
            }
            return isJump(rates.0, before?.rates.0, after?.rates.0) || isJump(rates.1, before?.rates.1, after?.rates.1)
        }
    }

    /// What it takes to make one of `timeline` and to write it, see `WorkBudget`.
    public static func cost(of timeline: Timeline) -> Int {
        let frames = timeline.frames.count
        return frames * WorkBudget.Cost.outlinedFrame + min(2 * frames + 2, mostPoints) * WorkBudget.Cost.outlinePoint
    }

    private static func rounded(_ offset: Nanoseconds) -> Nanoseconds { Nanoseconds((offset.count + 500) / 1000 * 1000) }

    private static func rounded(_ level: Level) -> Level {
        func thousandth(_ share: Double) -> Double { (share * 1000).rounded() / 1000 }
        return Level(
            intensity: Intensity(clamping: thousandth(level.intensity.value)),
            sharpness: Sharpness(clamping: thousandth(level.sharpness.value)))
    }

    private static func thinned(_ points: [Point], _ duration: Nanoseconds) -> [Point] {
        guard points.count > mostPoints else { return points }
        var kept: [Point] = []
        var begin = 0
        for part in 1...parts {
            let limit = duration.scaled(by: Double(part) / Double(parts))
            var end = begin
            while end < points.count, part == parts || points[end].offset < limit { end += 1 }
            kept += extremes(points[begin..<end])
            begin = end
        }
        return kept
    }

    private static func extremes(_ points: ArraySlice<Point>) -> [Point] {
        guard points.count > 4 else { return Array(points) }
        func isWeaker(_ a: Int, _ b: Int) -> Bool { points[a].level.intensity < points[b].level.intensity }
        // trap: there are more than four.
        let (weakest, strongest) = (points.indices.min(by: isWeaker)!, points.indices.max(by: isWeaker)!)
        return Set([points.startIndex, weakest, strongest, points.endIndex - 1]).sorted().map { points[$0] }
    }
}
