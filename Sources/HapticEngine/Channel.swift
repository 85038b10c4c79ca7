// SPDX-License-Identifier: MIT
import DequeModule
import HapticCore
import HapticPatterns

/// What one actuator is playing: a plan, how far ahead it has been planned, and the motor's limits at both ends of that.
///
/// Actuations are planned a short horizon ahead and can be revoked. So the motor's output exists twice: `tip` after all that has
/// been planned, `settled` after what can no longer be revoked; a revocation puts `tip` back to `settled`.
struct Channel {
    /// Actuations that are handed out and can still be revoked, at most: more than `PlanningContract.horizon` holds of the shortest
    /// interval that an actuator can be given, 1 ms, so it is the contract alone that says how far ahead there is planned.
    static let mostAhead = 128

    /// An actuation that has been handed out.
    private struct Change {
        var at: MonotonicInstant
        var driven: DrivenLevel
    }

    let index: ActuatorIndex
    let actuator: EngineActuator
    var isAvailable = true

    private(set) var playback: PlaybackID?
    private var course: Course?
    /// What has been handed out and can still be revoked.
    private var ahead = Deque<Change>()
    /// Of the open phases that have been planned and are still to come, in order of time.
    private var forks: [Fork] = []
    private var lastRequest = MonotonicInstant.zero
    private var lastActuation = MonotonicInstant.zero
    /// Who had the motor driven last. What is taken back before it has driven anything has nothing to end either.
    private var driver: PlaybackID?
    private var tip: MotorOutput
    private var settled: MotorOutput

    /// `past`: the channel that its motor had so far, which nothing plays on. What that did counts on, as `limits` has it now.
    init(index: ActuatorIndex, actuator: EngineActuator, past: Channel? = nil) {
        self.index = index
        self.actuator = actuator
        tip = past?.settled.with(actuator) ?? MotorOutput(actuator)
        settled = tip
        ahead.reserveCapacity(Self.mostAhead)
    }

    // MARK: Playing

    /// What `plan` would come to if it replaced what is playing.
    func preview(_ plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant) -> MotorLimiter.Counts {
        var output = output(settledBefore: now)
        let motion = motion(before: plan, at: now)
        if motion == nil || !output.output.isOn { _ = output.stop(at: now) }
        output.begin(fit: fit, at: now)
        var course = Course(plan.fitted(to: actuator.capabilities), entry, at: now, after: motion)
        // Of an open phase one round is enough.
        for _ in 0..<course.frameCount {
            guard let next = course.next else { break }
            while output.nextEvent < next.at { _ = output.elapse(at: output.nextEvent) }
            _ = output.request(next, among: course.upcoming)
            course.advance()
        }
        // A last pulse that waits for the gap may be lengthened, and show after the plan's end. One with open phases has more frames.
        if course.next == nil { output.settleWhole() }
        return output.counts
    }

    /// What it takes to look at `plan` here, and to begin it: see `WorkBudget`.
    func cost(of plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant) -> Int {
        let isFitted = fit && actuator.motor != nil
        let cost = plan.cost(within: actuator.limits, isFitted: isFitted)
        let motion = motion(before: plan, at: now)
        guard motion != nil || entry.crossFade != nil else { return cost }
        return cost + Course(plan, entry, at: now, after: motion).movingCost(isFitted: isFitted)
    }

    /// Takes up `plan`; the channel is free. `motion`: what `leave` has said that it goes on from.
    mutating func begin(
        _ id: PlaybackID, _ plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant, after motion: Motion?
    ) {
        // trap: the scheduler detaches what plays before it begins another.
        precondition(playback == nil, "a channel plays one rhythm at a time")
        (playback, lastRequest) = (id, now)
        lastActuation = now - Nanoseconds(1)
        course = Course(plan.fitted(to: actuator.capabilities), entry, at: now, after: motion)
        tip.begin(fit: fit, at: now)
        settled = tip
    }

    /// Plans up to `horizon` as `PlanningContract` has it, as far as there is room.
    mutating func planAhead(to horizon: MonotonicInstant, now: MonotonicInstant, into actions: inout ActionBuffer) {
        settle(before: now)
        while let next = nextUnplanned,
            next.at <= horizon || PlanningContract.needsMore(isOn: tip.output.isOn, last: lastActuation, horizon: horizon),
            ahead.count < Self.mostAhead, actions.free > 0
        {
            if let intended = next.intended {
                if let opening = intended.opening, opening > now {
                    forks.append(Fork(opening, course, tip, lastRequest: lastRequest, lastActuation: lastActuation))
                }
                request(intended, into: &actions)
                course?.advance()
            } else {
                lastRequest = max(lastRequest, next.at)
                emit(tip.elapse(at: next.at), at: next.at, into: &actions)
            }
        }
    }

    /// When this channel wants to be planned or has ended; `distantFuture` where nothing plays.
    var nextDeadline: MonotonicInstant {
        guard playback != nil else { return .distantFuture }
        guard let next = nextUnplanned else { return lastRequest }
        if ahead.count >= Self.mostAhead { return ahead[Self.mostAhead / 2].at }
        return PlanningContract.nextCall(isOn: tip.output.isOn, last: lastActuation, next: next.at)
    }

    /// Whether the plan has been played to its end by `now`.
    func hasEnded(by now: MonotonicInstant) -> Bool { playback != nil && nextUnplanned == nil && lastRequest <= now }

    /// When the last pulse ends, once it has been planned.
    var end: MonotonicInstant { lastRequest }

    /// What the motor's limits have cut of this playback.
    var cutReason: Reason? { tip.counts.cutReason }

    // MARK: Ending

    /// Frees the channel after its playback's end.
    mutating func finish() {
        settled = tip
        clear()
    }

    /// Off at once: revokes what is planned from `now` on.
    mutating func stop(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        cut(at: now, into: &actions)
        clear()
    }

    /// Makes room for `plan`, which begins at once. Returns the motion that it goes on from; nil: the actuator is off.
    mutating func leave(for plan: PlaybackPlan, at now: MonotonicInstant, into actions: inout ActionBuffer) -> Motion? {
        let motion = interrupt(for: plan, at: now, into: &actions)
        clear()
        return motion
    }

    /// Lets what is felt at `now` fade out and drops the rest. The playback ends with the fade.
    mutating func fade(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        // What would have gone off within the fade still does so at its own time.
        let ownOff = ahead.first { $0.at >= now && !$0.driven.isOn }?.at ?? .distantFuture
        let motion = course?.motion(at: now)
        revoke(from: now, goingOn: true, into: &actions)
        lastRequest = now
        let from = tip.output
        // Nothing is felt, or it is being braked, or only the fitting still drives it.
        guard from.drive > .zero, from.level.isOn else {
            course = nil
            emit(tip.stop(at: now), at: now, into: &actions)
            return
        }
        tip.beginFade(from: motion?.level ?? from.level, at: now)
        settled = tip
        if motion == nil, ownOff <= now + Course.longestFade {
            course = Course(holding: from.level, at: now, until: ownOff)
        } else {
            course = Course(fading: motion ?? Motion(level: from.level), at: now, end: ownOff)
        }
    }

    /// The number of the open phase that ends with what it lasts `until`: that at `now`, or else the next one that waits for it.
    func phase(endedBy until: Pattern.Phase.Until, at now: MonotonicInstant) -> Int? {
        course?.phase(endedBy: until, at: now)
    }

    /// Ends the open phases up to `number` that last `until` this. The present one ends at once, and what follows begins; where that is
    /// nothing what is felt fades out. One to come is left out, and nothing before it changes.
    mutating func advance(
        past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let before = course else { return }
        switch before.shortened(past: until, through: number, at: now) {
        case nil: break
        case .now(let rest) where rest.frameCount == 0: fade(at: now, into: &actions)
        case .now(let rest):
            let motion = interrupt(for: rest, at: now, into: &actions)
            course = Course(rest, before.entry(at: now), at: now, after: motion)
        case .later(let plan, let index, let offset):
            let opening = before.start + offset
            takeBack(from: opening, into: &actions)
            course?.goOn(with: plan, from: index, at: opening)
            // Where nothing is left to play, it ends now at the earliest.
            lastRequest = max(lastRequest, now)
        }
    }

    // MARK: Inside

    private mutating func clear() {
        (playback, course) = (nil, nil)
        ahead.removeAll(keepingCapacity: true)
        forks.removeAll()
    }

    /// What `plan` goes on from if it begins at `now`: the present motion, where both glide.
    private func motion(before plan: PlaybackPlan, at now: MonotonicInstant) -> Motion? {
        plan.opening == nil ? nil : course?.motion(at: now)
    }

    /// Revokes what is planned from `now` on; what is felt then is off, too, unless `plan` goes on from it: from the motion returned.
    private mutating func interrupt(
        for plan: PlaybackPlan, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> Motion? {
        lastRequest = now
        guard let motion = motion(before: plan, at: now) else {
            cut(at: now, into: &actions)
            return nil
        }
        revoke(from: now, goingOn: true, into: &actions)
        // What the limits have kept off is over.
        if !tip.output.isOn { _ = tip.stop(at: now) }
        settled = tip
        return motion
    }

    private mutating func cut(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        revoke(from: now, into: &actions)
        emit(tip.stop(at: now), by: driver, at: now, into: &actions)
        // It stands, whatever else happens at this instant.
        settled = tip
        ahead.removeAll(keepingCapacity: true)
    }

    /// What comes next: a level of the course, or (nil) something that the output does by itself. A level comes first
    /// where both are due, so that a pulse that ends with the gap is merged and not begun.
    private var nextUnplanned: (at: MonotonicInstant, intended: Course.Next?)? {
        let own = tip.nextEvent
        if let next = course?.next { return next.at <= own ? (next.at, next) : (own, nil) }
        return own == .distantFuture ? nil : (own, nil)
    }

    private mutating func request(_ intended: Course.Next, into actions: inout ActionBuffer) {
        lastRequest = intended.at
        guard let upcoming = course?.upcoming else { return }
        emit(tip.request(intended, among: upcoming), run: intended.run, at: intended.at, into: &actions)
    }

    /// `former`: who is said to do it; nil: what plays.
    private mutating func emit(
        _ driven: DrivenLevel?, run: RunIndex? = nil, by former: PlaybackID? = nil, at: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        guard let driven, let playback = former ?? playback else { return }
        lastActuation = at
        driver = playback
        ahead.append(Change(at: at, driven: driven))
        actions.append(
            .actuate(
                Actuation(
                    planned: at, actuator: index, playback: playback, level: driven.level, drive: driven.drive,
                    run: tip.keepsRuns ? run : nil)))
    }

    /// `goingOn`: what is felt now does not end with it.
    private mutating func revoke(from now: MonotonicInstant, goingOn: Bool = false, into actions: inout ActionBuffer) {
        settled = output(settledBefore: now)
        tip = settled
        forks.removeAll()
        defer { ahead.removeAll(keepingCapacity: true) }
        guard let last = ahead.last, last.at >= now, let playback else { return }
        lastActuation = now - Nanoseconds(1)
        actions.append(.revoke(playback, index, from: now, goesOn: goingOn && tip.output.isOn))
    }

    /// Goes back to where planning was when an open phase was to begin at `opening`, which is after now; if it has come that far.
    private mutating func takeBack(from opening: MonotonicInstant, into actions: inout ActionBuffer) {
        guard let number = forks.firstIndex(where: { $0.at == opening }), let playback else { return }
        let fork = forks[number]
        forks.removeSubrange(number...)
        if let last = ahead.last, last.at >= opening {
            actions.append(.revoke(playback, index, from: opening, goesOn: fork.tip.output.isOn))
        }
        while let last = ahead.last, last.at >= opening { ahead.removeLast() }
        (course, tip) = (fork.course, fork.tip)
        (lastRequest, lastActuation) = (fork.lastRequest, fork.lastActuation)
    }

    private mutating func settle(before now: MonotonicInstant) {
        // What is not planned yet has not happened: after a stall that is long before now, and the limits do not run ahead of it.
        settled = output(settledBefore: now, alone: min(now, nextUnplanned?.at ?? now))
        while let first = ahead.first, first.at < now { ahead.removeFirst() }
        if !forks.isEmpty { forks.removeAll { $0.at < now } }
    }

    /// Where the motor is at `now`, whatever has been handed out from then on. What was only wished for is of no account once that
    /// is revoked. After the last of these changes the limits act by themselves until `end`, or until `now` where `end` is nil.
    private func output(settledBefore now: MonotonicInstant, alone end: MonotonicInstant? = nil) -> MotorOutput {
        var output = settled
        for change in ahead {
            guard change.at < now else { break }
            output.settle(until: change.at)
            output.follow(change.driven, at: change.at)
        }
        output.settle(until: end ?? now)
        return output
    }
}
