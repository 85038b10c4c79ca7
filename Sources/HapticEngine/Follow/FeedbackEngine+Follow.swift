// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Values that are felt as they are, for as long as they come.
extension FeedbackEngine {
    /// What the policy is asked about: a level.
    private static let level = PlayablePattern(
        name: "follow",
        timeline: Timeline(
            frames: [
                .init(offset: .zero, level: Level(intensity: .one, sharpness: FollowPlan.sharpness)),
                .init(offset: FollowPlan.length, level: .off),
            ], duration: FollowPlan.length))
    private static let standardShape = FollowShape()

    /// `slot`: of the source; `rule`: the index of its rule.
    mutating func decideFollowed(
        _ input: borrowing Input, _ progress: borrowing ProgressInput, slot: Int, rule: Int, _ decided: Decision,
        at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let shape = configuration.progressRules[rule].follow ?? Self.standardShape
        let (key, value) = (SourceKey(client: input.client, id: input.id), progress.value)
        let passed = sources.withSource(slot) { $0.detents.update(to: value, shape) }
        let impact = impact(of: passed, shape, rule, progress, input.feedback)
        var candidate = candidate(
            configuration.progressRules[rule].feedback, input, source: key, intensity: progress.intensity)
        candidate.spread = nil
        if let reason = obstacleToFollowing(candidate.feedbackClass) {
            return feelAlone(impact, candidate, decided, reason, at: now, into: &actions)
        }
        var decision = decided
        decision.isFollowed = true
        let index = liveFollow(of: key)
        candidate.pattern = Self.level
        candidate.isLimited = index == nil
        let wanted = candidate.intensity
        var path = PolicyPath(profile: profile, by: personal.settings.profileLayer)
        var objection = objection(to: &candidate, noting: &path, at: now)
        decision.policy = path
        decision.deadline = candidate.latest
        (decision.pattern, decision.isPatternInline) = (impact?.name, impact?.isInline ?? false)
        let gain = candidate.gain
        let target = Follow.Target(
            intensity: Intensity(clamping: value.value * gain.value), spring: shape.spring, most: gain.share(of: wanted),
            impact: impact.map { ($0, gain) }, saidAt: now)
        if objection == nil, index == nil, target.intensity.value < Timeline.leastIntensity, impact == nil {
            objection = .silent
        }
        if let objection {
            decision.noteAge(of: candidate, objection, at: now)
            return refuse(decision, objection, of: key, at: now, into: &actions)
        }
        if let index, follows[index].terms == .init(of: candidate), impact == nil || isWhole(follows[index], candidate) {
            return goOn(index, to: target, decision, at: now, into: &actions)
        }
        begin(target, candidate, decision, at: now, into: &actions)
    }

    /// The reason why the values of a class are not followed; `nil` if they are. Under `reduced` a meaning is kept and a detent is a light
    /// tick, but nothing continuous is felt; likewise if a profile or a condition replaces all patterns of the class by another one.
    private func obstacleToFollowing(_ feedbackClass: FeedbackClass) -> Reason? {
        if profile == .reduced { return .profile }
        if case .pattern = configuration.classes[feedbackClass].effect(of: profile) { return .profile }
        guard let demand = effectiveDemand(on: feedbackClass) else { return nil }
        if demand.profile == .reduced { return .condition }
        if case .pattern = demand.effect { return .condition }
        return nil
    }

    /// Of a value that is not followed what it has passed is felt, and else nothing.
    private mutating func feelAlone(
        _ impact: PlayablePattern?, _ wanted: Candidate, _ decided: Decision, _ reason: Reason, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var (candidate, decision) = (wanted, decided)
        guard let source = candidate.source else { return }
        if let impact {
            endFollow(of: source, reason, at: now, into: &actions)
            candidate.pattern = impact
            return play(candidate, decision, at: now, into: &actions)
        }
        candidate.pattern = Self.level
        var path = PolicyPath(profile: profile, by: personal.settings.profileLayer)
        let objection = objection(to: &candidate, noting: &path, at: now) ?? reason
        (decision.policy, decision.deadline) = (path, candidate.latest)
        decision.noteAge(of: candidate, objection, at: now)
        refuse(decision, objection, of: source, at: now, into: &actions)
    }

    /// A value of `source` is not felt, and what is felt of those before ends.
    private mutating func refuse(
        _ decision: Decision, _ reason: Reason, of source: SourceKey, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        // What came too late, or too much at once, says nothing of what is felt: that ends by itself.
        if reason != .stale, reason != .quota { endFollow(of: source, reason, at: now, into: &actions) }
        suppress(decision, reason, into: &actions)
    }

    /// The pattern in which what the value has passed is felt; nil: it is not.
    private func impact(
        of passed: DetentState.Passed, _ shape: FollowShape, _ rule: Int, _ progress: borrowing ProgressInput,
        _ feedback: Input.FeedbackOverride
    ) -> PlayablePattern? {
        let name: String
        switch passed {
        case .nothing: return nil
        case .detent:
            if let pattern = progress.pattern, feedback == .normal { return pattern }
            name = configuration.progressRules[rule].feedback.pattern
        case .end:
            guard let stop = shape.endStop else { return nil }
            name = stop
        }
        if case .pattern(let replacement) = feedback { return replacement }
        return configuration.patterns[Text(name)]
    }

    /// The playback has all actuators that there are for it: an impact is felt on each, also where a level is not.
    private func isWhole(_ follow: Follow, _ candidate: Candidate) -> Bool {
        let actuators = scheduler.playbacks[follow.playback]?.actuators.count ?? 0
        return actuators == scheduler.present(wanted(by: candidate)).count
    }

    private mutating func begin(
        _ target: Follow.Target, _ candidate: Candidate, _ decision: Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        guard let source = candidate.source else { return }
        let impact = target.impact.map { FollowPlan.Impact(pattern: $0.pattern, gain: $0.gain, at: now) }
        let plan = FollowPlan(target.intensity, target.spring, impact, most: target.most, saidAt: now, begins: true)
        var decision = decision
        decision.intensity = plan.peak
        guard let playback = perform(.followed(plan), candidate, decision, at: now, into: &actions) else {
            return endFollow(of: source, .superseded, at: now, into: &actions)
        }
        let actuators = scheduler.playbacks[playback]?.actuators ?? []
        let interval = actuators.reduce(Nanoseconds.zero) {
            let actuator = scheduler.channels[$1.value].actuator
            return max($0, actuator.limits.minInterval, actuator.capabilities.followInterval)
        }
        let follow = Follow(source, playback, .init(of: candidate), target, interval: interval, at: now)
        follows.add(follow) { scheduler.playbacks[$0] != nil }
    }

    /// The playback goes over to `target`, at once or as soon as it may.
    private mutating func goOn(
        _ index: Int, to target: Follow.Target, _ decision: Decision, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let isChange = follows[index].isChanged(by: target)
        follows.change(index) { $0.await(target) }
        let playback = follows[index].playback
        let actuators = scheduler.playbacks[playback]?.actuators ?? []
        var decision = decision
        decision.intensity = target.peak
        let isDue = follows[index].due <= now && work.take(WorkBudget.Cost.actuator * actuators.count)
        if isDue { goOver(index, at: now, into: &actions) }
        if isDue || !isChange {
            decision.outcome = .played
            decision.actuators = scheduler.names(of: actuators)
            decision.playback = playback
        } else {
            (decision.outcome, decision.reason) = (.merged, .minInterval)
        }
        conclude(decision, into: &actions)
    }

    /// Its playback goes over to what is pending.
    private mutating func goOver(_ index: Int, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard let (plan, saidAt) = follows.change(index, { $0.next(at: now) }) else { return }
        scheduler.follow(follows[index].playback, plan, saidAt: saidAt, at: now, into: &actions)
    }

    /// Whether another source is felt there at just this priority, and its values come. Two that took the actuator in turn would both be
    /// felt as neither.
    func isFollowed(_ index: ActuatorIndex, besides candidate: Candidate, at now: MonotonicInstant) -> Bool {
        guard let id = scheduler.channels[index.value].playback, scheduler.playbacks[id]?.standing == candidate.priority else {
            return false
        }
        return follows.follows.contains { $0.playback == id && $0.source != candidate.source && $0.isCurrent(at: now) }
    }

    /// Nil: nothing is felt of the source, or that is on its way out.
    private func liveFollow(of key: SourceKey) -> Int? { follows.index(of: key).flatMap { isLive(follows[$0]) ? $0 : nil } }

    private func isLive(_ follow: Follow) -> Bool { scheduler.playbacks[follow.playback].map { $0.ending == nil } ?? false }

    // MARK: By itself, and the end

    /// Goes over to the values that have come too soon, and may be felt by `now`.
    mutating func advanceFollows(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        while let index = follows.follows.firstIndex(where: { $0.due <= now }) {
            if isLive(follows[index]) { goOver(index, at: now, into: &actions) } else { follows.remove(index) }
        }
    }

    /// The source is let go: what is felt springs back to nothing, with the velocity that it has.
    mutating func letGoFollow(of key: SourceKey, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard let index = follows.index(of: key) else { return }
        if isLive(follows[index]) {
            let (spring, most) = (follows[index].spring, follows[index].most)
            follows.change(index) { $0.await(.init(intensity: .zero, spring: spring, most: most, impact: nil, saidAt: now)) }
            goOver(index, at: now, into: &actions)
        }
        follows.remove(index)
    }

    /// The same for what the connection itself was the source of.
    mutating func letGoFollows(ofConnection connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        for key in follows.follows.map(\.source) where key.identity == .connection(connection) {
            letGoFollow(of: key, at: now, into: &actions)
        }
    }

    /// What is felt of the source fades out: a value of it is not to be felt.
    private mutating func endFollow(
        of key: SourceKey, _ reason: Reason, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let index = follows.index(of: key) else { return }
        let playback = follows[index].playback
        follows.remove(index)
        endPlaybacks([playback], .graceful, as: (.cancelled, reason), at: now, into: &actions)
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
