// SPDX-License-Identifier: MIT
import DequeModule
import HapticCore

/// What one actuator is playing: a plan, how far ahead it has been planned, and the motor's limits at both ends of that.
///
/// Actuations are planned a short horizon ahead and can be revoked. So the motor's output exists twice: `tip` after all that has
/// been planned, `settled` after what can no longer be revoked; a revocation puts `tip` back to `settled`.
struct Channel {
    /// Actuations that are handed out and can still be revoked, at most: more than `PlanningContract.horizon` holds of the shortest
    /// interval that an actuator can be given, 1 ms, so it is the contract alone that says how far ahead there is planned.
    static let mostAhead = 128
    /// How long a graceful cancel takes at most, and the steps of its fade.
    static let gracefulFade = Nanoseconds.milliseconds(50)
    private static let fadeSteps = 5

    /// An actuation that has been handed out.
    private struct Change {
        var at: MonotonicInstant
        var driven: DrivenLevel
    }

    let index: ActuatorIndex
    let actuator: EngineActuator
    var isAvailable = true

    private(set) var playback: PlaybackID?
    private var plan: PlaybackPlan?
    private var cursor: PlaybackPlan.Cursor?
    private var start = MonotonicInstant.zero
    /// What has been handed out and can still be revoked.
    private var ahead = Deque<Change>()
    private var lastRequest = MonotonicInstant.zero
    private var lastActuation = MonotonicInstant.zero
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
    func preview(_ plan: PlaybackPlan, fit: Bool = true, at now: MonotonicInstant) -> MotorLimiter.Counts {
        var output = output(settledBefore: now)
        _ = output.stop(at: now)
        output.begin(fit: fit, at: now)
        var cursor = PlaybackPlan.Cursor(plan)
        // A plan may have no end.
        for _ in 0..<plan.frameCount {
            guard let frame = cursor.peek(plan) else { break }
            let at = now + frame.offset
            while output.nextEvent < at { _ = output.elapse(at: output.nextEvent) }
            _ = output.request(frame.level, of: plan, cursor, from: now, at: at)
            cursor.advance(plan)
        }
        return output.counts
    }

    /// Takes up `plan`; the channel is free.
    mutating func begin(_ id: PlaybackID, _ plan: PlaybackPlan, fit: Bool = true, at now: MonotonicInstant) {
        // trap: the scheduler detaches what plays before it begins another.
        precondition(playback == nil, "a channel plays one rhythm at a time")
        (playback, start, lastRequest) = (id, now, now)
        lastActuation = now - Nanoseconds(1)
        (self.plan, cursor) = (plan, .init(plan))
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
            if let level = next.level {
                request(level, at: next.at, into: &actions)
                // trap: with a cursor there is the plan that it is in.
                cursor?.advance(plan!)
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
        revoke(from: now, into: &actions)
        emit(tip.stop(at: now), at: now, into: &actions)
        settled = tip
        clear()
    }

    /// Lets what is felt at `now` fade out and drops the rest. The playback ends with the fade.
    mutating func fade(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        // What would have gone off within the fade still does so at its own time.
        let ownOff = ahead.first { $0.at >= now && !$0.driven.isOn }?.at ?? .distantFuture
        revoke(from: now, into: &actions)
        (plan, cursor) = (nil, nil)
        let end = min(now + Self.gracefulFade, ownOff)
        let from = tip.beginFade(at: now)
        lastRequest = now
        // Nothing is felt, or it is being braked.
        guard from.drive > .zero else {
            emit(tip.stop(at: now), at: now, into: &actions)
            return
        }
        for step in 1..<Self.fadeSteps {
            let at = now + Self.gracefulFade * step / Self.fadeSteps
            guard at < end else { break }
            requestFade(from.faded(to: Share(clamping: 1 - Double(step) / Double(Self.fadeSteps))), at: at, into: &actions)
        }
        requestFade(.off, at: end, into: &actions)
    }

    // MARK: Inside

    private mutating func clear() {
        (playback, plan, cursor) = (nil, nil, nil)
        ahead.removeAll(keepingCapacity: true)
    }

    /// What comes next: a frame of the plan, or (level nil) something that the output does by itself. A frame comes first
    /// where both are due, so that a pulse that ends with the gap is merged and not begun.
    private var nextUnplanned: (at: MonotonicInstant, level: Level?)? {
        let own = tip.nextEvent
        if let plan, let frame = cursor?.peek(plan) {
            let at = start + frame.offset
            return at <= own ? (at, frame.level) : (own, nil)
        }
        return own == .distantFuture ? nil : (own, nil)
    }

    /// The frame that the cursor is at asks for `level`.
    private mutating func request(_ level: Level, at: MonotonicInstant, into actions: inout ActionBuffer) {
        lastRequest = at
        guard let plan, let cursor else { return }
        emit(tip.request(level, of: plan, cursor, from: start, at: at), run: cursor.run(plan), at: at, into: &actions)
    }

    private mutating func requestFade(_ faded: DrivenLevel, at: MonotonicInstant, into actions: inout ActionBuffer) {
        while case let own = tip.nextEvent, own < at { emit(tip.elapse(at: own), at: own, into: &actions) }
        lastRequest = at
        emit(tip.request(faded: faded, at: at), at: at, into: &actions)
    }

    private mutating func emit(
        _ driven: DrivenLevel?, run: RunIndex? = nil, at: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        guard let driven, let playback else { return }
        lastActuation = at
        ahead.append(Change(at: at, driven: driven))
        actions.append(
            .actuate(
                Actuation(
                    planned: at, actuator: index, playback: playback, level: driven.level, drive: driven.drive,
                    run: tip.keepsRuns ? run : nil)))
    }

    private mutating func revoke(from now: MonotonicInstant, into actions: inout ActionBuffer) {
        settled = output(settledBefore: now)
        tip = settled
        ahead.removeAll(keepingCapacity: true)
        guard lastActuation >= now, let playback else { return }
        actions.append(.revoke(playback, index, from: now))
    }

    private mutating func settle(before now: MonotonicInstant) {
        // What is not planned yet has not happened: after a stall that is long before now, and the limits do not run ahead of it.
        settled = output(settledBefore: now, alone: min(now, nextUnplanned?.at ?? now))
        while let first = ahead.first, first.at < now { ahead.removeFirst() }
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
