// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Things that are known by their ids: what is new, what is missing, and what stayed.
extension FeedbackEngine {
    mutating func decidePresent(
        _ input: borrowing Input, _ present: borrowing PresentInput, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let name = present.name
        var decision = Decision(
            sequence: nextSequence(), at: now, input: .present, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process, name: name, outcome: .suppressed)
        let key = ThingTable.Key(owner: input.client.owner, name: Text(name))
        let connection = input.client.connection
        if let gap = present.gap { things.miss(gap, of: key.owner, connection: connection) }
        guard work.take(ruleCosts.collections.units(name.utf8.count)) else {
            things.refuse(key, continues: present.continues, connection: connection)
            return suppress(decision, .quota, into: &actions)
        }
        guard let rule = configuration.collectionRules.first(where: { $0.match.matches(name) }) else {
            return suppress(decision, .noRule, into: &actions)
        }
        (decision.rule, decision.feedbackClass) = (rule.match.text, rule.feedback.feedbackClass)
        let taken = things.take(
            present.ids, of: key, continues: present.continues, work: &work, connection: connection, at: now,
            configuration.bounds)
        switch taken {
        case .incomplete: suppress(decision, .incomplete, into: &actions)
        case .refused(let refused):
            decision.bound = refused.bound
            suppress(decision, refused.reason, into: &actions)
        case .settled(let counts, let areShifted):
            decision.things = counts
            if areShifted { decision.circumstance = .idsShifted }
            guard counts.inserted + counts.removed > 0 else { return suppress(decision, .unchanged, into: &actions) }
            guard let pattern = rule.patterns.pattern(inserted: counts.inserted, removed: counts.removed) else {
                return suppress(decision, .noRule, into: &actions)
            }
            var feedback = rule.feedback
            feedback.pattern = pattern
            var candidate = candidate(feedback, input, source: nil, intensity: nil)
            candidate.train = rhythm(of: max(counts.inserted, counts.removed), candidate, every: rule.interval)
            play(candidate, decision, at: now, into: &actions)
        }
    }

    /// A step for each thing, as far as they fit into a second, on all of its actuators. Nil: once.
    private func rhythm(of count: Int, _ candidate: borrowing Candidate, every interval: Nanoseconds) -> StepTrain? {
        guard count > 1, candidate.pattern.phases.isEmpty else { return nil }
        let whole = StepPlan(pattern: candidate.pattern, train: nil, gain: candidate.gain, sharpness: nil)
        // A step that is longer takes its time: it would not be known again if it were cut short.
        let interval = max(interval, whole.period)
        var room = Stagger.longest - whole.length
        if case .stagger(let stagger) = candidate.spread {
            room = room - stagger.length(over: candidate.actuators?.count ?? configuration.actuators.count)
        }
        guard room >= interval else { return nil }
        return StepTrain(rhythmOf: min(count, 1 + Int(room.count / interval.count)), every: interval)
    }

    /// What becomes of an event whose rule has a `transition`: the thing that it is about is the one of `id`, and has taken the place
    /// of the one before; nil: of none.
    mutating func decideTransition(
        _ input: borrowing Input, _ event: borrowing EventInput, rule index: Int, _ patterns: ThingPatterns,
        _ decided: Decision, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var decision = decided
        let rule = configuration.eventRules[index]
        decision.rule = rule.match.text
        let key = ThingTable.Key(owner: input.client.owner, name: Text(event.name), isOfEvents: true)
        let counts: Decision.ThingCounts
        switch things.replace(with: input.id.map { Text($0) }, of: key, at: now, configuration.bounds) {
        case .settled(let settled, _): counts = settled
        case .refused(let refused):
            decision.bound = refused.bound
            return suppress(decision, refused.reason, into: &actions)
        // trap: only what `continues` is incomplete.
        case .incomplete: preconditionFailure("one thing is a whole set")
        }
        decision.things = counts
        guard counts.inserted + counts.removed > 0 else { return suppress(decision, .unchanged, into: &actions) }
        var feedback = rule.feedback
        if let feedbackClass = event.feedbackClass { feedback.feedbackClass = feedbackClass }
        decision.feedbackClass = feedback.feedbackClass
        guard let pattern = patterns.pattern(inserted: counts.inserted, removed: counts.removed) else {
            return suppress(decision, .noRule, into: &actions)
        }
        feedback.pattern = pattern
        var candidate = candidate(feedback, input, source: nil, intensity: event.intensity)
        candidate.namesClass = event.feedbackClass != nil
        candidate.resumes = rule.resumes
        play(candidate, decision, at: now, into: &actions)
    }
}
