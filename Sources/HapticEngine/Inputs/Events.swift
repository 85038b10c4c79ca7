// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Events: something that happened, or the value of something that changed.
extension Inputs {
    mutating func take(
        _ event: borrowing EventInput, of input: borrowing Input, _ rules: Rules, work: inout WorkBudget,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        let name = event.name
        (decision.name, decision.value, decision.feedbackClass) = (name, event.value, event.feedbackClass)
        decision.origin = input.client.origin
        if !input.client.isDevice, rules.configuration.reserved.events.contains(Text(name)) { return .none(.reserved) }
        guard work.take(rules.costs.names.units(name.utf8.count)) else { return .none(.quota) }
        guard let first = rules.eventRule(for: name) else { return .none(.noRule) }
        if let patterns = rules.configuration.eventRules[first].transition {
            return things.take(event, of: input, patterns, rule: first, rules, at: now, &decision)
        }
        let key = SourceKey(client: input.client, id: input.id, eventName: name)
        let slot: Int
        switch sources.touch(key, by: input.client, at: now, rules.configuration.bounds) {
        case .known(let found), .new(let found): slot = found
        case .refused(let bound):
            decision.bound = bound
            return .none(.quota)
        }
        let new = event.value ?? .null
        let old = sources.withSource(slot) { $0.value }
        let cost = rules.costs.values.units(old.textSize) + rules.costs.values.units(new.textSize)
        guard work.take(cost) else { return .none(.quota) }
        // An event without a value says nothing of the state that it is in.
        if let value = event.value { sources.withSource(slot) { $0.value = value } }
        if event.value != nil, new == old { return .none(.unchanged) }
        guard let rule = rules.eventRule(for: name, startingWith: first, old: old, new: new) else {
            decision.circumstance = .otherChange(rule: rules.configuration.eventRules[first].match.text)
            return .none(.noRule)
        }
        decision.rule = rules.configuration.eventRules[rule].match.text
        let feedback = rules.configuration.eventRules[rule].feedback
        return .feedback(rules.candidate(feedback, for: event, of: input, rule: rule, source: key, &decision))
    }
}

extension Rules {
    /// The feedback that the rule wants for an event, in the class of the event if it names one.
    func candidate(
        _ feedback: RuleFeedback, for event: borrowing EventInput, of input: borrowing Input, rule: Int, source: SourceKey?,
        _ decision: inout Decision
    ) -> Candidate {
        var feedback = feedback
        if let feedbackClass = event.feedbackClass { feedback.feedbackClass = feedbackClass }
        decision.feedbackClass = feedback.feedbackClass
        var candidate = candidate(feedback, for: input, source: source, intensity: event.intensity)
        candidate.namesClass = event.feedbackClass != nil
        candidate.traits.resumes = configuration.eventRules[rule].resumes
        return candidate
    }
}
