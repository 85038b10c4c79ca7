// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// A pattern in the terms that other formats have, which know neither parts nor phases, gains nor a glow.
struct PlainPattern {
    /// Its tracks have no gain; it has nothing but tracks and parameter curves.
    let pattern: Pattern
    /// A sentence each.
    let losses: [String]

    init(_ pattern: Pattern) throws(UnwritablePattern) {
        let isComposed = !pattern.parts.isEmpty || !pattern.phases.isEmpty || pattern.sum != .plain
        var losses: [String] = []
        if isComposed {
            losses.append(
                "What it is composed of becomes one curve in straight lines, sampled every \(LevelLine.sampling) to within \(plainText(LevelLine.tolerance))."
            )
        }
        if pattern.hasOpenPhases {
            losses.append("Each of its phases is there once, for the format has none that last until something happens.")
        }
        if pattern.transition != .snappy { losses.append("How it takes over from what plays before it is left out.") }
        if pattern.isCall { losses.append("That it is a call is left out.") }
        if let meaning = pattern.meaning { losses.append("That it means `\(meaning)` is left out.") }
        if pattern.isForLights { losses.append("That it is for lights is left out.") }
        do throws(PatternError) {
            let tracks =
                isComposed ? Self.tracks(of: LevelLine(pattern)) : pattern.tracks.map(Self.withoutGain)
            self.pattern = try Pattern(
                name: pattern.name, summary: pattern.summary, tracks: tracks,
                parameterCurves: isComposed ? [] : pattern.parameterCurves)
        } catch {
            throw UnwritablePattern("\(error)")
        }
        self.losses = losses
    }

    private static func withoutGain(_ track: Pattern.Track) -> Pattern.Track {
        switch track.content {
        case .keyframes(let keyframes):
            .keyframes(
                keyframes.map {
                    Keyframe(at: $0.at, intensity: $0.intensity * track.gain, sharpness: $0.sharpness, curve: $0.curve)
                })
        case .events(let events):
            .events(
                events.map { event in
                    var event = event
                    event.intensity = event.intensity * track.gain
                    return event
                })
        }
    }

    /// A jump is a step from what was there a nanosecond before. A track begins where the one before is full.
    private static func tracks(of line: LevelLine) -> [Pattern.Track] {
        var tracks: [Pattern.Track] = []
        var keyframes: [Keyframe] = []
        for (index, point) in line.points.enumerated() {
            let isBeforeJump = index + 1 < line.points.count && line.points[index + 1].at == point.at
            let at = isBeforeJump ? point.at - Nanoseconds(1) : point.at
            // Two jumps that follow one another at once leave no time between.
            guard at > keyframes.last?.at ?? Nanoseconds(-1) else { continue }
            let isAfterJump = index > 0 && line.points[index - 1].at == point.at
            keyframes.append(
                Keyframe(
                    at: at, intensity: point.level.intensity, sharpness: point.level.sharpness,
                    curve: isAfterJump ? .step : .linear))
            if keyframes.count == Pattern.Limit.entriesPerTrack {
                tracks.append(.keyframes(keyframes))
                keyframes = [keyframes[keyframes.count - 1]]
            }
        }
        if keyframes.count > 1 { tracks.append(.keyframes(keyframes)) }
        return tracks
    }
}
