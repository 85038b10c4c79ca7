// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Decides on requested feedback: asks the policy, chooses the actuators, and begins the playback there in place of what it ends.
struct Arbiter: ~Copyable {
    var rules: Rules
    var policy: Policy
    var scheduler: Scheduler
    /// What the line at hand may still cost.
    var work = WorkBudget()
    private(set) var counters = DecisionCounters()
    /// The playbacks that began in the batch at hand.
    private var begun: [PlaybackID] = []

    init(_ rules: Rules, links: [PolicyLink]) {
        self.rules = rules
        policy = Policy(rules.configuration, links: links)
        scheduler = Scheduler(actuators: rules.configuration.actuators)
    }

    // MARK: Deciding

    /// Counts a decision and hands it out.
    mutating func conclude(
        _ decision: consuming Decision, _ summary: PlaySummary? = nil, into actions: inout ActionBuffer
    ) {
        counters.add(decision.outcome, decision.reason)
        actions.results.append(.decided(decision, summary))
    }

    /// Decides that nothing is felt. `steps`: the number that a `play` asked for.
    mutating func suppress(
        _ decision: consuming Decision, _ reason: Reason, steps: Int? = nil, into actions: inout ActionBuffer
    ) {
        decision.reason = reason
        conclude(consume decision, steps.map { PlaySummary(steps: $0, pulses: 0, mergedByMinGap: 0) }, into: &actions)
    }

    /// Asks the policy about `candidate`, which gets the changes that the policy makes; `nil`: it does not object.
    mutating func objection(
        to candidate: inout Candidate, _ decision: inout Decision, at now: MonotonicInstant
    ) -> Reason? {
        var path = PolicyPath(profile: policy.profile, by: policy.personal.settings.profileLayer)
        let objection = policy.objection(
            to: &candidate, noting: &path, rules.configuration, scheduler, work: &work, at: now)
        decision.policy = path
        decision.deadline = candidate.latest
        return objection
    }

    /// Plays `candidate` if nothing speaks against it, and decides so.
    mutating func play(
        _ wanted: Candidate, _ decided: Decision, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var (candidate, decision) = (wanted, decided)
        // Before a profile makes one step of them.
        let steps = candidate.steps
        let objection = objection(to: &candidate, &decision, at: now)
        (decision.pattern, decision.isPatternInline) = (candidate.pattern.name, candidate.pattern.isInline)
        if let objection {
            decision.noteAge(of: candidate, objection, at: now)
            return suppress(decision, objection, steps: steps, into: &actions)
        }
        let plan = PlaybackPlan(
            pattern: candidate.pattern, train: candidate.train, repetitions: candidate.repetitions, gain: candidate.gain,
            sharpness: candidate.sharpness)
        decision.intensity = plan.peak
        perform(plan, candidate, decision, steps: steps, at: now, into: &actions)
    }

    /// Begins `plan` on the actuators that can and may play it, if there are any, and decides so. The policy has been asked.
    ///
    /// - Parameters:
    ///   - plan: The plan of `candidate`.
    ///   - candidate: The feedback, with the changes of the policy.
    ///   - decided: The decision so far.
    ///   - steps: The number that a `play` asked for.
    ///   - otherFollows: For a followed value the playbacks of those of other sources.
    ///   - now: The instant of the decision.
    ///   - actions: The results and actions of the call.
    /// - Returns: The playback; `nil` if none began.
    @discardableResult
    mutating func perform(
        _ plan: PlaybackPlan, _ candidate: Candidate, _ decided: Decision, steps: Int? = nil,
        beside otherFollows: [PlaybackID] = [], at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> PlaybackID? {
        var decision = decided
        let choice = ActuatorChoice(
            plan: plan, candidate: candidate, otherFollows: otherFollows, bounds: rules.configuration.bounds, now: now)
        switch choice.make(scheduler, policy.flashes, work: &work) {
        case .refused(let outcome, let reason, let bound, let circumstance):
            (decision.outcome, decision.reason, decision.bound) = (outcome, reason, bound)
            // What was noted before this is what its sender can do something about.
            decision.circumstance = decision.circumstance ?? circumstance
            let summary = steps.map {
                PlaySummary(
                    steps: $0, pulses: 0, mergedByMinGap: reason == .minGap ? $0 : 0,
                    mergedByMinInterval: reason == .minInterval ? $0 : 0)
            }
            conclude(decision, summary, into: &actions)
        case .chosen(let actuators, let prospect):
            let standIn = choice.standIn(among: actuators.map(\.index), scheduler)
            let news = standIn ?? (prospect.strength < 1 ? .hot(strength: prospect.strength) : nil)
            decision.circumstance = decision.circumstance ?? news
            decision.feel = prospect.feel
            begin(plan, candidate, on: actuators, at: now, decision: &decision, into: &actions)
            conclude(decision, steps.map { _ in prospect.summary }, into: &actions)
        }
        return decision.playback
    }

    private mutating func begin(
        _ plan: PlaybackPlan, _ candidate: Candidate, on chosen: [(index: ActuatorIndex, entry: Entry)], at now: MonotonicInstant,
        decision: inout Decision, into actions: inout ActionBuffer
    ) {
        // What it replaces ends as such where it takes the actuator from it, too, so that a glide may go on there.
        let replaced = (candidate.source.map(scheduler.playbacks.about) ?? []).filter {
            scheduler.playbacks[$0].map { $0.isReplaced(by: candidate) } ?? false
        }
        for id in replaced { scheduler.mark(id, as: (.cancelled, .superseded)) }
        let actuators = chosen.map(\.index)
        policy.record(candidate, on: candidate.traits.countsFlashes ? actuators.filter(scheduler.isLight) : [], at: now)
        // Its own decision comes next.
        let item = actions.results.count
        let (id, withdrawn) = scheduler.begin(plan, on: chosen, at: now, into: &actions) { id in
            Playback(id: id, of: candidate, item: item, actuators: actuators)
        }
        if !replaced.isEmpty { endPlaybacks(replaced, .immediate, as: (.cancelled, .superseded), at: now, into: &actions) }
        makeRoom(for: candidate, at: now)
        begun.append(id)
        for playback in withdrawn { withdraw(playback, .preempted, .superseded, in: &actions) }
        decision.outcome = .played
        decision.actuators = scheduler.names(of: actuators)
        decision.playback = id
    }

    /// Ends playbacks that wait, the least important first, until the bounds hold with what has begun for `candidate`.
    private mutating func makeRoom(for candidate: Candidate, at now: MonotonicInstant) {
        let bounds = rules.configuration.bounds
        while let bound = scheduler.playbacks.exceededBound(of: candidate.client, bounds),
            let id = scheduler.playbacks.leastImportant(for: candidate, of: bound)
        {
            scheduler.stopWaiting(id, at: now)
        }
    }

    /// Ends the batch: its playbacks have begun for good.
    mutating func commit() {
        guard !begun.isEmpty else { return }
        scheduler.commitBatch(begun)
        begun.removeAll(keepingCapacity: true)
    }

    /// Rewrites the decisions on earlier items of the batch that began `playback`, or that it went on with: it has never begun.
    mutating func withdraw(_ playback: Playback, _ outcome: Outcome, _ reason: Reason, in actions: inout ActionBuffer) {
        guard let item = playback.item else { return }
        for index in item..<actions.results.count {
            guard case .decided(var decision, let summary) = actions.results[index], decision.playback == playback.id else {
                continue
            }
            counters.remove(decision.outcome, decision.reason)
            (decision.outcome, decision.reason) = (outcome, reason)
            (decision.actuators, decision.playback, decision.feel) = ([], nil, nil)
            counters.add(outcome, reason)
            actions.results[index] = .decided(
                decision, summary.map { PlaySummary(steps: $0.steps, pulses: 0, mergedByMinGap: 0) })
        }
        if playback.traits.isLimited { policy.refund(playback.feedbackClass) }
    }
}
