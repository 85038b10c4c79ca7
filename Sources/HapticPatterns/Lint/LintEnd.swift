// SPDX-License-Identifier: MIT
internal import HapticCore

/// A look at how a pattern ends.
struct LintEnd {
    private let pattern: Pattern

    init(_ pattern: Pattern) { self.pattern = pattern }

    /// Of an open phase nothing is found: its level may be held until something ends it.
    var findings: [PatternLint.Finding] {
        guard let last = pattern.phases.last else { return tracks(of: pattern, "") + pause(of: pattern) }
        guard last.until == .end else { return [] }
        return (last.isNamed ? [] : tracks(of: last.pattern, "phases[\(pattern.phases.count - 1)].")) + pause(of: pattern)
    }

    private func tracks(of pattern: Pattern, _ path: String) -> [PatternLint.Finding] {
        pattern.tracks.enumerated().compactMap { number, track in
            guard case .keyframes(let frames) = track.content, let last = frames.last else { return nil }
            let place = "\(path)tracks[\(number)].keyframes[\(frames.count - 1)]"
            let time = path.isEmpty ? last.at : nil
            if last.intensity > .zero { return cut(place, time, at: last.intensity) }
            guard case .spring = last.curve else { return nil }
            let rest = KeyframeTrack(frames).end.intensity
            return rest.value >= PatternLint.Limit.silence ? unsettled(place, time, at: rest) : nil
        }
    }

    private func cut(_ path: String, _ time: Nanoseconds?, at intensity: Intensity) -> PatternLint.Finding {
        .init(
            rule: .endNotSilent, path: path, at: time,
            reason: "the track ends at \(percent(intensity)): nothing is felt from its last keyframe on, so it is cut off there",
            wayOut: "end with a keyframe of `intensity: 0`; with `curve: step` it stops at once, with `easeOut` it fades")
    }

    private func unsettled(_ path: String, _ time: Nanoseconds?, at intensity: Intensity) -> PatternLint.Finding {
        .init(
            rule: .endNotSilent, path: path, at: time,
            reason: "the spring is still at \(percent(intensity)) when it is cut off; below 5% nobody feels that",
            wayOut: "let the last keyframe come later, or give the spring a shorter response or more damping")
    }

    private func pause(of pattern: Pattern) -> [PatternLint.Finding] {
        guard pattern.isCall, !pattern.hasOpenPhases, Timeline(pattern).felt == pattern.duration else { return [] }
        return [
            .init(
                rule: .endNotSilent, path: "", at: nil,
                reason: "it is a call, which is repeated, and ends without a pause: its rounds run into each other",
                wayOut: "add a last keyframe of `intensity: 0`, as long after the others as the pause should be")
        ]
    }

    private func percent(_ intensity: Intensity) -> String { "\(Int((intensity.value * 100).rounded()))%" }
}
