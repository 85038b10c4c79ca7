// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// A value that is itself to be felt.
struct FollowedValue {
    var candidate: Candidate
    let source: SourceKey
    let value: Progress
    let spring: Spring
    /// The pattern of the detent or the end that the value has passed; `nil`: nothing is felt of it, or it has passed none.
    let impact: PlayablePattern?

    /// `passed`: by this value; `rule`: the index of its rule.
    init(
        _ progress: borrowing ProgressInput, of input: borrowing Input, _ source: SourceKey, _ passed: DetentState.Passed,
        _ shape: FollowShape, rule: Int, _ rules: Rules
    ) {
        let feedback = rules.configuration.progressRules[rule].feedback
        self.source = source
        (value, spring) = (progress.value, shape.spring)
        impact = Self.impact(of: passed, shape, feedback, progress, input.feedback, rules.configuration.patterns)
        candidate = rules.candidate(feedback, for: input, source: source, intensity: progress.intensity)
        candidate.spread = nil
    }

    private static func impact(
        of passed: DetentState.Passed, _ shape: FollowShape, _ feedback: RuleFeedback, _ progress: borrowing ProgressInput,
        _ override: Input.FeedbackOverride, _ patterns: [Text: PlayablePattern]
    ) -> PlayablePattern? {
        let name: String
        switch passed {
        case .nothing: return nil
        case .detent:
            if let pattern = progress.pattern, override == .normal { return pattern }
            name = feedback.pattern
        case .end:
            guard let stop = shape.endStop else { return nil }
            name = stop
        }
        if case .pattern(let replacement) = override { return replacement }
        return patterns[Text(name)]
    }
}
