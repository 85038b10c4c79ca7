// SPDX-License-Identifier: MIT
internal import HapticCore

/// A run as a device can play it by itself: a rise to the peak, the peak, a fall, all straight, at one sharpness.
struct EnvelopeShape: Hashable, Sendable {
    /// How far the shape may be from the run at any time, as a share of the run's peak: about the difference that one just feels.
    static let tolerance = 1.0 / 8
    /// How far the run's sharpness may be from the mean of it.
    static let sharpnessTolerance = 0.2
    /// The finest the ends of the lines are tried at.
    private static let leastStepMs = 5.0

    let peak: Double
    let sharpness: Sharpness
    let attackMs: UInt16
    let attackLevel: Double
    let fadeMs: UInt16
    let fadeLevel: Double
    let lengthMs: UInt16

    /// The shape that is nearest to `run`, or nil where none is near enough or the run is longer than an effect may be.
    /// Costs up to a few milliseconds for a long run.
    init?(_ run: Run) {
        guard run.length <= .milliseconds(Int64(FFEffect.longestMs)), run.length >= .milliseconds(1) else { return nil }
        guard let sharpness = Self.commonSharpness(of: run) else { return nil }
        let peak = run.peak.value
        let points = Self.points(of: run)
        guard let first = points.first(where: { $0.level == peak }), let last = points.last(where: { $0.level == peak }) else {
            return nil
        }
        let tolerance = peak * Self.tolerance
        guard points.allSatisfy({ $0.at < first.at || $0.at > last.at || peak - $0.level <= tolerance }) else { return nil }
        let step = max(Self.leastStepMs, run.length.inMilliseconds / 80)
        let rise = Self.rise(to: peak, step: step, end: first.at, points.filter { $0.at < first.at })
        let end = run.length.inMilliseconds
        let fall = Self.fall(from: peak, step: step, start: last.at, end: end, points.filter { $0.at > last.at })
        guard rise.error <= tolerance, fall.error <= tolerance else { return nil }
        self.peak = peak
        self.sharpness = sharpness
        // trap: the run is no longer than an effect, 2 s, and its rise is a part of it.
        attackMs = UInt16(rise.length.rounded())
        attackLevel = rise.level
        let length = max(1, fall.end.rounded())
        lengthMs = UInt16(length)
        // trap: at most `length`, which is a part of 2 s.
        fadeMs = UInt16(min(max(0, fall.end - last.at).rounded(), length))
        fadeLevel = fall.level
    }

    /// What is wanted at a time in milliseconds.
    private typealias Point = (at: Double, level: Double)

    /// The middle of each short frame, which is a sample of something that glides; both ends of a long one, which is a step.
    private static func points(of run: Run) -> [Point] {
        var points: [Point] = []
        for (frame, next) in zip(run.frames, run.frames.dropFirst()) {
            let (start, end) = (frame.offset.inMilliseconds, next.offset.inMilliseconds)
            let level = frame.level.intensity.value
            if end - start <= 10 {
                points.append(((start + end) / 2, level))
            } else {
                points += [(start, level), (end, level)]
            }
        }
        return points
    }

    /// The mean over time where no frame is far from it.
    private static func commonSharpness(of run: Run) -> Sharpness? {
        var sum = 0.0
        for (frame, next) in zip(run.frames, run.frames.dropFirst()) {
            sum += frame.level.sharpness.value * (next.offset - frame.offset).inMilliseconds
        }
        let mean = sum / run.length.inMilliseconds
        let isNear = run.frames.dropLast().allSatisfy { abs($0.level.sharpness.value - mean) <= sharpnessTolerance }
        return isNear ? Sharpness(clamping: mean) : nil
    }

    /// The line up to `peak` that is nearest to the points: its length and where it starts.
    private static func rise(
        to peak: Double, step: Double, end: Double, _ points: [Point]
    ) -> (error: Double, length: Double, level: Double) {
        var best = (error: Double.infinity, length: 0.0, level: 0.0)
        for length in stride(from: 0, through: end, by: step) {
            for level in levels(to: peak) {
                let error = points.reduce(0) { worst, point in
                    let shown = point.at < length ? level + (peak - level) * point.at / length : peak
                    return max(worst, abs(shown - point.level))
                }
                if error < best.error { best = (error, length, level) }
            }
        }
        return best
    }

    /// The line down from `peak` at `start` that is nearest to the points, and where it ends; after that it is off.
    private static func fall(
        from peak: Double, step: Double, start: Double, end: Double, _ points: [Point]
    ) -> (error: Double, end: Double, level: Double) {
        var best = (error: Double.infinity, end: end, level: 0.0)
        for stop in stride(from: end, through: start, by: -step) {
            for level in levels(to: peak) {
                let error = points.reduce(0) { worst, point in
                    let shown = point.at < stop ? peak + (level - peak) * (point.at - start) / (stop - start) : 0
                    return max(worst, abs(shown - point.level))
                }
                if error < best.error { best = (error, stop, level) }
            }
        }
        return best
    }

    private static func levels(to peak: Double) -> StrideThrough<Double> { stride(from: 0, through: peak, by: peak / 20) }
}
