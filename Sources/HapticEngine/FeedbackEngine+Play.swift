// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// From what should be felt to a playback, or to the reason why there is none.
extension FeedbackEngine {
    /// Nothing is felt of it. `steps`: how many a `play` asked for.
    mutating func suppress(
        _ decision: consuming Decision, _ reason: Reason, steps: Int? = nil, into actions: inout ActionBuffer
    ) {
        decision.reason = reason
        conclude(consume decision, steps.map { PlaySummary(steps: $0, pulses: 0, mergedByMinGap: 0) }, into: &actions)
    }

    mutating func play(
        _ wanted: Candidate, _ decided: Decision, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var (candidate, decision) = (wanted, decided)
        // Before a profile makes one step of them.
        let steps = candidate.steps
        var path = PolicyPath(profile: profile, by: personal.settings.profileLayer)
        let objection = objection(to: &candidate, noting: &path, at: now)
        decision.policy = path
        (decision.pattern, decision.isPatternInline) = (candidate.pattern.name, candidate.pattern.isInline)
        decision.deadline = candidate.latest
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

    /// Begins `plan` on the actuators that can and may play it, where there are any, and decides so. The policy has been asked.
    @discardableResult
    mutating func perform(
        _ plan: PlaybackPlan, _ candidate: Candidate, _ decided: Decision, steps: Int? = nil, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) -> PlaybackID? {
        var decision = decided
        switch choose(plan, candidate, at: now) {
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
            let standIn = standIn(for: candidate, among: actuators.map(\.index))
            let news = standIn ?? (prospect.strength < 1 ? .hot(strength: prospect.strength) : nil)
            decision.circumstance = decision.circumstance ?? news
            decision.feel = prospect.feel
            begin(plan, candidate, on: actuators, at: now, decision: &decision, into: &actions)
            conclude(decision, steps.map { _ in prospect.summary }, into: &actions)
        }
        return decision.playback
    }

    private enum Choice {
        case chosen([(index: ActuatorIndex, entry: Entry)], Prospect)
        case refused(Outcome, Reason, Bound? = nil, Decision.Circumstance? = nil)

        var isTooSubtle: Bool { if case .refused(_, .tooSubtle, _, _) = self { true } else { false } }
    }

    /// Finds the actuators that can and may play `plan`.
    private mutating func choose(_ plan: PlaybackPlan, _ candidate: Candidate, at now: MonotonicInstant) -> Choice {
        let wanted = wanted(by: candidate)
        guard !wanted.isEmpty else { return .refused(.suppressed, .noActuator) }
        let dearest = Entry(crossFade: candidate.handOver.map { CrossFade(takes: true, duration: $0.duration) })
        guard takeWork(toPlay: plan, on: wanted.map { ($0, dearest) }, at: now) else {
            return .refused(.suppressed, .quota)
        }
        let there = scheduler.present(wanted)
        guard !there.isEmpty else { return .refused(.failed, .deviceLost) }
        let (free, obstacle) = free(of: there, for: plan, candidate, at: now)
        if free.isEmpty, let obstacle { return obstacle }
        var choice = preview(plan, candidate, on: entries(on: free, of: candidate), at: now)
        // Too weak where it may play: where it may not, it would perhaps be felt. Looking at each once is what has been paid for.
        if let obstacle, choice.isTooSubtle {
            let taken = there.filter { !free.contains($0) }
            if !preview(plan, candidate, on: entries(on: taken, of: candidate), at: now).isTooSubtle { return obstacle }
        }
        if case .chosen(let chosen, _) = choice, isOneSided(chosen) {
            let plain = chosen.map { ($0.index, Entry()) }
            guard takeWork(toPlay: plan, on: plain, at: now) else { return .refused(.suppressed, .quota) }
            choice = preview(plan, candidate, on: plain, at: now)
        }
        if case .chosen(let chosen, let prospect) = choice, flashesTooOften(candidate, on: chosen.map(\.index), at: now) {
            let felt = chosen.filter { !scheduler.isLight($0.index) }
            guard !felt.isEmpty else { return .refused(.suppressed, .rateLimited) }
            choice = .chosen(felt, prospect)
        }
        if case .chosen(let chosen, _) = choice, let refusal = boundRefusal(of: candidate, on: chosen.map(\.index)) {
            return refusal
        }
        return choice
    }

    /// Those that nothing keeps from `candidate`, and why not all of them.
    private func free(
        of there: [ActuatorIndex], for plan: PlaybackPlan, _ candidate: Candidate, at now: MonotonicInstant
    ) -> (free: [ActuatorIndex], obstacle: Choice?) {
        var free = there
        var obstacle: Choice?
        func leave(_ reason: Reason, where isTaken: (ActuatorIndex) -> Bool) {
            let taken = free.filter(isTaken)
            guard !taken.isEmpty else { return }
            obstacle = .refused(.suppressed, reason, nil, blocker(on: taken))
            free.removeAll(where: taken.contains)
        }
        let least = candidate.priority + (Canary.is("tie-keeps-older") ? 0 : 1)
        leave(.lowerPriority) { scheduler.standing(on: $0).map { $0 >= least } ?? false }
        if !candidate.client.mayEndOthers {
            leave(.notAllowed) { isOthers($0, than: candidate.client.owner, at: candidate.priority) }
        }
        if case .followed = plan { leave(.lowerPriority) { isFollowed($0, besides: candidate, at: now) } }
        return (free, obstacle)
    }

    /// Whether the lights among `actuators` may not flash so after all: the limits of another one leave it to what it shows.
    private func flashesTooOften(_ candidate: Candidate, on actuators: [ActuatorIndex], at now: MonotonicInstant) -> Bool {
        guard candidate.countsFlashes, let shape = candidate.pattern.flashes else { return false }
        let lights = actuators.filter(scheduler.isLight)
        return !lights.isEmpty && !flashes.admits(shape, after: candidate.wait, on: lights, at: now)
    }

    /// False where looking at `plan` on all of these costs more than the line may. The work of transitions is looked for once the rest is
    /// paid: else a line of many plays would look for that of all those that it cannot pay for.
    private mutating func takeWork(
        toPlay plan: PlaybackPlan, on actuators: [(index: ActuatorIndex, entry: Entry)], at now: MonotonicInstant
    ) -> Bool {
        guard work.take(actuators.reduce(0) { $0 + scheduler.channels[$1.index.value].cost(of: plan) }) else { return false }
        return work.take(
            actuators.reduce(0) { $0 + scheduler.channels[$1.index.value].movingCost(of: plan, $1.entry, at: now) })
    }

    /// Those on which anything is felt of `plan`.
    private mutating func preview(
        _ plan: PlaybackPlan, _ candidate: Candidate, on actuators: [(index: ActuatorIndex, entry: Entry)],
        at now: MonotonicInstant
    ) -> Choice {
        var chosen: [(index: ActuatorIndex, entry: Entry)] = []
        var prospect = Prospect(steps: plan.steps)
        var (outcome, limit) = (Outcome.suppressed, plan.peak > .zero ? Reason.tooSubtle : .silent)
        for (index, entry) in actuators {
            let seen = scheduler.channels[index.value].preview(plan, entry, fit: candidate.isFitted, at: now, work: &work)
            guard let preview = seen else { return .refused(.suppressed, .quota) }
            let counts = preview.counts
            if counts.pulses > 0 {
                chosen.append((index, entry))
                prospect.add(preview, isLight: scheduler.isLight(index))
            } else if counts.mergedByGap + counts.mergedByInterval > 0 {
                (outcome, limit) = (.merged, counts.mergedByGap > 0 ? .minGap : .minInterval)
            } else if let cut = counts.cutReason {
                (outcome, limit) = (.suppressed, cut)
            }
        }
        guard !chosen.isEmpty else {
            return .refused(outcome, limit, nil, standIn(for: candidate, among: actuators.map(\.index)))
        }
        return .chosen(chosen, prospect)
    }

    /// Of a hand-over only those that hand over are left, or only that to which it goes over.
    private func isOneSided(_ chosen: [(index: ActuatorIndex, entry: Entry)]) -> Bool {
        guard let takes = chosen.first?.entry.crossFade?.takes else { return false }
        return chosen.allSatisfy { $0.entry.crossFade?.takes == takes }
    }

    /// Where it is to be played. Without names that is everywhere, and where it is handed over to is not where it begins.
    func wanted(by candidate: Candidate) -> [ActuatorIndex] {
        let wanted = candidate.actuators ?? scheduler.ordinary
        guard let handOver = candidate.handOver else { return wanted }
        return wanted.filter { $0 != handOver.to } + [handOver.to]
    }

    /// How each of those that may play it takes part. A hand-over takes two; where one side is missing, or nothing is felt of it there, the
    /// other plays it as it is.
    private func entries(on free: [ActuatorIndex], of candidate: Candidate) -> [(index: ActuatorIndex, entry: Entry)] {
        switch candidate.spread {
        case nil:
            return free.map { ($0, Entry(delay: candidate.wait, glides: !candidate.countsFlashes || !scheduler.isLight($0))) }
        case .stagger(let stagger):
            return free.enumerated().map { ($1, Entry(delay: stagger.delay(at: $0, of: free.count))) }
        case .handOver(let handOver):
            guard free.count > 1, free.contains(handOver.to) else { return free.map { ($0, Entry()) } }
            return free.map {
                ($0, Entry(crossFade: CrossFade(takes: $0 == handOver.to, duration: handOver.duration)))
            }
        }
    }

    /// Whether another owner plays there at just this priority.
    private func isOthers(_ index: ActuatorIndex, than owner: Owner, at priority: Int) -> Bool {
        guard let playback = scheduler.channels[index.value].playback.flatMap({ scheduler.playbacks[$0] }) else { return false }
        return playback.standing == priority && playback.client.owner != owner
    }

    /// What plays there, and of several the most important.
    private func blocker(on actuators: [ActuatorIndex]) -> Decision.Circumstance? {
        var first: Playback?
        for index in actuators {
            guard let playback = scheduler.channels[index.value].playback.flatMap({ scheduler.playbacks[$0] }) else { continue }
            if first.map({ $0.standing < playback.standing }) ?? true { first = playback }
        }
        return first.map {
            .blocked(
                by: Decision.Blocker(
                    playback: $0.id, pattern: $0.pattern.isInline ? nil : $0.pattern.name, feedbackClass: $0.feedbackClass))
        }
    }

    /// What of `actuators` stands in for what is not there; nil, mostly.
    private func standIn(for candidate: Candidate, among actuators: [ActuatorIndex]) -> Decision.Circumstance? {
        let wanted = wanted(by: candidate)
        if wanted.allSatisfy({ scheduler.channels[$0.value].isAvailable }) { return nil }
        let served = wanted.filter { scheduler.present([$0]).contains(where: actuators.contains) }
        let there = scheduler.present(served)
        if there.allSatisfy(wanted.contains) { return nil }
        return .standIn(wanted: scheduler.names(of: served), there: scheduler.names(of: there))
    }

    /// Nil: there is room for another playback.
    private mutating func boundRefusal(of candidate: Candidate, on chosen: [ActuatorIndex]) -> Choice? {
        guard isFull(for: candidate.client) else { return nil }
        guard work.take(scheduler.playbacks.count * WorkBudget.Cost.playback) else { return .refused(.suppressed, .quota) }
        return reachedBound(for: candidate, on: chosen).map { .refused(.suppressed, .quota, $0) }
    }

    private mutating func begin(
        _ plan: PlaybackPlan, _ candidate: Candidate, on chosen: [(index: ActuatorIndex, entry: Entry)], at now: MonotonicInstant,
        decision: inout Decision, into actions: inout ActionBuffer
    ) {
        // What it replaces ends as such where it takes the actuator from it, too, so that a glide may go on there.
        let replaced = (candidate.source.map(scheduler.playbacks.about) ?? []).filter {
            scheduler.playbacks[$0].map { Self.isReplaced($0, by: candidate) } ?? false
        }
        for id in replaced { scheduler.mark(id, as: (.cancelled, .superseded)) }
        if candidate.isLimited { limiters[candidate.feedbackClass.index].record(at: now) }
        if candidate.countsFlashes, let shape = candidate.pattern.flashes {
            let lights = chosen.map(\.index).filter(scheduler.isLight)
            if !lights.isEmpty { flashes.record(shape, after: candidate.wait, on: lights, at: now) }
        }
        // Its own decision comes next. Where its flashes were counted it does not resume: that would be one more.
        let item = actions.results.count
        let actuators = chosen.map(\.index)
        let (id, withdrawn) = scheduler.begin(plan, on: chosen, at: now, into: &actions) { id in
            Playback(
                id: id, source: candidate.source, client: candidate.client, isFitted: candidate.isFitted,
                endsWithClient: candidate.endsWithClient, isPlayInput: candidate.isPlayInput, isLimited: candidate.isLimited,
                resumes: candidate.resumes && !candidate.countsFlashes, countsFlashes: candidate.countsFlashes,
                pattern: candidate.pattern, feedbackClass: candidate.feedbackClass, priority: candidate.priority, item: item,
                actuators: actuators)
        }
        if !replaced.isEmpty { endPlaybacks(replaced, .immediate, as: (.cancelled, .superseded), at: now, into: &actions) }
        makeRoom(for: candidate, at: now)
        begun.append(id)
        for playback in withdrawn { withdraw(playback, .preempted, .superseded, in: &actions) }
        decision.outcome = .played
        decision.actuators = scheduler.names(of: actuators)
        decision.playback = id
    }
}
