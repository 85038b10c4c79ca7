// SPDX-License-Identifier: MIT
public import HapticCore

/// Looks for what makes a pattern feel wrong, whatever the motor: the rules of `docs/patterns.md` that have a number.
public enum PatternLint {
    public enum Rule: String, CaseIterable, Sendable {
        /// Nothing of it is felt.
        case notFelt
        /// Longer than `Limit.message`, and not a call.
        case tooLong
        /// It stays at one level for longer than `Limit.held`, and is not a call.
        ///
        /// Every playback can be interrupted at any time. What glides, or pauses, is then taken over from where it is; a level that is
        /// held is cut, and for as long as it is held a hand cannot know how long it still takes.
        case notInterruptible
        /// Beats that take longer than `Limit.cascade` together, and are not a call.
        case cascade
        /// It is for lights, and flashes more often than `FlashBound` says.
        case flashes
        /// Two beats, two parts of one beat, or two patterns that differ in sharpness and in nothing else.
        case sharpnessAlone
        /// The pattern swells in a straight line between two beats, and the file names no curve.
        case pauseIsRamp
        /// It is cut off at its end; or it is a call, and ends without a pause before its next round.
        case endNotSilent
    }

    public enum Limit {
        /// Only a call may be felt for longer.
        public static let message = Nanoseconds.milliseconds(500)
        public static let held = Nanoseconds.milliseconds(300)
        public static let cascade = Nanoseconds.seconds(1)
        /// So many beats are a cascade.
        public static let cascadeBeats = 3
        /// So far apart two sharpnesses are meant to be felt as different: a quarter of the range.
        public static let sharpness = 0.25
        /// Intensities that are nearer than this are felt as one; far below the 10 % or so that hands tell apart.
        public static let intensity = 0.02
        /// A spring may be cut below this.
        public static let silence = 0.05
    }

    public struct Finding: Hashable, Sendable {
        public let rule: Rule
        /// The entry that it is about, such as `tracks[0].keyframes[3]` or `phases[1]`; empty for the pattern as a whole.
        public let path: String
        /// When that begins, from the start of the pattern; nil for the pattern as a whole, and within phases.
        public let at: Nanoseconds?
        /// What is wrong, with its number.
        public let reason: String
        /// What to do.
        public let wayOut: String
    }

    /// In the order of the rules. What is used by name is looked at only as far as this pattern is felt otherwise for it.
    /// Renders the pattern: see `Pattern.renderingCost`. `namesCurve`: whether the file of the pattern names the curve of the keyframe at
    /// a path; without a file none does.
    public static func findings(_ pattern: Pattern, namesCurve: (_ path: String) -> Bool = { _ in false }) -> [Finding] {
        let found: [Finding]
        if pattern.hasOpenPhases {
            let passes = pattern.phases.enumerated().map { index, phase in
                LintPass(phase.pattern, isCall: pattern.isCall || phase.pattern.isCall, within: "phases[\(index)]")
            }
            guard passes.contains(where: \.isFelt) else { return [notFelt] }
            found = zip(pattern.phases, passes).flatMap { phase, pass in
                phase.until == .end ? pass.ofTime + pass.ofSharpness : pass.ofSharpness
            }
        } else {
            let pass = LintPass(pattern, isCall: pattern.isCall, within: "")
            guard pass.isFelt else { return [notFelt] }
            // A light keeps no hand waiting, and has no sharpness.
            found = pattern.isForLights ? pass.ofFlashes : pass.ofTime + pass.ofSharpness
        }
        let rules = Rule.allCases
        return (found + LintPause(pattern).findings(namesCurve) + LintEnd(pattern).findings).enumerated().sorted { a, b in
            // trap: all rules are among all cases.
            (rules.firstIndex(of: a.element.rule)!, a.offset) < (rules.firstIndex(of: b.element.rule)!, b.offset)
        }.map(\.element)
    }

    private static var notFelt: Finding {
        Finding(
            rule: .notFelt, path: "", at: nil, reason: "nothing of it is felt: its intensity is 0 throughout",
            wayOut: "give it an `intensity` above 0, or leave it out")
    }

    /// The names of those in `patterns` that are as strong as one before them at every instant, and only sharper or duller, with its
    /// name. Renders all of them.
    public static func sharpnessAlone(among patterns: [Pattern]) -> [(pattern: String, other: String)] {
        var first: [[Strength]: String] = [:]
        var found: [(pattern: String, other: String)] = []
        for pattern in patterns {
            let strengths = Strength.strengths(of: Timeline(pattern))
            if let other = first[strengths] { found.append((pattern.name, other)) } else { first[strengths] = pattern.name }
        }
        return found
    }

    /// How strong a pattern is from some offset on.
    private struct Strength: Hashable {
        var offset: Nanoseconds
        var intensity: Intensity

        static func strengths(of timeline: Timeline) -> [Strength] {
            var strengths: [Strength] = []
            for frame in timeline.frames where frame.level.intensity != strengths.last?.intensity {
                strengths.append(Strength(offset: frame.offset, intensity: frame.level.intensity))
            }
            return strengths
        }
    }
}
