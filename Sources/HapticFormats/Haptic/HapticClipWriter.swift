// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Writes Lofelt's `.haptic`, version 1; the mapping is that of `HapticClipReader`.
///
/// Keyframes in straight lines and steps, one after another, and taps are written as they are. All else is what the format has one
/// envelope for: it is added up as it would be felt, and sampled.
enum HapticClipWriter {
    /// Fails where the file would have more points than are read.
    static func write(_ pattern: Pattern) throws(UnwritablePattern) -> WrittenFile {
        let parts = Parts(pattern)
        var (vibration, taps) = (parts.straight ?? [], parts.taps)
        if parts.straight == nil { vibration = try sampled(parts, of: pattern) }
        if !pattern.parameterCurves.isEmpty { taps = try controlled(taps, of: pattern) }
        let clip = HapticClip(vibration, taps: taps, until: pattern.duration, isSampled: parts.straight == nil)
        guard clip.amplitude.count <= HapticClipReader.mostPoints else {
            throw UnwritablePattern(
                "its envelope would have \(clip.amplitude.count) points; at most \(HapticClipReader.mostPoints) are read; make it shorter"
            )
        }
        let sampling = "sampled every \(LevelLine.sampling) to within \(plainText(LevelLine.tolerance))"
        let losses = parts.reasonsToSample.map { "\($0), \(sampling)." } + clip.losses
        return WrittenFile(text: clip.text(description: pattern.summary), losses: losses)
    }

    /// What is felt of all but the taps.
    private static func sampled(_ parts: Parts, of pattern: Pattern) throws(UnwritablePattern) -> [LevelPoint] {
        guard !parts.others.isEmpty else { return [] }
        return LevelLine(try made("mix", parts.others, pattern.parameterCurves)).points.map {
            LevelPoint(at: $0.at, intensity: $0.level.intensity.value, sharpness: $0.level.sharpness.value)
        }
    }

    /// `taps` as the pattern's parameter curves make them.
    private static func controlled(_ taps: [HapticEvent], of pattern: Pattern) throws(UnwritablePattern) -> [HapticEvent] {
        func full(_ sharpness: Sharpness) throws(UnwritablePattern) -> Pattern {
            let keyframes = [Nanoseconds.zero, Pattern.Limit.duration].map {
                Keyframe(at: $0, intensity: .one, sharpness: sharpness)
            }
            return try made("control", [.keyframes(keyframes)], pattern.parameterCurves)
        }
        let (dull, crisp) = (try full(.zero), try full(.one))
        return taps.map { tap in
            let (low, high) = (dull.level(at: tap.at), crisp.level(at: tap.at))
            let shift = low.sharpness > .zero ? low.sharpness.value : high.sharpness.value - 1
            var tap = tap
            tap.intensity = tap.intensity * low.intensity
            tap.sharpness = Sharpness(clamping: tap.sharpness.value + shift)
            return tap
        }.filter { $0.intensity > .zero }
    }

    private static func made(
        _ name: String, _ tracks: [Pattern.Track], _ curves: [ParameterCurve]
    ) throws(UnwritablePattern) -> Pattern {
        do throws(PatternError) {
            return try Pattern(name: name, tracks: tracks, parameterCurves: curves)
        } catch {
            throw UnwritablePattern("\(error)")
        }
    }
}

/// A pattern, taken apart into what the format has places for.
private struct Parts {
    /// In the order of their times.
    var taps: [HapticEvent] = []
    /// The tracks without taps.
    var others: [Pattern.Track] = []
    /// All but the taps as an envelope; nil where it must be sampled.
    var straight: [LevelPoint]?
    /// What becomes of what the format cannot say, each without its end.
    var reasonsToSample: [String] = []

    init(_ pattern: Pattern) {
        var keyframeTracks: [[Keyframe]] = []
        var vibrations = 0
        for track in pattern.tracks {
            switch track.content {
            case .keyframes(let keyframes):
                keyframeTracks.append(keyframes)
                others.append(track)
            case .events(let events):
                let lasting = events.filter { $0.kind != .transient }
                vibrations += lasting.count
                taps += events.filter { $0.kind == .transient }
                if !lasting.isEmpty { others.append(.events(lasting)) }
            }
        }
        taps.sort { $0.at < $1.at }
        keyframeTracks.sort { $0[0].at < $1[0].at }
        let overlaps = zip(keyframeTracks, keyframeTracks.dropFirst()).contains { $0[$0.count - 1].at > $1[0].at }
        let bends = keyframeTracks.joined().contains { $0.curve != .linear && $0.curve != .step }
        if vibrations > 0 { reasonsToSample.append("Events that last become an envelope") }
        if overlaps { reasonsToSample.append("Tracks that play at the same time become one envelope") }
        if bends { reasonsToSample.append("Eased curves and springs become straight lines") }
        if !pattern.parameterCurves.isEmpty { reasonsToSample.append("Parameter curves are worked into what they shape") }
        if reasonsToSample.isEmpty { straight = Self.oneAfterAnother(keyframeTracks) }
    }

    private static func oneAfterAnother(_ tracks: [[Keyframe]]) -> [LevelPoint] {
        tracks.reduce(into: []) { points, keyframes in points.append(later: [LevelPoint](keyframes)) }
    }
}
