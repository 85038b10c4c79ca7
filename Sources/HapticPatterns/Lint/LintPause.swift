// SPDX-License-Identifier: MIT
internal import HapticCore

/// Finds pauses that became ramps, because a straight line is the curve of a keyframe that names none.
struct LintPause {
    private let pattern: Pattern

    init(_ pattern: Pattern) { self.pattern = pattern }

    /// The first ramp of each track. Nothing is found in a track without a jump: it may swell and fade throughout.
    ///
    /// - Parameter namesCurve: Whether the file names the curve of the keyframe at a path, so that a ramp there is meant.
    func findings(_ namesCurve: (_ path: String) -> Bool) -> [PatternLint.Finding] {
        guard !pattern.phases.isEmpty else { return ramps(of: pattern, "", namesCurve) }
        return pattern.phases.enumerated().flatMap { index, phase in
            phase.isNamed ? [] : ramps(of: phase.pattern, "phases[\(index)].", namesCurve)
        }
    }

    private func ramps(of pattern: Pattern, _ path: String, _ namesCurve: (String) -> Bool) -> [PatternLint.Finding] {
        pattern.tracks.enumerated().compactMap { number, track in
            guard case .keyframes(let frames) = track.content, Self.hasJump(frames) else { return nil }
            let list = "\(path)tracks[\(number)].keyframes"
            let ramp = frames.indices.dropFirst(2).first { index in
                Self.isRamp(frames[index - 2...index]) && !namesCurve("\(list)[\(index)]")
            }
            return ramp.map { index in
                Self.finding(
                    "\(list)[\(index)]", from: frames[index - 1].at, to: frames[index].at, isTimed: path.isEmpty)
            }
        }
    }

    private static func hasJump(_ frames: [Keyframe]) -> Bool {
        frames.first.map { $0.intensity > .zero } ?? false || frames.dropFirst().contains { $0.curve == .step }
    }

    /// Whether three keyframes are felt, silent and felt, and the last one is reached in a straight line.
    private static func isRamp(_ frames: ArraySlice<Keyframe>) -> Bool {
        frames.map { $0.intensity > .zero } == [true, false, true] && frames.last?.curve == .linear
    }

    private static func finding(
        _ path: String, from start: Nanoseconds, to end: Nanoseconds, isTimed: Bool
    ) -> PatternLint.Finding {
        .init(
            rule: .pauseIsRamp, path: path, at: isTimed ? end : nil,
            reason:
                "from \(start.words) to \(end.words) it swells instead of pausing: a keyframe without `curve` is reached in a straight line",
            wayOut: "write `curve: step` for a pause, or the pattern as `pulses`; if the swell is meant, write `curve: linear`")
    }
}
