// SPDX-License-Identifier: MIT
import DequeModule
package import HapticCore
import HapticPatterns

/// What one actuator is playing: a plan, how far ahead it has been planned, and the motor's limits at both ends of that.
///
/// Actuations are planned a short horizon ahead and can be revoked. So the motor's output exists twice: `tip` after all that has
/// been planned, `settled` after what can no longer be revoked; a revocation puts `tip` back to `settled`.
package struct Channel {
    /// Actuations that are handed out and can still be revoked, at most: more than `PlanningContract.horizon` holds of the shortest
    /// interval that an actuator can be given, 1 ms, so it is the contract alone that says how far ahead there is planned.
    package static let mostAhead = 128

    /// An actuation that has been handed out.
    private struct Change {
        var at: MonotonicInstant
        var driven: DrivenLevel
    }

    package let index: ActuatorIndex
    package let actuator: EngineActuator
    package var isAvailable = true

    package private(set) var playback: PlaybackID?
    var course: Course?
    /// What has been handed out and can still be revoked.
    private var ahead = Deque<Change>()
    /// Whether what plays has phases, and so may have open ones. Kept, because looking at the course for each event costs more.
    private var isPhased = false
    /// Of the open phases that have been planned and are still to come, in order of time.
    private var forks: [Fork] = []
    var lastRequest = MonotonicInstant.zero
    private var lastActuation = MonotonicInstant.zero
    /// Who had the motor driven last. What is taken back before it has driven anything has nothing to end either.
    private var driver: PlaybackID?
    /// The off that cut something last, and who is said to have done it.
    private var lastCut: (at: MonotonicInstant, by: PlaybackID?)?
    private var tip: MotorOutput
    private var settled: MotorOutput
    /// How many playbacks were felt less, and how many were cut, for the motor was hot.
    private var lowered: UInt64 = 0
    private var cutByHeat: UInt64 = 0

    /// `past`: the channel that its motor had so far, which nothing plays on. What that did counts on, as `limits` has it now.
    package init(index: ActuatorIndex, actuator: EngineActuator, past: Channel? = nil) {
        self.index = index
        self.actuator = actuator
        tip = past?.settled.with(actuator) ?? MotorOutput(actuator)
        settled = tip
        (lowered, cutByHeat) = (past?.lowered ?? 0, past?.cutByHeat ?? 0)
        ahead.reserveCapacity(Self.mostAhead)
    }

    // MARK: Playing

    /// Takes up `plan`; the channel is free. `motion`: what `leave` has said that it goes on from.
    package mutating func begin(
        _ id: PlaybackID, _ plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant, after motion: Motion?
    ) {
        take(id, Course(fitted(plan, entry), entry, at: now, after: motion), fit: fit, at: now)
    }

    /// Takes up what is left of a playback, where it would be by now; the channel is free. `motion`: as for `begin`.
    package mutating func resume(
        _ id: PlaybackID, _ rest: CourseRest, fit: Bool, at now: MonotonicInstant, after motion: Motion?
    ) {
        take(id, Course(rest, resumedAt: now, after: motion), fit: fit, at: now)
    }

    private mutating func take(_ id: PlaybackID, _ course: Course, fit: Bool, at now: MonotonicInstant) {
        // trap: the scheduler detaches what plays before another begins or goes on.
        precondition(playback == nil, "a channel plays one rhythm at a time")
        (playback, lastRequest) = (id, now)
        lastActuation = now - Nanoseconds(1)
        self.course = course
        if case .phases = course.plan { isPhased = true } else { isPhased = false }
        tip.begin(fit: fit, isTrain: (course.plan?.steps ?? 1) > 1, at: now)
        settled = tip
    }

    /// Plans up to `horizon` as `PlanningContract` has it, as far as there is room.
    package mutating func planAhead(to horizon: MonotonicInstant, now: MonotonicInstant, into orders: inout some OrderSink) {
        settle(before: now)
        while let next = nextUnplanned,
            next.at <= horizon || PlanningContract.needsMore(isOn: tip.output.isOn, last: lastActuation, horizon: horizon),
            ahead.count < Self.mostAhead, orders.free > 0
        {
            if isPhased { fork(before: next.at, now) }
            if let intended = next.intended {
                request(intended, into: &orders)
                course?.advance()
            } else {
                lastRequest = max(lastRequest, next.at)
                emit(tip.elapse(at: next.at), at: next.at, into: &orders)
            }
        }
    }

    /// Keeps where planning is for the open phases that begin by `event`, which comes next: of the motor itself, too, as the end of a
    /// pulse that was made longer, which whoever ends the phase early must not take back for good.
    private mutating func fork(before event: MonotonicInstant, _ now: MonotonicInstant) {
        guard let openings = course?.upcoming.next?.openings else { return }
        let first = max(openings.lowerBound, forks.last.map { $0.openings.upperBound + Nanoseconds(1) } ?? openings.lowerBound)
        let last = min(openings.upperBound, event)
        guard first <= last, last > now else { return }
        forks.append(Fork(first...last, course, tip, lastRequest: lastRequest, lastActuation: lastActuation))
    }

    /// When this channel wants to be planned or has ended; `distantFuture` where nothing plays.
    package var nextDeadline: MonotonicInstant {
        guard playback != nil else { return .distantFuture }
        guard let next = nextUnplanned else { return lastRequest }
        if ahead.count >= Self.mostAhead { return ahead[Self.mostAhead / 2].at }
        return PlanningContract.nextCall(isOn: tip.output.isOn, last: lastActuation, next: next.at)
    }

    /// Whether the plan has been played to its end by `now`.
    package func hasEnded(by now: MonotonicInstant) -> Bool { playback != nil && nextUnplanned == nil && lastRequest <= now }

    /// When the last pulse ends, once it has been planned.
    package var end: MonotonicInstant { lastRequest }

    /// What the motor's limits have cut of this playback.
    package var cutReason: Reason? { tip.counts.cutReason }

    /// How hot its motor is at `now`; nil: nobody knows.
    package func heat(at now: MonotonicInstant) -> ActuatorHeat? {
        output(settledBefore: now).heat(at: now).map {
            ActuatorHeat(share: $0.share, strength: $0.strength, lowered: lowered, cut: cutByHeat)
        }
    }

    /// The machine slept so long, and nothing plays.
    package mutating func cool(for time: Nanoseconds) {
        tip.cool(for: time)
        settled = tip
    }

    // MARK: Ending

    /// Frees the channel after its playback's end.
    package mutating func finish() {
        settled = tip
        clear()
    }

    /// Off at once: revokes what is planned from `now` on.
    package mutating func stop(at now: MonotonicInstant, into orders: inout some OrderSink) {
        cut(at: now, into: &orders)
        clear()
    }

    /// What there is to go on with once something that takes the actuator at `now` is over; nil: nothing, or it fades out.
    package func rest(at now: MonotonicInstant) -> CourseRest? {
        guard let rest = course?.rest, rest.end > now else { return nil }
        return rest
    }

    /// Makes room for what begins or goes on at `now`, and glides there or does not. Returns the motion that it goes on from; nil: the
    /// actuator is off.
    package mutating func leave(forGlide glides: Bool, at now: MonotonicInstant, into orders: inout some OrderSink) -> Motion? {
        let motion = interrupt(forGlide: glides, at: now, into: &orders)
        clear()
        return motion
    }

    /// Lets what is felt at `now` fade out and drops the rest. The playback ends with the fade.
    package mutating func fade(at now: MonotonicInstant, into orders: inout some OrderSink) {
        // What would have gone off within the fade still does so at its own time.
        let ownOff = ahead.first { $0.at >= now && !$0.driven.isOn }?.at ?? .distantFuture
        let motion = course?.motion(at: now)
        revoke(from: now, goingOn: true, into: &orders)
        lastRequest = now
        let from = tip.output
        // Nothing is felt, or it is being braked, or only the fitting still drives it.
        guard from.drive > .zero, from.level.isOn else {
            course = nil
            emit(tip.stop(at: now), at: now, into: &orders)
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

    // MARK: Inside

    private mutating func clear() {
        if playback != nil, tip.counts.cutReason == .thermal {
            cutByHeat += 1
        } else if playback != nil, tip.counts.leastStrength < 1 {
            lowered += 1
        }
        (playback, course) = (nil, nil)
        ahead.removeAll(keepingCapacity: true)
        forks.removeAll()
    }

    /// As far as `plan` differs on this kind of actuator. A hand-over goes through all of its levels.
    func fitted(_ plan: PlaybackPlan, _ entry: Entry) -> PlaybackPlan {
        entry.crossFade == nil ? plan.fitted(to: actuator.capabilities) : plan
    }

    /// What `plan` goes on from if it begins at `now`: the present motion, where both glide.
    func motion(before plan: PlaybackPlan, _ entry: Entry, at now: MonotonicInstant) -> Motion? {
        entry.glides && plan.opening != nil ? course?.motion(at: now) : nil
    }

    /// Revokes what is planned from `now` on; what is felt then is off, too, unless what comes `glides` and goes on from it: from the
    /// motion returned. `rest`: what it goes on from where nothing of it is felt; nil: then it is off.
    mutating func interrupt(
        forGlide glides: Bool, orFrom rest: Motion? = nil, at now: MonotonicInstant, into orders: inout some OrderSink
    ) -> Motion? {
        lastRequest = now
        guard glides, let motion = course?.motion(at: now) ?? rest else {
            cut(at: now, into: &orders)
            return nil
        }
        revoke(from: now, goingOn: true, into: &orders)
        // What the limits have kept off is over.
        if !tip.output.isOn { _ = tip.stop(at: now) }
        settled = tip
        return motion
    }

    private mutating func cut(at now: MonotonicInstant, into orders: inout some OrderSink) {
        revoke(from: now, into: &orders)
        let off = tip.stop(at: now)
        emit(off, by: driver, at: now, into: &orders)
        // It stands, whatever else happens at this instant.
        if off != nil { lastCut = (now, driver) }
        settled = tip
        ahead.removeAll(keepingCapacity: true)
    }

    /// What comes next: a level of the course, or (nil) something that the output does by itself. A level comes first
    /// where both are due, so that a pulse that ends with the gap is merged and not begun.
    private var nextUnplanned: (at: MonotonicInstant, intended: Course.Next?)? {
        let own = tip.nextEvent
        if let next = course?.upcoming.next { return next.at <= own ? (next.at, next) : (own, nil) }
        return own == .distantFuture ? nil : (own, nil)
    }

    private mutating func request(_ intended: Course.Next, into orders: inout some OrderSink) {
        lastRequest = intended.at
        guard let upcoming = course?.upcoming else { return }
        emit(tip.request(intended, among: upcoming), run: intended.run, at: intended.at, into: &orders)
    }

    /// `former`: who is said to do it; nil: what plays.
    private mutating func emit(
        _ driven: DrivenLevel?, run: RunIndex? = nil, by former: PlaybackID? = nil, at: MonotonicInstant,
        into orders: inout some OrderSink
    ) {
        guard let driven, let playback = former ?? playback else { return }
        lastActuation = at
        driver = playback
        ahead.append(Change(at: at, driven: driven))
        orders.append(
            .actuate(
                Actuation(
                    planned: at, actuator: index, playback: playback, level: driven.level, drive: driven.drive,
                    run: tip.keepsRuns ? run : nil)))
    }

    /// `goingOn`: what is felt now does not end with it.
    private mutating func revoke(from now: MonotonicInstant, goingOn: Bool = false, into orders: inout some OrderSink) {
        settled = output(settledBefore: now)
        tip = settled
        forks.removeAll()
        defer { ahead.removeAll(keepingCapacity: true) }
        guard let last = ahead.last, last.at >= now, let playback else { return }
        lastActuation = now - Nanoseconds(1)
        orders.append(.revoke(playback, index, from: now, goesOn: goingOn && tip.output.isOn))
        // That takes back the off of the same playback's phase that was cut at this instant, too.
        if let lastCut, lastCut.at == now, lastCut.by == playback { emit(DrivenLevel.off, at: now, into: &orders) }
    }

    /// Goes back to where planning was when an open phase was to begin at `opening`, which is after now; if it has come that far.
    mutating func takeBack(from opening: MonotonicInstant, into orders: inout some OrderSink) {
        guard let number = forks.firstIndex(where: { $0.openings.contains(opening) }), let playback else { return }
        let fork = forks[number]
        forks.removeSubrange(number...)
        if let last = ahead.last, last.at >= opening {
            orders.append(.revoke(playback, index, from: opening, goesOn: fork.tip.output.isOn))
        }
        while let last = ahead.last, last.at >= opening { ahead.removeLast() }
        (course, tip) = (fork.course, fork.tip)
        (lastRequest, lastActuation) = (fork.lastRequest, fork.lastActuation)
    }

    private mutating func settle(before now: MonotonicInstant) {
        // What is not planned yet has not happened: after a stall that is long before now, and the limits do not run ahead of it.
        settled = output(settledBefore: now, alone: min(now, nextUnplanned?.at ?? now))
        while let first = ahead.first, first.at < now { ahead.removeFirst() }
        if !forks.isEmpty { forks.removeAll { $0.openings.upperBound < now } }
    }

    /// Where the motor is at `now`, whatever has been handed out from then on. What was only wished for is of no account once that
    /// is revoked. After the last of these changes the limits act by themselves until `end`, or until `now` where `end` is nil.
    func output(settledBefore now: MonotonicInstant, alone end: MonotonicInstant? = nil) -> MotorOutput {
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
