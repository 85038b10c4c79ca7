// SPDX-License-Identifier: MIT
public import HapticCore

/// How near what is felt comes to what was intended, over a whole shape.
public struct SustainedMeasure: Hashable, Sendable {
    /// The longest lag that is looked for, in samples.
    static let longestLag = 150
    /// What is at most this far off feels the same: the just noticeable difference of amplitude is 13–20 %.
    static let tolerance = 0.2

    /// The root of the mean square of felt − intended, as a share of that of the intended; both smoothed. 0 is perfect, 1 is as good as nothing.
    public let error: Double
    /// How far what is felt lags behind where the two fit best; 0…150 ms.
    public let lag: Nanoseconds
    /// The error at that lag.
    public let errorAtLag: Double
    /// The share of the time in which something is intended and what is felt is within ±20 % of it; 0…1.
    public let within: Double

    /// The error alone, as `error`; the curves are of one length.
    public static func error(intended: SampledEnvelope, felt: SampledEnvelope) -> Double {
        error(wanted: intended.smoothed.samples, real: felt.smoothed.samples, lag: 0)
    }

    private static func error(wanted: [Double], real: [Double], lag: Int) -> Double {
        var (sum, power) = (0.0, 0.0)
        for index in wanted.indices {
            let late = index + lag < real.count ? real[index + lag] : 0
            sum += (late - wanted[index]) * (late - wanted[index])
            power += wanted[index] * wanted[index]
        }
        return power > 0 ? (sum / power).squareRoot() : 0
    }

    /// The curves are of one length.
    public init(intended: SampledEnvelope, felt: SampledEnvelope) {
        let (wanted, real) = (intended.smoothed.samples, felt.smoothed.samples)
        error = Self.error(wanted: wanted, real: real, lag: 0)
        var best = (lag: 0, error: error)
        for lag in 1...Self.longestLag {
            let error = Self.error(wanted: wanted, real: real, lag: lag)
            if error < best.error { best = (lag, error) }
        }
        (lag, errorAtLag) = (SampledEnvelope.interval * best.lag, best.error)
        let pairs = zip(wanted, real).filter { $0.0 > 0.01 }
        let near = pairs.count { abs($0.1 - $0.0) <= Self.tolerance * $0.0 }
        within = pairs.isEmpty ? 1 : Double(near) / Double(pairs.count)
    }
}

/// What becomes of one impact.
public struct ImpactMeasure: Hashable, Sendable {
    public static let felt = Decision.Feel.least

    public let peak: Double
    /// Felt − intended peak, as a share of the intended.
    public let peakError: Double
    /// To 0.1 of the intended peak; nil: never.
    public let timeToTenth: Nanoseconds?
    /// From the peak until what is felt is 10 % of it.
    public let ring: Nanoseconds
    /// How long it stays at `felt` or more.
    public let above: Nanoseconds

    /// `intended`: the peak that is meant, more than 0. Not smoothed: an impact is judged by its onset.
    public init(intended: Intensity, felt curve: SampledEnvelope) {
        let samples = curve.samples
        peak = curve.peak
        peakError = (peak - intended.value) / intended.value
        let tenth = 0.1 * intended.value
        timeToTenth = samples.firstIndex { $0 >= tenth }.map { index in
            guard index > 0 else { return .zero }
            // Between two samples it rises in a straight line.
            let part = (tenth - samples[index - 1]) / (samples[index] - samples[index - 1])
            return SampledEnvelope.interval * (index - 1) + SampledEnvelope.interval.scaled(by: part)
        }
        let top = samples.firstIndex(of: peak) ?? 0
        let end = samples[top...].firstIndex { $0 <= 0.1 * curve.peak } ?? samples.count
        ring = SampledEnvelope.interval * (end - top)
        above = SampledEnvelope.interval * samples.count { $0 >= Self.felt }
    }
}

/// How many pulses of a train stay apart.
public enum TrainMeasure {
    /// Between two pulses what is felt falls by this share of the weaker one at least.
    static let dip = 0.2
    /// Below this a pulse does not count: a third of what is felt for certain.
    static let least = 0.03

    /// The pulses that are felt as such: what is felt rises to a peak, and falls by `dip` before the next one.
    public static func pulsesApart(_ felt: SampledEnvelope) -> Int {
        var (count, rises, top, bottom) = (0, true, 0.0, 0.0)
        for value in felt.smoothed.samples {
            if rises {
                top = max(top, value)
                guard top >= least, value <= (1 - dip) * top else { continue }
                (rises, bottom) = (false, value)
                count += 1
            } else {
                bottom = min(bottom, value)
                if value >= least, bottom <= (1 - dip) * value { (rises, top) = (true, value) }
            }
        }
        return rises && top >= least ? count + 1 : count
    }

    /// Whether two pulses are felt as two: somewhere in the `gap` between them what is felt is by `dip` below what was felt of the
    /// first, which begins at `start`, and below what comes of the second until `end`.
    ///
    /// `samples`: of a felt curve, smoothed. The gap is that of what is meant, up to where the second has risen: a dip within either
    /// of them does not count.
    static func isApart(
        _ samples: [Double], from start: Nanoseconds, gap: ClosedRange<Nanoseconds>, to end: Nanoseconds
    ) -> Bool {
        func index(_ time: Nanoseconds) -> Int { max(0, min(samples.count, Int(time.count / SampledEnvelope.interval.count))) }
        // Smoothing moves what falls and rises steeply by half of its width.
        let (first, last) = (index(gap.lowerBound), min(samples.count, index(gap.upperBound) + SampledEnvelope.smoothing / 2))
        guard first < last else { return false }
        var after = 0.0
        let tops = samples[first..<max(last, index(end))].reversed().map { value in
            after = max(after, value)
            return after
        }
        var before = samples[min(index(start), first)..<first].max() ?? 0
        return zip(samples[first..<last], tops.reversed()).contains { value, after in
            before = max(before, value)
            return after >= least && value <= (1 - dip) * min(before, after)
        }
    }
}
