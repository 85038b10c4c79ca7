// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Things that are known by their ids: new, missing and remaining ones.
extension ThingTable {
    mutating func take(
        _ present: borrowing PresentInput, of input: borrowing Input, _ rules: Rules, work: inout WorkBudget,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        let name = present.name
        (decision.name, decision.source) = (name, nil)
        let key = Key(owner: input.client.owner, name: Text(name))
        let connection = input.client.connection
        if let gap = present.gap { miss(gap, of: key.owner, connection: connection) }
        guard work.take(rules.costs.collections.units(name.utf8.count)) else {
            refuse(key, continues: present.continues, connection: connection)
            return .none(.quota)
        }
        guard let rule = rules.configuration.collectionRules.first(where: { $0.match.matches(name) }) else {
            return .none(.noRule)
        }
        (decision.rule, decision.feedbackClass) = (rule.match.text, rule.feedback.feedbackClass)
        let taken = take(
            present.ids, of: key, continues: present.continues, work: &work, connection: connection, at: now,
            rules.configuration.bounds)
        guard let (pattern, counts) = pattern(of: taken, rule.patterns, &decision) else {
            return .none(decision.reason ?? .noRule)
        }
        var feedback = rule.feedback
        feedback.pattern = pattern
        var candidate = rules.candidate(feedback, for: input, source: nil)
        candidate.train = candidate.rhythm(
            of: max(counts.inserted, counts.removed), every: rule.interval, among: rules.configuration.actuators.count)
        return .feedback(candidate)
    }

    /// Takes an event whose rule has a `transition`: its thing is the one of the id, in place of the one before; no id: there is none.
    mutating func take(
        _ event: borrowing EventInput, of input: borrowing Input, _ patterns: ThingPatterns, rule: Int, _ rules: Rules,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        decision.rule = rules.configuration.eventRules[rule].match.text
        let key = Key(owner: input.client.owner, name: Text(event.name), isOfEvents: true)
        var taken = replace(with: input.id.map { Text($0) }, of: key, at: now, rules.configuration.bounds)
        if case .settled(let counts, _) = taken {
            // Of one thing after another nobody can tell whether its id is a position.
            taken = .settled(counts, areShifted: false)
            if counts.inserted + counts.removed > 0 {
                let ofRule = rules.configuration.eventRules[rule].feedback.feedbackClass
                decision.feedbackClass = event.feedbackClass ?? ofRule
            }
        }
        guard let (pattern, _) = pattern(of: taken, patterns, &decision) else { return .none(decision.reason ?? .noRule) }
        var feedback = rules.configuration.eventRules[rule].feedback
        feedback.pattern = pattern
        return .feedback(rules.candidate(feedback, for: event, of: input, rule: rule, source: nil, &decision))
    }

    /// The pattern for the change of a set. `nil`: nothing is felt of it, for the reason that `decision` gets.
    private func pattern(
        of taken: Taken, _ patterns: ThingPatterns, _ decision: inout Decision
    ) -> (String, Decision.ThingCounts)? {
        switch taken {
        case .incomplete: decision.reason = .incomplete
        case .refused(let refused): (decision.reason, decision.bound) = (refused.reason, refused.bound)
        case .settled(let counts, let areShifted):
            decision.things = counts
            if areShifted { decision.circumstance = .idsShifted }
            if counts.inserted + counts.removed == 0 {
                decision.reason = .unchanged
            } else if let pattern = patterns.pattern(inserted: counts.inserted, removed: counts.removed) {
                return (pattern, counts)
            } else {
                decision.reason = .noRule
            }
        }
        return nil
    }
}

extension Candidate {
    /// A step for each of `count` things, as many as fit into a second, on all of its actuators. `nil`: one step. `all`: the number of the
    /// actuators that there are.
    fileprivate func rhythm(of count: Int, every interval: Nanoseconds, among all: Int) -> StepTrain? {
        guard count > 1, pattern.phases.isEmpty else { return nil }
        let whole = StepPlan(pattern: pattern, train: nil, gain: gain, sharpness: nil)
        // A step that is longer takes its time: it would not be known again if it were cut short.
        let interval = max(interval, whole.period)
        var room = Stagger.longest - whole.length
        if case .stagger(let stagger) = spread { room = room - stagger.length(over: actuators?.count ?? all) }
        guard room >= interval else { return nil }
        return StepTrain(rhythmOf: min(count, 1 + Int(room.count / interval.count)), every: interval)
    }
}
