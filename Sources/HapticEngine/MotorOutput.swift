// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// What one motor gets of what a pattern asks for: fitted to the motor, then kept within its limits. The motion that the fitting
/// predicts goes on from what has come of both.
///
/// A value: the channel copies it to look ahead, and goes back to a copy where what was planned is revoked. Time goes forward only.
struct MotorOutput {
    private let actuator: (capabilities: ActuatorCapabilities, minGap: Nanoseconds)
    /// Nil where nothing is to be fitted to the motor.
    private var fitter: Fitter?
    private var limiter: MotorLimiter
    /// Whether what plays is fitted; only with a fitter.
    private var isFitting = false
    /// What the pattern asked for last, as the actuator can show it.
    private var asked = Level.off

    init(_ actuator: EngineActuator) {
        self.init(actuator, MotorLimiter(actuator.limits, overdrive: actuator.motor?.overdrive?.time))
    }

    private init(_ actuator: EngineActuator, _ limiter: MotorLimiter) {
        self.actuator = (actuator.capabilities, actuator.limits.minGap)
        self.limiter = limiter
        fitter = actuator.motor.flatMap { Fitter($0, DriverAbilities(actuator.capabilities)) }
    }

    /// The same motor with the same past, as `actuator` has it from now on. Nothing plays, and its motion is taken to be over.
    func with(_ actuator: EngineActuator) -> MotorOutput {
        MotorOutput(actuator, limiter.with(actuator.limits, overdrive: actuator.motor?.overdrive?.time))
    }

    /// Whether what it gets is what the pattern says, at its own times: then a device may play a run of it by itself.
    var keepsRuns: Bool { !isFitting || actuator.capabilities.shapesItself }

    var output: DrivenLevel { limiter.output }
    var counts: MotorLimiter.Counts { limiter.counts }

    /// Another playback begins, and its counts do; the motor is off. `fit`: whether it is to be fitted where that can be.
    mutating func begin(fit: Bool, at now: MonotonicInstant) {
        isFitting = fit && fitter != nil
        fitter?.stop(at: now)
        asked = .off
        limiter.resetCounts()
    }

    /// `plan`, begun at `start`, asks for `level` from `now` on: that is the frame that `cursor` is at. Returns what the motor gets,
    /// if that changes.
    mutating func request(
        _ level: Level, of plan: PlaybackPlan, _ cursor: PlaybackPlan.Cursor, from start: MonotonicInstant,
        at now: MonotonicInstant
    ) -> DrivenLevel? {
        let level = shown(level)
        guard isFitting else { return request(DrivenLevel(level), at: now) }
        let isSharper = level.isOn && level.sharpness != asked.sharpness
        asked = level
        let (next, afterNext) = upcoming(plan, cursor, from: start, at: now)
        guard let wish = fitter?.intend(level.intensity, next: next, afterNext: afterNext, at: now) else {
            return isSharper ? request(fitter?.wish ?? .zero, at: now) : nil
        }
        return request(wish, at: now)
    }

    /// When it has something to do by itself, unless a request comes first.
    var nextEvent: MonotonicInstant {
        isFitting ? min(fitter?.nextEvent ?? .distantFuture, limiter.nextEvent) : limiter.nextEvent
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns what the motor gets, if that changes.
    mutating func elapse(at now: MonotonicInstant) -> DrivenLevel? {
        guard isFitting, let own = fitter?.nextEvent, own <= now else { return moved(limiter.elapse(at: now), at: now) }
        return fitter?.elapse(at: now).flatMap { request($0, at: now) }
    }

    // MARK: Ending

    /// Off at once, whatever was to follow. Returns what the motor gets, if that changes.
    mutating func stop(at now: MonotonicInstant) -> DrivenLevel? {
        beginFade(at: now)
        return moved(limiter.request(.off, at: now), at: now)
    }

    /// Nothing is fitted from now on. Returns what the motor gets, which may fade from there.
    @discardableResult
    mutating func beginFade(at now: MonotonicInstant) -> DrivenLevel {
        isFitting = false
        asked = .off
        fitter?.stop(at: now)
        return output
    }

    /// In a fade: be at `faded`. Returns what the motor gets, if that changes.
    mutating func request(faded: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        request(actuator.capabilities.fitted(faded), at: now)
    }

    // MARK: Looking back

    /// The motor gets `driven` at `now`: what another of this, that was the same then, has returned.
    mutating func follow(_ driven: DrivenLevel, at now: MonotonicInstant) {
        limiter.follow(driven, at: now)
        fitter?.follow(driven.drive, at: now)
    }

    /// The limits act by themselves until `end`.
    mutating func settle(until end: MonotonicInstant) {
        while case let own = limiter.nextEvent, own < end { _ = moved(limiter.elapse(at: own), at: own) }
    }

    // MARK: Inside

    private func shown(_ level: Level) -> Level {
        let fitted = actuator.capabilities.fitted(level)
        return fitted.isOn ? fitted : .off
    }

    private mutating func request(_ wish: Drive, at now: MonotonicInstant) -> DrivenLevel? {
        request(wish.isOn ? DrivenLevel(asked, drive: wish) : .off, at: now)
    }

    private mutating func request(_ wanted: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        guard wanted != limiter.wish else { return nil }
        return moved(limiter.request(wanted, at: now), at: now)
    }

    private mutating func moved(_ driven: DrivenLevel?, at now: MonotonicInstant) -> DrivenLevel? {
        if let driven { fitter?.follow(driven.drive, at: now) }
        return driven
    }

    /// The two frames after the one that `cursor` is at. A pulse counts from as long before it as the motor has to be off by then.
    private func upcoming(
        _ plan: PlaybackPlan, _ cursor: PlaybackPlan.Cursor, from start: MonotonicInstant, at now: MonotonicInstant
    ) -> (next: Fitter.Frame?, afterNext: Fitter.Frame?) {
        var cursor = cursor
        func frame(after last: MonotonicInstant, isOff: Bool) -> Fitter.Frame? {
            cursor.advance(plan)
            guard let frame = cursor.peek(plan) else { return nil }
            let (at, intensity) = (start + frame.offset, shown(frame.level).intensity)
            return Fitter.Frame(at: isOff && intensity > .zero ? max(last, at - actuator.minGap) : at, intensity: intensity)
        }
        guard let next = frame(after: now, isOff: !asked.isOn) else { return (nil, nil) }
        return (next, frame(after: next.at, isOff: next.intensity == .zero))
    }
}
