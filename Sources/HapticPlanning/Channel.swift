// SPDX-License-Identifier: MIT
package import HapticCore
import HapticPatterns

/// One actuator with the playback that it has: plans its actuations a short horizon ahead, and revokes them.
///
/// The output of its motor exists twice: in `planned` after all planned actuations, in `revocable` after those that can no longer be
/// revoked. A revocation puts the planned output back to the settled one.
package struct Channel {
    /// Actuations that are handed out and can still be revoked, at most: more than `PlanningContract.horizon` holds of the shortest
    /// interval that an actuator can be given, 1 ms, so it is the contract alone that says how far ahead there is planned.
    package static let mostAhead = 128

    package let index: ActuatorIndex
    package let actuator: EngineActuator
    package var isAvailable = true

    package private(set) var playback: PlaybackID?
    var planned: PlannedState
    private(set) var revocable: RevocableActuations
    private var checkpoints = Checkpoints()
    /// The playback of the last actuation. If all of its actuations are revoked, there is nothing to end either.
    private var driver: PlaybackID?
    /// The last off that cut something, and the playback that it counts for.
    private var lastCut: (at: MonotonicInstant, by: PlaybackID?)?
    private var heatCounts: HeatCounts

    /// `past`: the channel that its motor had so far, which nothing plays on. What that did counts on, as `limits` has it now.
    package init(index: ActuatorIndex, actuator: EngineActuator, past: Channel? = nil) {
        self.index = index
        self.actuator = actuator
        let output = past?.revocable.settled.with(actuator) ?? MotorOutput(actuator)
        (planned, revocable) = (PlannedState(output), RevocableActuations(output))
        heatCounts = past?.heatCounts ?? HeatCounts()
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
        _ id: PlaybackID, _ remainder: CourseRemainder, fit: Bool, at now: MonotonicInstant, after motion: Motion?
    ) {
        take(id, Course(remainder, resumedAt: now, after: motion), fit: fit, at: now)
    }

    private mutating func take(_ id: PlaybackID, _ course: Course, fit: Bool, at now: MonotonicInstant) {
        // trap: the scheduler detaches what plays before another begins or goes on.
        precondition(playback == nil, "a channel plays one rhythm at a time")
        playback = id
        (planned.lastRequest, planned.lastActuation) = (now, now - Nanoseconds(1))
        planned.course = course
        if case .phases = course.plan { checkpoints = Checkpoints(arePossible: true) } else { checkpoints = Checkpoints() }
        planned.output.begin(fit: fit, isTrain: (course.plan?.steps ?? 1) > 1, at: now)
        revocable.settle(as: planned.output)
    }

    /// Plans up to `horizon` as `PlanningContract` has it, as far as there is room.
    package mutating func planAhead(to horizon: MonotonicInstant, now: MonotonicInstant, into orders: inout some OrderSink) {
        settle(before: now)
        while let next = planned.next,
            next.at <= horizon
                || PlanningContract.needsMore(isOn: planned.output.output.isOn, last: planned.lastActuation, horizon: horizon),
            !revocable.isFull, orders.free > 0
        {
            if checkpoints.arePossible { saveCheckpoint(before: next.at, now) }
            if let intended = next.intended {
                emit(planned.request(intended), run: intended.run, at: next.at, into: &orders)
            } else {
                emit(planned.elapse(at: next.at), at: next.at, into: &orders)
            }
        }
    }

    private mutating func settle(before now: MonotonicInstant) {
        // What is not planned yet has not happened: after a stall that is long before now, and the limits do not run ahead of it.
        revocable.settle(before: now, until: min(now, planned.next?.at ?? now))
        checkpoints.removeAll(before: now)
    }

    /// Keeps where planning is for the open phases that begin by `event`, which comes next: of the motor itself, too, as the end of a
    /// pulse that was made longer, which whoever ends the phase early must not take back for good.
    private mutating func saveCheckpoint(before event: MonotonicInstant, _ now: MonotonicInstant) {
        guard let openings = planned.course?.upcoming.next?.openings,
            let uncovered = checkpoints.uncovered(of: openings, upTo: event, after: now)
        else { return }
        checkpoints.append(Checkpoint(openings: uncovered, planned: planned))
    }

    /// When this channel wants to be planned or has ended; `distantFuture` where nothing plays.
    package var nextDeadline: MonotonicInstant {
        guard playback != nil else { return .distantFuture }
        guard let next = planned.next else { return planned.lastRequest }
        if revocable.isFull { return revocable.middle }
        return PlanningContract.nextCall(isOn: planned.output.output.isOn, last: planned.lastActuation, next: next.at)
    }

    /// Whether the plan has been played to its end by `now`.
    package func hasEnded(by now: MonotonicInstant) -> Bool {
        playback != nil && planned.next == nil && planned.lastRequest <= now
    }

    /// When the last pulse ends, once it has been planned.
    package var end: MonotonicInstant { planned.lastRequest }

    /// The limit of the motor that has cut this playback.
    package var cutReason: Reason? { planned.output.counts.cutReason }

    /// How hot its motor is at `now`; nil: nobody knows.
    package func heat(at now: MonotonicInstant) -> ActuatorHeat? {
        revocable.output(at: now).heat(at: now).map {
            ActuatorHeat(share: $0.share, strength: $0.strength, lowered: heatCounts.lowered, cut: heatCounts.cut)
        }
    }

    /// The machine slept so long, and nothing plays.
    package mutating func cool(for time: Nanoseconds) {
        planned.output.cool(for: time)
        revocable.settle(as: planned.output)
    }

    // MARK: Ending

    /// Frees the channel after its playback's end.
    package mutating func finish() {
        revocable.settle(as: planned.output)
        clear()
    }

    /// Off at once: revokes what is planned from `now` on.
    package mutating func stop(at now: MonotonicInstant, into orders: inout some OrderSink) {
        cut(at: now, into: &orders)
        clear()
    }

    /// What there is to go on with once something that takes the actuator at `now` is over; nil: nothing, or it fades out.
    package func remainder(at now: MonotonicInstant) -> CourseRemainder? {
        guard let remainder = planned.course?.remainder, remainder.end > now else { return nil }
        return remainder
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
        let ownOff = revocable.firstOff(from: now)
        let motion = planned.course?.motion(at: now)
        revoke(from: now, continues: true, into: &orders)
        planned.lastRequest = now
        let from = planned.output.output
        // Nothing is felt, or it is being braked, or only the fitting still drives it.
        guard from.drive > .zero, from.level.isOn else {
            planned.course = nil
            emit(planned.output.stop(at: now), at: now, into: &orders)
            return
        }
        planned.output.beginFade(from: motion?.level ?? from.level, at: now)
        revocable.settle(as: planned.output)
        if motion == nil, ownOff <= now + Course.longestFade {
            planned.course = Course(holding: from.level, at: now, until: ownOff)
        } else {
            planned.course = Course(fading: motion ?? Motion(level: from.level), at: now, end: ownOff)
        }
    }

    // MARK: Inside

    private mutating func clear() {
        if playback != nil { heatCounts.add(planned.output.counts) }
        (playback, planned.course) = (nil, nil)
        revocable.removeAll()
        checkpoints.removeAll()
    }

    /// As far as `plan` differs on this kind of actuator. A hand-over goes through all of its levels.
    func fitted(_ plan: PlaybackPlan, _ entry: Entry) -> PlaybackPlan {
        entry.crossFade == nil ? plan.fitted(to: actuator.capabilities) : plan
    }

    /// What `plan` goes on from if it begins at `now`: the present motion, where both glide.
    func motion(before plan: PlaybackPlan, _ entry: Entry, at now: MonotonicInstant) -> Motion? {
        entry.glides && plan.opening != nil ? planned.course?.motion(at: now) : nil
    }

    /// Revokes what is planned from `now` on; what is felt then is off, too, unless what comes `glides` and goes on from it: from the
    /// motion returned. `start`: what it goes on from where nothing of it is felt; nil: then it is off.
    mutating func interrupt(
        forGlide glides: Bool, orFrom start: Motion? = nil, at now: MonotonicInstant, into orders: inout some OrderSink
    ) -> Motion? {
        planned.lastRequest = now
        guard glides, let motion = planned.course?.motion(at: now) ?? start else {
            cut(at: now, into: &orders)
            return nil
        }
        revoke(from: now, continues: true, into: &orders)
        // What the limits have kept off is over.
        if !planned.output.output.isOn { _ = planned.output.stop(at: now) }
        revocable.settle(as: planned.output)
        return motion
    }

    private mutating func cut(at now: MonotonicInstant, into orders: inout some OrderSink) {
        revoke(from: now, into: &orders)
        let off = planned.output.stop(at: now)
        emit(off, by: driver, at: now, into: &orders)
        // It stands, whatever else happens at this instant.
        if off != nil { lastCut = (now, driver) }
        revocable.settle(as: planned.output)
    }

    /// `former`: who is said to do it; nil: what plays.
    private mutating func emit(
        _ driven: DrivenLevel?, run: RunIndex? = nil, by former: PlaybackID? = nil, at: MonotonicInstant,
        into orders: inout some OrderSink
    ) {
        guard let driven, let playback = former ?? playback else { return }
        planned.lastActuation = at
        driver = playback
        revocable.append(driven, at: at)
        orders.append(
            .actuate(
                Actuation(
                    planned: at, actuator: index, playback: playback, level: driven.level, drive: driven.drive,
                    run: planned.output.keepsRuns ? run : nil)))
    }

    /// `continues`: what is felt now does not end with it.
    private mutating func revoke(from now: MonotonicInstant, continues: Bool = false, into orders: inout some OrderSink) {
        let isRevoked = revocable.revoke(from: now)
        planned.output = revocable.settled
        checkpoints.removeAll()
        guard isRevoked, let playback else { return }
        planned.lastActuation = now - Nanoseconds(1)
        orders.append(.revoke(playback, index, from: now, continues: continues && planned.output.output.isOn))
        // That takes back the off of the same playback's phase that was cut at this instant, too. The settled output has it already.
        if let lastCut, lastCut.at == now, lastCut.by == playback {
            emit(DrivenLevel.off, at: now, into: &orders)
            revocable.removeAll()
        }
    }

    /// Goes back to where planning was when an open phase was to begin at `opening`, which is after now; if it has come that far.
    mutating func takeBack(from opening: MonotonicInstant, into orders: inout some OrderSink) {
        guard let playback, let checkpoint = checkpoints.take(at: opening) else { return }
        if revocable.takeBack(from: opening) {
            orders.append(.revoke(playback, index, from: opening, continues: checkpoint.planned.output.output.isOn))
        }
        planned = checkpoint.planned
    }
}
