// SPDX-License-Identifier: MIT
import DequeModule
import HapticCore

/// What one actuator is playing: a plan, how far ahead it has been planned, and the motor's limits at both ends of that.
///
/// Actuations are planned a short horizon ahead and can be revoked. So the limiter exists twice: `tip` after all that has been
/// planned, `settled` after what can no longer be revoked; a revocation puts `tip` back to `settled`.
struct Channel {
    /// Requests that are planned and not yet settled, at most.
    static let mostAhead = 64
    /// How long a graceful cancel takes at most, and the steps of its fade.
    static let gracefulFade = Nanoseconds.milliseconds(50)
    private static let fadeSteps = 5

    private struct Request {
        var at: MonotonicInstant
        var level: Level
    }

    let index: ActuatorIndex
    let actuator: EngineActuator
    var isAvailable = true

    private(set) var playback: PlaybackID?
    private var plan: PlaybackPlan?
    private var cursor: PlaybackPlan.Cursor?
    private var start = MonotonicInstant.zero
    private var requests = Deque<Request>()
    private var lastRequest = MonotonicInstant.zero
    private var lastActuation = MonotonicInstant.zero
    private var tip: MotorLimiter
    private var settled: MotorLimiter

    init(index: ActuatorIndex, actuator: EngineActuator) {
        self.index = index
        self.actuator = actuator
        tip = MotorLimiter(actuator.limits)
        settled = tip
        requests.reserveCapacity(Self.mostAhead)
    }

    // MARK: Playing

    /// What `plan` would come to if it replaced what is playing.
    func preview(_ plan: PlaybackPlan, at now: MonotonicInstant) -> MotorLimiter {
        var limiter = limiter(settledBefore: now)
        _ = limiter.request(.off, at: now)
        limiter.resetCounts()
        var cursor = PlaybackPlan.Cursor(plan)
        while let frame = cursor.peek(plan) {
            let at = now + frame.offset
            while limiter.nextEvent < at { _ = limiter.elapse(at: limiter.nextEvent) }
            _ = limiter.request(actuator.capabilities.fitted(frame.level), at: at)
            cursor.advance(plan)
        }
        return limiter
    }

    /// Takes up `plan`; the channel is free.
    mutating func begin(_ id: PlaybackID, _ plan: PlaybackPlan, at now: MonotonicInstant) {
        precondition(playback == nil, "a channel plays one rhythm at a time")
        (playback, start, lastRequest) = (id, now, now)
        lastActuation = now - Nanoseconds(1)
        (self.plan, cursor) = (plan, .init(plan))
        tip.resetCounts()
        settled = tip
    }

    /// Plans up to `horizon`, as far as there is room, and on to the next change where the motor would be left on there: with an
    /// on the executor always has what ends it, however long this takes to be called again.
    mutating func planAhead(to horizon: MonotonicInstant, now: MonotonicInstant, into actions: inout ActionBuffer) {
        settle(before: now)
        while let next = nextUnplanned, next.at <= horizon || leavesOn(at: horizon), actions.free > 0 {
            if let level = next.level {
                guard requests.count < Self.mostAhead else { return }
                request(level, run: cursor?.run(plan!), at: next.at, into: &actions)
                cursor?.advance(plan!)
            } else {
                emit(tip.elapse(at: next.at), at: next.at, into: &actions)
            }
        }
    }

    /// When this channel wants to be planned or has ended; `distantFuture` where nothing plays.
    var nextDeadline: MonotonicInstant {
        guard playback != nil else { return .distantFuture }
        guard let next = nextUnplanned else { return lastRequest }
        if requests.count == Self.mostAhead { return requests[Self.mostAhead / 2].at }
        return next.at - Scheduler.horizon / 2
    }

    /// Whether the plan has been played to its end by `now`.
    func hasEnded(by now: MonotonicInstant) -> Bool { playback != nil && nextUnplanned == nil && lastRequest <= now }

    /// When the last pulse ends, once it has been planned.
    var end: MonotonicInstant { lastRequest }

    /// What the motor's limits have cut of this playback.
    var cutReason: Reason? { tip.cutReason }

    // MARK: Ending

    /// Frees the channel after its playback's end.
    mutating func finish() {
        settled = tip
        clear()
    }

    /// Off at once: revokes what is planned from `now` on.
    mutating func stop(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        revoke(from: now, into: &actions)
        emit(tip.request(.off, at: now), at: now, into: &actions)
        settled = tip
        clear()
    }

    /// Lets what is felt at `now` fade out and drops the rest. The playback ends with the fade.
    mutating func fade(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        // What would have gone off within the fade still does so at its own time.
        let ownOff = requests.first { $0.at >= now && !$0.level.isOn }?.at ?? .distantFuture
        revoke(from: now, into: &actions)
        (plan, cursor) = (nil, nil)
        let end = min(now + Self.gracefulFade, ownOff)
        let level = tip.output
        lastRequest = now
        guard level.isOn else {
            emit(tip.request(.off, at: now), at: now, into: &actions)
            return
        }
        for step in 1..<Self.fadeSteps {
            let at = now + Self.gracefulFade * step / Self.fadeSteps
            guard at < end else { break }
            let share = Intensity(clamping: 1 - Double(step) / Double(Self.fadeSteps))
            let faded = Level(intensity: level.intensity * share, sharpness: level.sharpness)
            requestFade(actuator.capabilities.fitted(faded), at: at, into: &actions)
        }
        requestFade(.off, at: end, into: &actions)
    }

    // MARK: Inside

    private mutating func clear() {
        (playback, plan, cursor) = (nil, nil, nil)
        requests.removeAll(keepingCapacity: true)
    }

    /// Whether what has been planned has no change after `horizon`, and is on there.
    private func leavesOn(at horizon: MonotonicInstant) -> Bool { tip.output.isOn && lastActuation <= horizon }

    /// What comes next: a frame of the plan, or (level nil) something that the limiter does by itself. A frame comes first
    /// where both are due, so that a pulse that ends with the gap is merged and not begun.
    private var nextUnplanned: (at: MonotonicInstant, level: Level?)? {
        let own = tip.nextEvent
        if let plan, let frame = cursor?.peek(plan) {
            let at = start + frame.offset
            return at <= own ? (at, frame.level) : (own, nil)
        }
        return own == .distantFuture ? nil : (own, nil)
    }

    private mutating func request(_ level: Level, run: RunIndex? = nil, at: MonotonicInstant, into actions: inout ActionBuffer) {
        let fitted = actuator.capabilities.fitted(level)
        lastRequest = at
        // What changes nothing is not kept: there may be any number of steps cut to nothing, or of levels that fit to the same.
        guard fitted != tip.wish else { return }
        requests.append(Request(at: at, level: fitted))
        emit(tip.request(fitted, at: at), run: run, at: at, into: &actions)
    }

    private mutating func requestFade(_ level: Level, at: MonotonicInstant, into actions: inout ActionBuffer) {
        while case let own = tip.nextEvent, own < at { emit(tip.elapse(at: own), at: own, into: &actions) }
        request(level, at: at, into: &actions)
    }

    private mutating func emit(_ level: Level?, run: RunIndex? = nil, at: MonotonicInstant, into actions: inout ActionBuffer) {
        guard let level, let playback else { return }
        lastActuation = at
        actions.append(.actuate(Actuation(planned: at, actuator: index, playback: playback, level: level, run: run)))
    }

    private mutating func revoke(from now: MonotonicInstant, into actions: inout ActionBuffer) {
        settled = limiter(settledBefore: now)
        tip = settled
        requests.removeAll(keepingCapacity: true)
        guard lastActuation >= now, let playback else { return }
        actions.append(.revoke(playback, index, from: now))
    }

    private mutating func settle(before now: MonotonicInstant) {
        settled = limiter(settledBefore: now)
        while let first = requests.first, first.at < now { requests.removeFirst() }
    }

    private func limiter(settledBefore now: MonotonicInstant) -> MotorLimiter {
        var limiter = settled
        for request in requests {
            guard request.at < now else { break }
            while limiter.nextEvent < request.at { _ = limiter.elapse(at: limiter.nextEvent) }
            _ = limiter.request(request.level, at: request.at)
        }
        while limiter.nextEvent < now { _ = limiter.elapse(at: limiter.nextEvent) }
        return limiter
    }
}
