// SPDX-License-Identifier: MIT
import HapticCore

/// One input on its way to a decision.
extension FeedbackEngine {
    /// What is to be felt if nothing speaks against it.
    private struct Candidate {
        var pattern: PlayablePattern
        var feedbackClass: FeedbackClass
        var intensity: Intensity
        var priority: Int
        var deadline: Nanoseconds?
        var actuators: [ActuatorIndex]?
        var source: SourceKey?
        /// Reaching 1 is always felt: it neither waits for the rate limit nor counts for it.
        var isLimited = true
        var train: StepTrain?
        var repetitions = 1
        var sharpness: Sharpness?
        var isAwaited = false
        var isPlayInput = false
    }

    mutating func decide(_ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        switch input.kind {
        case .progress(let progress): decideProgress(input, progress, at: now, into: &actions)
        case .release: decideRelease(input, at: now, into: &actions)
        case .event(let event): decideEvent(input, event, at: now, into: &actions)
        case .play(let play): decidePlay(input, play, at: now, into: &actions)
        }
    }

    // MARK: Progress

    /// What a progress input comes to before anything is asked of the motors.
    private enum Crossing {
        /// The place of the rule, where there is one.
        case none(Reason, rule: Int?)
        case step(rule: Int)
        case completion(rule: Int)
    }

    private mutating func decideProgress(
        _ input: borrowing Input, _ progress: borrowing ProgressInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let key = SourceKey(client: input.client, id: input.id)
        switch crossing(progress, of: key, user: input.client.user, at: now) {
        case .none(let reason, let rule):
            // The most frequent of all: made in one piece, for a decision is large.
            conclude(progressDecision(input, progress, rule: rule, reason, at: now), into: &actions)
        case .step(let rule):
            let feedback = configuration.progressRules[rule].feedback
            var candidate = candidate(feedback, input, source: key, intensity: progress.intensity)
            if let pattern = progress.pattern, input.feedback == .normal { candidate.pattern = pattern }
            let decision = progressDecision(input, progress, rule: rule, nil, at: now)
            play(candidate, for: input, decision, at: now, into: &actions)
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
            play(candidate, for: input, decision, at: now, into: &actions)
        }
    }

    private mutating func crossing(
        _ progress: borrowing ProgressInput, of key: SourceKey, user: UInt32, at now: MonotonicInstant
    ) -> Crossing {
        guard let (slot, isNew) = sources.touch(key, user: user, at: now, configuration.bounds) else {
            return .none(.quota, rule: nil)
        }
        if isNew {
            let rule = configuration.progressRules.firstIndex { $0.match.matches(key.id) }
            sources.withSource(slot) { $0.rule = rule }
        }
        guard let rule = sources.withSource(slot, { $0.rule }) else { return .none(.noRule, rule: nil) }
        var gate = configuration.progressRules[rule].gate
        if let step = progress.step { gate.step = step }
        if let mode = progress.mode { gate.mode = mode }
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
            sequence: nextSequence(), at: now, input: .progress, source: input.id, value: .number(progress.value.value),
            feedbackClass: rule.map { configuration.progressRules[$0].feedback.feedbackClass },
            rule: rule.map { configuration.progressRules[$0].match.text }, outcome: .suppressed, reason: reason)
    }

    /// Takes the source back to 0, and with it what it began in this batch.
    private mutating func decideRelease(
        _ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let key = SourceKey(client: input.client, id: input.id)
        if let slot = sources.slot(of: key) {
            _ = sources.touch(key, user: input.client.user, at: now, configuration.bounds)
            sources.withSource(slot) { $0.gate = GateState() }
            endPlaybacks(.immediate, as: (.cancelled, .superseded), at: now, into: &actions) {
                $0.source == key && $0.item != nil && !$0.isPlayInput
            }
        }
        let decision = Decision(sequence: nextSequence(), at: now, input: .release, source: input.id, outcome: .suppressed)
        suppress(decision, .released, into: &actions)
    }

    // MARK: Events

    private mutating func decideEvent(
        _ input: borrowing Input, _ event: borrowing EventInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var decision = Decision(
            sequence: nextSequence(), at: now, input: .event, source: input.id, name: event.name, value: event.value,
            feedbackClass: event.feedbackClass, outcome: .suppressed)
        let name = event.name
        let rules = configuration.eventRules.filter { $0.match.matches(name) }
        guard !rules.isEmpty else { return suppress(decision, .noRule, into: &actions) }
        let key = SourceKey(client: input.client, id: input.id, eventName: name)
        guard let (slot, _) = sources.touch(key, user: input.client.user, at: now, configuration.bounds) else {
            return suppress(decision, .quota, into: &actions)
        }
        let new = event.value ?? .null
        let value = event.value
        let old = sources.withSource(slot) { source in
            // An event without a value says nothing of the state that it is in.
            defer { if let value { source.value = value } }
            return source.value
        }
        if event.value != nil, new == old { return suppress(decision, .unchanged, into: &actions) }
        let matching = rules.first { rule in rule.when.map { $0.from.matches(old) && $0.to.matches(new) } ?? true }
        guard let rule = matching else { return suppress(decision, .noRule, into: &actions) }
        decision.rule = rule.match.text
        var feedback = rule.feedback
        if let feedbackClass = event.feedbackClass { feedback.feedbackClass = feedbackClass }
        decision.feedbackClass = feedback.feedbackClass
        let candidate = candidate(feedback, input, source: key, intensity: event.intensity)
        play(candidate, for: input, decision, at: now, into: &actions)
    }

    private func candidate(
        _ feedback: RuleFeedback, _ input: borrowing Input, source: SourceKey, intensity: Intensity?
    ) -> Candidate {
        let policy = configuration.classes[feedback.feedbackClass]
        var pattern = configuration.patterns[feedback.pattern]!
        if case .pattern(let replacement) = input.feedback { pattern = replacement }
        return Candidate(
            pattern: pattern, feedbackClass: feedback.feedbackClass, intensity: intensity ?? feedback.intensity,
            priority: feedback.priority ?? policy.priority, deadline: input.deadline ?? feedback.deadline ?? policy.deadline,
            actuators: feedback.actuators, source: source)
    }

    // MARK: Play

    private mutating func decidePlay(
        _ input: borrowing Input, _ request: borrowing PlayInput, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let policy = configuration.classes[request.feedbackClass]
        let decision = Decision(
            sequence: nextSequence(), at: now, input: .play, source: input.id, feedbackClass: request.feedbackClass,
            outcome: .suppressed)
        var candidate = Candidate(
            pattern: request.pattern, feedbackClass: request.feedbackClass, intensity: request.intensity,
            priority: policy.priority, deadline: input.deadline ?? policy.deadline, actuators: request.actuators,
            source: input.id.map { SourceKey(client: input.client, id: $0) }, train: request.train,
            repetitions: request.repetitions, sharpness: request.sharpness, isAwaited: request.isAwaited, isPlayInput: true)
        if case .pattern(let replacement) = input.feedback { candidate.pattern = replacement }
        play(candidate, for: input, decision, at: now, into: &actions)
    }

    // MARK: From candidate to decision

    /// Nothing is felt of it. `steps`: how many a `play` asked for.
    private mutating func suppress(
        _ decision: consuming Decision, _ reason: Reason, steps: Int? = nil, into actions: inout ActionBuffer
    ) {
        decision.reason = reason
        conclude(consume decision, steps.map { PlaySummary(steps: $0, pulses: 0, mergedByMinGap: 0) }, into: &actions)
    }

    private mutating func play(
        _ wanted: Candidate, for input: borrowing Input, _ decided: Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var (candidate, decision) = (wanted, decided)
        decision.pattern = candidate.pattern.name
        let steps = candidate.isPlayInput ? (candidate.train?.steps ?? 1) * candidate.repetitions : nil
        if input.feedback == .off { return suppress(decision, .feedbackOff, steps: steps, into: &actions) }
        if let deadline = candidate.deadline {
            let happened = min(input.at, now)
            decision.deadline = happened + deadline
            if now - happened > deadline { return suppress(decision, .stale, steps: steps, into: &actions) }
        }
        if isDuplicate(candidate) { return suppress(decision, .duplicate, steps: steps, into: &actions) }
        if !applyProfile(to: &candidate) {
            let lights = scheduler.fallbacks(of: candidate.actuators)
            guard !lights.isEmpty else { return suppress(decision, .profile, steps: steps, into: &actions) }
            candidate.actuators = lights
        }
        decision.pattern = candidate.pattern.name
        guard !candidate.isLimited || limiters[candidate.feedbackClass.place].admits(at: now) else {
            return suppress(decision, .rateLimited, steps: steps, into: &actions)
        }
        let plan = PlaybackPlan(
            pattern: candidate.pattern, train: candidate.train, repetitions: candidate.repetitions, gain: candidate.intensity,
            sharpness: candidate.sharpness)
        decision.intensity = plan.peak
        switch choose(plan, candidate, at: now) {
        case .refused(let outcome, let reason):
            (decision.outcome, decision.reason) = (outcome, reason)
            let summary = steps.map { PlaySummary(steps: $0, pulses: 0, mergedByMinGap: outcome == .merged ? $0 : 0) }
            conclude(decision, summary, into: &actions)
        case .chosen(let actuators, let pulses, let merged):
            begin(plan, candidate, on: actuators, for: input, at: now, decision: &decision, into: &actions)
            let summary = steps.map { _ in PlaySummary(steps: plan.steps, pulses: pulses, mergedByMinGap: merged) }
            conclude(decision, summary, into: &actions)
        }
    }

    /// The same `play` with the same id again, while it plays, is not the news that a different one is.
    private func isDuplicate(_ candidate: Candidate) -> Bool {
        guard candidate.isPlayInput, let source = candidate.source else { return false }
        return scheduler.playbacks.values.contains {
            $0.isPlayInput && $0.source == source && $0.patternName == candidate.pattern.name && $0.ending == nil
                && $0.item == nil
        }
    }

    /// False where the profile wants nothing of it.
    private func applyProfile(to candidate: inout Candidate) -> Bool {
        switch configuration.classes[candidate.feedbackClass].effect(of: profile) {
        case .full: return true
        case .half: candidate.intensity = candidate.intensity * Intensity(clamping: 0.5)
        case .nothing: return false
        case .pattern(let name):
            candidate.pattern = configuration.patterns[name]!
            (candidate.train, candidate.repetitions, candidate.sharpness) = (nil, 1, nil)
        }
        return true
    }

    private enum Choice {
        case chosen([ActuatorIndex], pulses: Int, merged: Int)
        case refused(Outcome, Reason)
    }

    /// Finds the actuators that can and may play `plan`.
    private mutating func choose(_ plan: PlaybackPlan, _ candidate: Candidate, at now: MonotonicInstant) -> Choice {
        let wanted = candidate.actuators ?? scheduler.ordinary
        guard !wanted.isEmpty else { return .refused(.suppressed, .noActuator) }
        let there = scheduler.present(wanted)
        guard !there.isEmpty else { return .refused(.failed, .deviceLost) }
        let free = there.filter { scheduler.standing(on: $0).map { $0 <= candidate.priority } ?? true }
        guard !free.isEmpty else { return .refused(.suppressed, .lowerPriority) }
        framesPreviewed += plan.frameCount * free.count
        let isTooMuch = plan.frameCount > PlaybackPlan.mostFrames || framesPreviewed > PlaybackPlan.mostFramesOfBatch
        if isTooMuch { return .refused(.suppressed, .quota) }
        var chosen: [ActuatorIndex] = []
        var (pulses, merged, limit) = (0, 0, Reason.tooSubtle)
        for index in free {
            let preview = scheduler.channels[index.value].preview(plan, at: now)
            if preview.pulses > 0 {
                chosen.append(index)
                if preview.pulses > pulses { (pulses, merged) = (preview.pulses, preview.merged) }
            } else if preview.merged > 0 {
                limit = .minGap
            } else if let cut = preview.cutReason {
                limit = cut
            }
        }
        guard !chosen.isEmpty else { return .refused(limit == .minGap ? .merged : .suppressed, limit) }
        let others = scheduler.playbacks.values.count { !$0.actuators.allSatisfy(chosen.contains) }
        guard others < configuration.bounds.playbacks else { return .refused(.suppressed, .quota) }
        return .chosen(chosen, pulses: pulses, merged: merged)
    }

    private mutating func begin(
        _ plan: PlaybackPlan, _ candidate: Candidate, on actuators: [ActuatorIndex], for input: borrowing Input,
        at now: MonotonicInstant, decision: inout Decision, into actions: inout ActionBuffer
    ) {
        if let source = candidate.source {
            // Of one source the newer holds: within a batch always, and between `play`s of one id.
            endPlaybacks(.immediate, as: (.cancelled, .superseded), at: now, into: &actions) {
                $0.source == source && ($0.item != nil || ($0.isPlayInput && candidate.isPlayInput))
            }
        }
        if candidate.isLimited { limiters[candidate.feedbackClass.place].record(at: now) }
        let client = input.client
        // Its own decision comes next.
        let item = actions.outcomes.count
        let (id, withdrawn) = scheduler.begin(plan, on: actuators, at: now, into: &actions) { id in
            Playback(
                id: id, source: candidate.source, client: client, isAwaited: candidate.isAwaited,
                isPlayInput: candidate.isPlayInput, isLimited: candidate.isLimited, patternName: candidate.pattern.name,
                feedbackClass: candidate.feedbackClass, priority: candidate.priority, item: item, actuators: actuators)
        }
        begun.append(id)
        for playback in withdrawn { withdraw(playback, .preempted, .superseded, in: &actions) }
        decision.outcome = .played
        decision.actuators = scheduler.names(of: actuators)
        decision.playback = id
    }
}
