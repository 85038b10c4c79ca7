// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Progress: the values of a source, which are felt by steps, or followed.
extension SourceTable {
    mutating func take(
        _ progress: borrowing ProgressInput, of input: borrowing Input, _ rules: Rules, work: inout WorkBudget,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        decision.value = .number(progress.value.value)
        let key = SourceKey(client: input.client, id: input.id)
        let slot: Int
        switch touch(key, by: input.client, at: now, rules.configuration.bounds) {
        case .known(let found), .new(let found): slot = found
        case .refused(let bound):
            decision.bound = bound
            return .none(.quota)
        }
        guard findRule(of: slot, key.id, rules, work: &work) else { return .none(.quota) }
        guard let rule = withSource(slot, { $0.rule }) else { return .none(.noRule) }
        decision.feedbackClass = rules.configuration.progressRules[rule].feedback.feedbackClass
        decision.rule = rules.configuration.progressRules[rule].match.text
        if progress.mode == .follow || (progress.mode == nil && rules.configuration.progressRules[rule].follow != nil) {
            let shape = rules.configuration.progressRules[rule].follow ?? .standard
            let passed = withSource(slot) { $0.detents.update(to: progress.value, shape) }
            return .followed(FollowedValue(progress, of: input, key, passed, shape, rule: rule, rules))
        }
        var gate = rules.configuration.progressRules[rule].gate
        if let step = progress.step { gate.step = step }
        if let mode = progress.mode?.gate { gate.mode = mode }
        let value = progress.value
        switch withSource(slot, { $0.gate.update(to: value, at: now, gate) }) {
        case .belowStep: return .none(.belowStep)
        case .tooSoon: return .none(.rateLimited)
        case .fires:
            var candidate = rules.candidate(
                rules.configuration.progressRules[rule].feedback, for: input, source: key, intensity: progress.intensity)
            if let pattern = progress.pattern, input.feedback == .normal { candidate.pattern = pattern }
            return .feedback(candidate)
        case .completes: return .feedback(completion(progress, of: input, key, rule: rule, rules, &decision))
        }
    }

    /// Finds the rule of a source if the rules have changed since it was found; false: the line may cost no more.
    private mutating func findRule(of slot: Int, _ id: Text, _ rules: Rules, work: inout WorkBudget) -> Bool {
        guard withSource(slot, { $0.ruleGeneration }) != rules.generation else { return true }
        guard work.take(rules.costs.ids.units(id.utf8.count)) else { return false }
        let rule = rules.configuration.progressRules.firstIndex { $0.match.matches(id.string) }
        withSource(slot) { ($0.rule, $0.ruleGeneration) = (rule, rules.generation) }
        return true
    }

    private func completion(
        _ progress: borrowing ProgressInput, of input: borrowing Input, _ key: SourceKey, rule: Int, _ rules: Rules,
        _ decision: inout Decision
    ) -> Candidate {
        var feedback = rules.configuration.progressRules[rule].feedback
        var pattern = progress.pattern
        if let complete = rules.configuration.progressRules[rule].complete {
            (feedback.pattern, feedback.feedbackClass) = (complete, rules.configuration.progressRules[rule].completeClass)
            pattern = nil
        }
        var candidate = rules.candidate(feedback, for: input, source: key, intensity: progress.intensity)
        candidate.traits.isLimited = false
        if let pattern, input.feedback == .normal { candidate.pattern = pattern }
        decision.feedbackClass = feedback.feedbackClass
        return candidate
    }

    /// Takes a source back to 0, silently. False: nothing is known of it.
    mutating func release(_ key: SourceKey, by client: ClientIdentity, at now: MonotonicInstant, _ bounds: EngineBounds) -> Bool {
        guard let slot = slot(of: key) else { return false }
        _ = touch(key, by: client, at: now, bounds)
        withSource(slot) { ($0.gate, $0.detents) = (GateState(), DetentState()) }
        return true
    }
}
