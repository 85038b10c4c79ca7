// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The choice of the actuators that play a plan: those that are there, that nothing more important has, and on which it is felt.
struct ActuatorChoice {
    let plan: PlaybackPlan
    let candidate: Candidate
    /// Followed values of other sources that are felt now. Two that took an actuator in turn would both be felt as neither.
    let otherFollows: [PlaybackID]
    let bounds: EngineBounds
    let now: MonotonicInstant

    /// An actuator with the way in which the playback begins there.
    typealias Part = (index: ActuatorIndex, entry: Entry)

    enum Outcome {
        case chosen([Part], Prospect)
        case refused(HapticCore.Outcome, Reason, Bound? = nil, Decision.Circumstance? = nil)

        fileprivate var isTooSubtle: Bool { if case .refused(_, .tooSubtle, _, _) = self { true } else { false } }
    }

    /// Chooses the actuators. Takes from `work` what each look at the plan costs.
    func make(_ scheduler: Scheduler, _ flashes: FlashLedger, work: inout WorkBudget) -> Outcome {
        let wanted = candidate.wanted(scheduler)
        guard !wanted.isEmpty else { return .refused(.suppressed, .noActuator) }
        let dearest = Entry(crossFade: candidate.handOver.map { CrossFade(takes: true, duration: $0.duration) })
        guard takeWork(on: wanted.map { ($0, dearest) }, scheduler, &work) else { return .refused(.suppressed, .quota) }
        let there = scheduler.present(wanted)
        guard !there.isEmpty else { return .refused(.failed, .deviceLost) }
        let (free, obstacle) = free(of: there, scheduler)
        if free.isEmpty, let obstacle { return obstacle }
        var outcome = preview(on: entries(on: free, scheduler), scheduler, &work)
        // Too weak where it may play: where it may not, it would perhaps be felt. Looking at each once is what has been paid for.
        if let obstacle, outcome.isTooSubtle {
            let taken = there.filter { !free.contains($0) }
            if !preview(on: entries(on: taken, scheduler), scheduler, &work).isTooSubtle { return obstacle }
        }
        if case .chosen(let chosen, _) = outcome, isOneSided(chosen) {
            let plain = chosen.map { ($0.index, Entry()) }
            guard takeWork(on: plain, scheduler, &work) else { return .refused(.suppressed, .quota) }
            outcome = preview(on: plain, scheduler, &work)
        }
        if case .chosen(let chosen, let prospect) = outcome, flashesTooOften(on: chosen.map(\.index), scheduler, flashes) {
            let felt = chosen.filter { !scheduler.isLight($0.index) }
            guard !felt.isEmpty else { return .refused(.suppressed, .rateLimited) }
            outcome = .chosen(felt, prospect)
        }
        if case .chosen(let chosen, _) = outcome,
            let refusal = boundRefusal(on: chosen.map(\.index), scheduler.playbacks, &work)
        {
            return refusal
        }
        return outcome
    }

    // MARK: What may play it

    /// Those that nothing keeps from the candidate, and why not all of them.
    private func free(
        of there: [ActuatorIndex], _ scheduler: Scheduler
    ) -> (free: [ActuatorIndex], obstacle: Outcome?) {
        var free = there
        var obstacle: Outcome?
        func leave(_ reason: Reason, where isTaken: (ActuatorIndex) -> Bool) {
            let taken = free.filter(isTaken)
            guard !taken.isEmpty else { return }
            obstacle = .refused(.suppressed, reason, nil, blocker(on: taken, scheduler))
            free.removeAll(where: taken.contains)
        }
        let least = candidate.priority + (Canary.is("tie-keeps-older") ? 0 : 1)
        leave(.lowerPriority) { scheduler.standing(on: $0).map { $0 >= least } ?? false }
        if !candidate.client.mayEndOthers {
            leave(.notAllowed) { isOthers($0, scheduler) }
        }
        if !otherFollows.isEmpty { leave(.lowerPriority) { isFollowed($0, scheduler) } }
        return (free, obstacle)
    }

    /// Whether another followed value is felt there at just this priority.
    private func isFollowed(_ index: ActuatorIndex, _ scheduler: Scheduler) -> Bool {
        guard let id = scheduler.channels[index.value].playback, scheduler.playbacks[id]?.standing == candidate.priority else {
            return false
        }
        return otherFollows.contains(id)
    }

    /// Whether another owner plays there at just this priority.
    private func isOthers(_ index: ActuatorIndex, _ scheduler: Scheduler) -> Bool {
        guard let playback = scheduler.playback(on: index) else { return false }
        return playback.standing == candidate.priority && playback.client.owner != candidate.client.owner
    }

    /// What plays there, and of several the most important.
    private func blocker(on actuators: [ActuatorIndex], _ scheduler: Scheduler) -> Decision.Circumstance? {
        var first: Playback?
        for index in actuators {
            guard let playback = scheduler.playback(on: index) else { continue }
            if first.map({ $0.standing < playback.standing }) ?? true { first = playback }
        }
        return first.map {
            .blocked(
                by: Decision.Blocker(
                    playback: $0.id, pattern: $0.pattern.isInline ? nil : $0.pattern.name, feedbackClass: $0.feedbackClass))
        }
    }

    /// Whether the lights among `actuators` may not flash so after all: the limits of another one leave it to what it shows.
    private func flashesTooOften(on actuators: [ActuatorIndex], _ scheduler: Scheduler, _ flashes: FlashLedger) -> Bool {
        guard candidate.traits.countsFlashes, let shape = candidate.pattern.flashes else { return false }
        let lights = actuators.filter(scheduler.isLight)
        return !lights.isEmpty && !flashes.admits(shape, after: candidate.wait, on: lights, at: now)
    }

    /// Nil: there is room for another playback.
    private func boundRefusal(
        on chosen: [ActuatorIndex], _ playbacks: PlaybackTable, _ work: inout WorkBudget
    ) -> Outcome? {
        guard playbacks.exceededBound(of: candidate.client, with: 1, bounds) != nil else { return nil }
        guard work.take(playbacks.count * WorkBudget.Cost.playback) else { return .refused(.suppressed, .quota) }
        return playbacks.reachedBound(for: candidate, on: chosen, bounds).map { .refused(.suppressed, .quota, $0) }
    }

    // MARK: What is felt of it

    /// False where looking at the plan on all of these costs more than the line may. The work of transitions is looked for once the rest
    /// is paid: else a line of many plays would look for that of all those that it cannot pay for.
    private func takeWork(on actuators: [Part], _ scheduler: Scheduler, _ work: inout WorkBudget) -> Bool {
        guard work.take(actuators.reduce(0) { $0 + scheduler.channels[$1.index.value].cost(of: plan) }) else { return false }
        return work.take(
            actuators.reduce(0) { $0 + scheduler.channels[$1.index.value].movingCost(of: plan, $1.entry, at: now) })
    }

    /// Those on which anything is felt of the plan.
    private func preview(on actuators: [Part], _ scheduler: Scheduler, _ work: inout WorkBudget) -> Outcome {
        var chosen: [Part] = []
        var prospect = Prospect(steps: plan.steps)
        var (outcome, limit) = (HapticCore.Outcome.suppressed, plan.peak > .zero ? Reason.tooSubtle : .silent)
        for (index, entry) in actuators {
            let seen = scheduler.channels[index.value].preview(plan, entry, fit: candidate.traits.isFitted, at: now, work: &work)
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
            return .refused(outcome, limit, nil, standIn(among: actuators.map(\.index), scheduler))
        }
        return .chosen(chosen, prospect)
    }

    /// Of a hand-over only those that hand over are left, or only that to which it goes over.
    private func isOneSided(_ chosen: [Part]) -> Bool {
        guard let takes = chosen.first?.entry.crossFade?.takes else { return false }
        return chosen.allSatisfy { $0.entry.crossFade?.takes == takes }
    }

    /// How each of those that may play it takes part. A hand-over takes two; where one side is missing, or nothing is felt of it there, the
    /// other plays it as it is.
    private func entries(on free: [ActuatorIndex], _ scheduler: Scheduler) -> [Part] {
        switch candidate.spread {
        case nil:
            return free.map {
                ($0, Entry(delay: candidate.wait, glides: !candidate.traits.countsFlashes || !scheduler.isLight($0)))
            }
        case .stagger(let stagger):
            return free.enumerated().map { ($1, Entry(delay: stagger.delay(at: $0, of: free.count))) }
        case .handOver(let handOver):
            guard free.count > 1, free.contains(handOver.to) else { return free.map { ($0, Entry()) } }
            return free.map {
                ($0, Entry(crossFade: CrossFade(takes: $0 == handOver.to, duration: handOver.duration)))
            }
        }
    }

    /// What of `actuators` stands in for what is not there; nil, mostly.
    func standIn(among actuators: [ActuatorIndex], _ scheduler: Scheduler) -> Decision.Circumstance? {
        let wanted = candidate.wanted(scheduler)
        if wanted.allSatisfy({ scheduler.channels[$0.value].isAvailable }) { return nil }
        let served = wanted.filter { scheduler.present([$0]).contains(where: actuators.contains) }
        let there = scheduler.present(served)
        if there.allSatisfy(wanted.contains) { return nil }
        return .standIn(wanted: scheduler.names(of: served), there: scheduler.names(of: there))
    }
}

extension Candidate {
    /// Where it is to be played. Without names that is everywhere, and where it is handed over to is not where it begins.
    func wanted(_ scheduler: Scheduler) -> [ActuatorIndex] {
        let wanted = actuators ?? scheduler.ordinary
        guard let handOver else { return wanted }
        return wanted.filter { $0 != handOver.to } + [handOver.to]
    }
}
