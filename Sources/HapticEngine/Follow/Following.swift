// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Values that are felt as they are, for as long as they come.
extension FollowTable {
    /// The pattern that the policy is asked about: a level.
    private static let level = PlayablePattern(
        name: "follow",
        timeline: Timeline(
            frames: [
                .init(offset: .zero, level: Level(intensity: .one, sharpness: FollowPlan.sharpness)),
                .init(offset: FollowPlan.length, level: .off),
            ], duration: FollowPlan.length))

    /// Decides on a followed value: its playback goes over to it, or begins.
    mutating func decide(
        _ followed: FollowedValue, _ decided: Decision, _ arbiter: inout Arbiter, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var (candidate, decision, impact) = (followed.candidate, decided, followed.impact)
        let classes = arbiter.rules.configuration.classes
        if let reason = arbiter.policy.obstacleToFollowing(candidate.feedbackClass, classes) {
            return feelAlone(followed, decided, reason, &arbiter, at: now, into: &actions)
        }
        decision.isFollowed = true
        let index = liveIndex(of: followed.source, arbiter.scheduler)
        candidate.pattern = Self.level
        candidate.traits.isLimited = index == nil
        let wanted = candidate.intensity
        var objection = arbiter.objection(to: &candidate, &decision, at: now)
        (decision.pattern, decision.isPatternInline) = (impact?.name, impact?.isInline ?? false)
        let gain = candidate.gain
        let target = Follow.Target(
            intensity: Intensity(clamping: followed.value.value * gain.value), spring: followed.spring,
            most: gain.share(of: wanted), impact: impact.map { ($0, gain) }, saidAt: now)
        if objection == nil, index == nil, target.intensity.value < Timeline.leastIntensity, impact == nil {
            objection = .silent
        }
        if let objection {
            decision.noteAge(of: candidate, objection, at: now)
            return refuse(decision, objection, of: followed.source, &arbiter, at: now, into: &actions)
        }
        if let index, follows[index].terms == .init(of: candidate),
            impact == nil || follows[index].isWhole(candidate, arbiter.scheduler)
        {
            return proceed(index, to: target, decision, &arbiter, at: now, into: &actions)
        }
        begin(target, candidate, of: followed.source, decision, &arbiter, at: now, into: &actions)
    }

    /// Of a value that is not followed what it has passed is felt, and else nothing.
    private mutating func feelAlone(
        _ followed: FollowedValue, _ decided: Decision, _ reason: Reason, _ arbiter: inout Arbiter, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var (candidate, decision) = (followed.candidate, decided)
        if let impact = followed.impact {
            end(of: followed.source, reason, &arbiter, at: now, into: &actions)
            candidate.pattern = impact
            return arbiter.play(candidate, decision, at: now, into: &actions)
        }
        candidate.pattern = Self.level
        let objection = arbiter.objection(to: &candidate, &decision, at: now) ?? reason
        decision.noteAge(of: candidate, objection, at: now)
        refuse(decision, objection, of: followed.source, &arbiter, at: now, into: &actions)
    }

    /// A value of `source` is not felt, and what is felt of those before ends.
    private mutating func refuse(
        _ decision: Decision, _ reason: Reason, of source: SourceKey, _ arbiter: inout Arbiter, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        // What came too late, or too much at once, says nothing of what is felt: that ends by itself.
        if reason != .stale, reason != .quota { end(of: source, reason, &arbiter, at: now, into: &actions) }
        arbiter.suppress(decision, reason, into: &actions)
    }

    private mutating func begin(
        _ target: Follow.Target, _ candidate: Candidate, of source: SourceKey, _ decided: Decision, _ arbiter: inout Arbiter,
        at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let impact = target.impact.map { FollowPlan.Impact(pattern: $0.pattern, gain: $0.gain, at: now) }
        let plan = FollowPlan(target.intensity, target.spring, impact, most: target.most, saidAt: now, begins: true)
        var decision = decided
        decision.intensity = plan.peak
        let others = follows.filter { $0.source != source && $0.isCurrent(at: now) }.map(\.playback)
        guard let playback = arbiter.perform(.followed(plan), candidate, decision, beside: others, at: now, into: &actions) else {
            return end(of: source, .superseded, &arbiter, at: now, into: &actions)
        }
        let actuators = arbiter.scheduler.playbacks[playback]?.actuators ?? []
        let interval = actuators.reduce(Nanoseconds.zero) {
            let actuator = arbiter.scheduler.channels[$1.value].actuator
            return max($0, actuator.limits.minInterval, actuator.capabilities.followInterval)
        }
        let follow = Follow(source, playback, .init(of: candidate), target, interval: interval, at: now)
        add(follow) { arbiter.scheduler.playbacks[$0] != nil }
    }

    /// The playback gets `target`, at once or as soon as it may.
    private mutating func proceed(
        _ index: Int, to target: Follow.Target, _ decided: Decision, _ arbiter: inout Arbiter, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let isChange = follows[index].isChanged(by: target)
        change(index) { $0.setPending(target) }
        let playback = follows[index].playback
        let actuators = arbiter.scheduler.playbacks[playback]?.actuators ?? []
        var decision = decided
        decision.intensity = target.peak
        let isDue = follows[index].due <= now && arbiter.work.take(WorkBudget.Cost.actuator * actuators.count)
        if isDue { retarget(index, &arbiter.scheduler, at: now, into: &actions) }
        if isDue || !isChange {
            decision.outcome = .played
            decision.actuators = arbiter.scheduler.names(of: actuators)
            decision.playback = playback
        } else {
            (decision.outcome, decision.reason) = (.merged, .minInterval)
        }
        arbiter.conclude(decision, into: &actions)
    }

    /// Its playback gets what is pending as its target.
    private mutating func retarget(
        _ index: Int, _ scheduler: inout Scheduler, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let (plan, saidAt) = change(index, { $0.next(at: now) }) else { return }
        scheduler.follow(follows[index].playback, plan, saidAt: saidAt, at: now, into: &actions)
    }

    /// Nil: nothing is felt of the source, or that is on its way out.
    private func liveIndex(of key: SourceKey, _ scheduler: Scheduler) -> Int? {
        index(of: key).flatMap { follows[$0].isLive(scheduler) ? $0 : nil }
    }

    // MARK: By itself, and the end

    /// Goes over to the values that have come too soon, and may be felt by `now`.
    mutating func advance(to now: MonotonicInstant, _ scheduler: inout Scheduler, into actions: inout ActionBuffer) {
        while let index = follows.firstIndex(where: { $0.due <= now }) {
            if follows[index].isLive(scheduler) { retarget(index, &scheduler, at: now, into: &actions) } else { remove(index) }
        }
    }

    /// The source is released: what is felt springs back to nothing, with the velocity that it has.
    mutating func release(
        _ key: SourceKey, _ scheduler: inout Scheduler, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let index = index(of: key) else { return }
        if follows[index].isLive(scheduler) {
            let (spring, most) = (follows[index].spring, follows[index].most)
            change(index) { $0.setPending(.init(intensity: .zero, spring: spring, most: most, impact: nil, saidAt: now)) }
            retarget(index, &scheduler, at: now, into: &actions)
        }
        remove(index)
    }

    /// The same for what the connection itself was the source of.
    mutating func release(
        ofConnection connection: UInt64, _ scheduler: inout Scheduler, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        for key in follows.map(\.source) where key.identity == .connection(connection) {
            release(key, &scheduler, at: now, into: &actions)
        }
    }

    /// What is felt of the source fades out: a value of it is not to be felt.
    private mutating func end(
        of key: SourceKey, _ reason: Reason, _ arbiter: inout Arbiter, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let index = index(of: key) else { return }
        let playback = follows[index].playback
        remove(index)
        arbiter.endPlaybacks([playback], .graceful, as: (.cancelled, reason), at: now, into: &actions)
    }
}

extension Follow {
    fileprivate func isLive(_ scheduler: Scheduler) -> Bool { scheduler.playbacks[playback].map { $0.ending == nil } ?? false }

    /// The playback has all actuators that there are for it: an impact is felt on each, also where a level is not.
    fileprivate func isWhole(_ candidate: Candidate, _ scheduler: Scheduler) -> Bool {
        let actuators = scheduler.playbacks[playback]?.actuators.count ?? 0
        return actuators == scheduler.present(candidate.wanted(scheduler)).count
    }
}

extension Scheduler {
    /// The playback of a followed value goes over to `plan`, whose value was said at `saidAt`.
    mutating func follow(
        _ id: PlaybackID, _ plan: FollowPlan, saidAt: MonotonicInstant, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        for index in playbacks[id]?.actuators ?? [] {
            channels[index.value].follow(plan, saidAt: saidAt, at: now, into: &actions)
        }
        nextDeadline = min(nextDeadline, now)
    }
}
