// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// One input on its way to a decision.
extension FeedbackEngine {
    mutating func decide(_ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        switch input.kind {
        case .progress(let progress): decideProgress(input, progress, at: now, into: &actions)
        case .release: decideRelease(input, at: now, into: &actions)
        case .event(let event): decideEvent(input, event, at: now, into: &actions)
        case .play(let play): decidePlay(input, play, at: now, into: &actions)
        case .present(let present): decidePresent(input, present, at: now, into: &actions)
        case .hold(let hand): decideHold(input, hand, at: now, into: &actions)
        case .task(let state): decideTask(input, state, at: now, into: &actions)
        }
    }

    // MARK: Progress

    /// What a progress input comes to before anything is asked of the motors.
    private enum Crossing {
        /// The index of the rule, where there is one.
        case none(Reason, rule: Int?)
        /// Nil: the line may cost no more.
        case refused(Bound?)
        case step(rule: Int)
        case completion(rule: Int)
        /// The value itself is to be felt.
        case followed(slot: Int, rule: Int)
    }

    private mutating func decideProgress(
        _ input: borrowing Input, _ progress: borrowing ProgressInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let key = SourceKey(client: input.client, id: input.id)
        switch crossing(progress, of: key, by: input.client, at: now) {
        case .none(let reason, let rule):
            // The most frequent of all: made in one piece, for a decision is large.
            conclude(progressDecision(input, progress, rule: rule, reason, at: now), into: &actions)
        case .refused(let bound):
            var decision = progressDecision(input, progress, rule: nil, .quota, at: now)
            decision.bound = bound
            conclude(decision, into: &actions)
        case .followed(let slot, let rule):
            let decision = progressDecision(input, progress, rule: rule, nil, at: now)
            decideFollowed(input, progress, slot: slot, rule: rule, decision, at: now, into: &actions)
        case .step(let rule):
            let feedback = configuration.progressRules[rule].feedback
            var candidate = candidate(feedback, input, source: key, intensity: progress.intensity)
            if let pattern = progress.pattern, input.feedback == .normal { candidate.pattern = pattern }
            let decision = progressDecision(input, progress, rule: rule, nil, at: now)
            play(candidate, decision, at: now, into: &actions)
        case .completion(let rule):
            var feedback = configuration.progressRules[rule].feedback
            var pattern = progress.pattern
            if let complete = configuration.progressRules[rule].complete {
                (feedback.pattern, feedback.feedbackClass) = (complete, configuration.progressRules[rule].completeClass)
                pattern = nil
            }
            var candidate = candidate(feedback, input, source: key, intensity: progress.intensity)
            candidate.isLimited = false
            if let pattern, input.feedback == .normal { candidate.pattern = pattern }
            var decision = progressDecision(input, progress, rule: rule, nil, at: now)
            decision.feedbackClass = feedback.feedbackClass
            play(candidate, decision, at: now, into: &actions)
        }
    }

    private mutating func crossing(
        _ progress: borrowing ProgressInput, of key: SourceKey, by client: ClientIdentity, at now: MonotonicInstant
    ) -> Crossing {
        let slot: Int
        switch sources.touch(key, by: client, at: now, configuration.bounds) {
        case .known(let found), .new(let found): slot = found
        case .refused(let bound): return .refused(bound)
        }
        if sources.withSource(slot, { $0.ruleGeneration }) != ruleGeneration {
            guard work.take(ruleCosts.ids.units(key.id.utf8.count)) else { return .refused(nil) }
            let rule = configuration.progressRules.firstIndex { $0.match.matches(key.id.string) }
            sources.withSource(slot) { ($0.rule, $0.ruleGeneration) = (rule, ruleGeneration) }
        }
        guard let rule = sources.withSource(slot, { $0.rule }) else { return .none(.noRule, rule: nil) }
        if progress.mode == .follow || (progress.mode == nil && configuration.progressRules[rule].follow != nil) {
            return .followed(slot: slot, rule: rule)
        }
        var gate = configuration.progressRules[rule].gate
        if let step = progress.step { gate.step = step }
        if let mode = progress.mode?.gate { gate.mode = mode }
        let value = progress.value
        return switch sources.withSource(slot, { $0.gate.update(to: value, at: now, gate) }) {
        case .belowStep: .none(.belowStep, rule: rule)
        case .tooSoon: .none(.rateLimited, rule: rule)
        case .fires: .step(rule: rule)
        case .completes: .completion(rule: rule)
        }
    }

    /// As far as the rule goes (nil: there is none); suppressed, until it is played.
    private mutating func progressDecision(
        _ input: borrowing Input, _ progress: borrowing ProgressInput, rule: Int?, _ reason: Reason?,
        at now: MonotonicInstant
    ) -> Decision {
        Decision(
            sequence: nextSequence(), at: now, input: .progress, source: input.id, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process,
            value: .number(progress.value.value),
            feedbackClass: rule.map { configuration.progressRules[$0].feedback.feedbackClass },
            rule: rule.map { configuration.progressRules[$0].match.text }, outcome: .suppressed, reason: reason)
    }

    /// Takes the source back to 0, and with it what it began in this batch; what plays until its release goes on with its next phase.
    private mutating func decideRelease(
        _ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let key = SourceKey(client: input.client, id: input.id)
        if let slot = sources.slot(of: key) {
            _ = sources.touch(key, by: input.client, at: now, configuration.bounds)
            sources.withSource(slot) { ($0.gate, $0.detents) = (GateState(), DetentState()) }
            let begun = scheduler.playbacks.about(key).filter {
                scheduler.playbacks[$0].map { $0.source == key && $0.item != nil && !$0.isPlayInput } ?? false
            }
            endPlaybacks(begun, .immediate, as: (.cancelled, .superseded), at: now, into: &actions)
            letGoFollow(of: key, at: now, into: &actions)
        }
        advancePlaybacks(scheduler.playbacks.about(key), past: .released, at: now, into: &actions)
        let decision = Decision(
            sequence: nextSequence(), at: now, input: .release, source: input.id, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process, outcome: .suppressed)
        suppress(decision, .released, into: &actions)
    }

    // MARK: Events

    private mutating func decideEvent(
        _ input: borrowing Input, _ event: borrowing EventInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var decision = Decision(
            sequence: nextSequence(), at: now, input: .event, source: input.id, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process, name: event.name,
            value: event.value, feedbackClass: event.feedbackClass, outcome: .suppressed)
        decision.origin = input.client.origin
        let name = event.name
        if !input.client.isDevice, configuration.reserved.events.contains(Text(name)) {
            return suppress(decision, .reserved, into: &actions)
        }
        guard work.take(ruleCosts.names.units(name.utf8.count)) else { return suppress(decision, .quota, into: &actions) }
        guard let first = eventRule(for: name, from: 0) else { return suppress(decision, .noRule, into: &actions) }
        if let patterns = configuration.eventRules[first].transition {
            return decideTransition(input, event, rule: first, patterns, decision, at: now, into: &actions)
        }
        let key = SourceKey(client: input.client, id: input.id, eventName: name)
        let slot: Int
        switch sources.touch(key, by: input.client, at: now, configuration.bounds) {
        case .known(let found), .new(let found): slot = found
        case .refused(let bound):
            decision.bound = bound
            return suppress(decision, .quota, into: &actions)
        }
        let new = event.value ?? .null
        let old = sources.withSource(slot) { $0.value }
        guard work.take(ruleCosts.values.units(old.textSize) + ruleCosts.values.units(new.textSize)) else {
            return suppress(decision, .quota, into: &actions)
        }
        // An event without a value says nothing of the state that it is in.
        if let value = event.value { sources.withSource(slot) { $0.value = value } }
        if event.value != nil, new == old { return suppress(decision, .unchanged, into: &actions) }
        guard let rule = eventRule(for: name, startingWith: first, old: old, new: new) else {
            decision.circumstance = .otherChange(rule: configuration.eventRules[first].match.text)
            return suppress(decision, .noRule, into: &actions)
        }
        decision.rule = configuration.eventRules[rule].match.text
        var feedback = configuration.eventRules[rule].feedback
        if let feedbackClass = event.feedbackClass { feedback.feedbackClass = feedbackClass }
        decision.feedbackClass = feedback.feedbackClass
        var candidate = candidate(feedback, input, source: key, intensity: event.intensity)
        candidate.namesClass = event.feedbackClass != nil
        candidate.resumes = configuration.eventRules[rule].resumes
        play(candidate, decision, at: now, into: &actions)
    }

    /// Whether no rule is for an event of this name. Finding that out is charged; false where it cannot be paid.
    mutating func hasNoEventRule(for name: String) -> Bool {
        work.take(ruleCosts.names.units(name.utf8.count)) && eventRule(for: name, from: 0) == nil
    }

    /// The index of the first rule, from this one on, for an event of this name. No rule is copied: all of them are looked at.
    private func eventRule(for name: String, from start: Int) -> Int? {
        configuration.eventRules.indices[start...].first { configuration.eventRules[$0].match.matches(name) }
    }

    /// The first of those for an event of this name that wants this change. `first`: the index of the first of them.
    private func eventRule(for name: String, startingWith first: Int, old: Scalar, new: Scalar) -> Int? {
        var index = Optional(first)
        while let rule = index {
            guard let change = configuration.eventRules[rule].when, !(change.from.matches(old) && change.to.matches(new)) else {
                return rule
            }
            index = eventRule(for: name, from: rule + 1)
        }
        return nil
    }

    func candidate(
        _ feedback: RuleFeedback, _ input: borrowing Input, source: SourceKey?, intensity: Intensity?
    ) -> Candidate {
        let policy = configuration.classes[feedback.feedbackClass]
        // trap: a configuration is refused where a rule names a pattern that is not there.
        var pattern = configuration.patterns[Text(feedback.pattern)]!
        if case .pattern(let replacement) = input.feedback { pattern = replacement }
        return Candidate(
            client: input.client, at: input.at, app: input.app, isOff: input.feedback == .off, pattern: pattern,
            feedbackClass: feedback.feedbackClass, intensity: intensity ?? feedback.intensity,
            priority: feedback.priority ?? policy.priority, deadline: input.deadline ?? feedback.deadline ?? policy.deadline,
            actuators: feedback.actuators, spread: feedback.spread, source: source)
    }

    // MARK: Play

    private mutating func decidePlay(
        _ input: borrowing Input, _ request: borrowing PlayInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let policy = configuration.classes[request.feedbackClass]
        let decision = Decision(
            sequence: nextSequence(), at: now, input: .play, source: input.id, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process,
            feedbackClass: request.feedbackClass, outcome: .suppressed)
        var candidate = Candidate(
            client: input.client, at: input.at, app: input.app, namesClass: true, isOff: input.feedback == .off,
            pattern: request.pattern,
            feedbackClass: request.feedbackClass, intensity: request.intensity, priority: policy.priority,
            deadline: input.deadline ?? policy.deadline, actuators: request.actuators, spread: request.spread,
            source: input.id.map { SourceKey(client: input.client, id: $0) }, train: request.train,
            repetitions: request.repetitions, sharpness: request.sharpness, isFitted: request.fit != .off,
            endsWithClient: request.endsWithClient, isPlayInput: true)
        if case .pattern(let replacement) = input.feedback { candidate.pattern = replacement }
        play(candidate, decision, at: now, into: &actions)
    }
}
