// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// What one motor gets of what a pattern asks for: fitted to the motor, then kept within its limits. The motion that the fitting
/// predicts goes on from what has come of both.
///
/// A value: the channel copies it to look ahead, and goes back to a copy where what was planned is revoked. Time goes forward only.
struct MotorOutput {
    private let actuator: Actuator
    /// `nil` if nothing is known of the motor. The motion of an unfitted motor is predicted too.
    private var fitter: Fitter?
    private var limiter: MotorLimiter
    /// Whether what plays is fitted; only with a fitter.
    private var isFitting = false
    /// What the pattern asked for last, as the actuator can show it. Once that is off it is as sharp as before: what is lengthened
    /// or braked still is the same pulse.
    private var asked = Level.off
    /// Set while what was fitted fades out: what it got when that began, and what was meant then.
    private var fade: (drive: Drive, intensity: Intensity)?

    init(_ actuator: EngineActuator) {
        let limiter = MotorLimiter(
            actuator.limits, overdrive: actuator.fittedMotor?.overdrive?.time, thermal: actuator.thermal,
            varies: actuator.capabilities.variesIntensity)
        self.init(actuator, limiter)
    }

    private init(_ actuator: EngineActuator, _ limiter: MotorLimiter) {
        self.actuator = Actuator(
            capabilities: actuator.capabilities, minGap: actuator.limits.minGap, isFitted: actuator.isFitted)
        self.limiter = limiter
        fitter = actuator.motor.flatMap { Fitter($0, actuator.capabilities) }
    }

    /// The same motor with the same past, as `actuator` has it from now on. Nothing plays, and its motion is taken to be over.
    func with(_ actuator: EngineActuator) -> MotorOutput {
        MotorOutput(
            actuator,
            limiter.with(
                actuator.limits, overdrive: actuator.fittedMotor?.overdrive?.time, thermal: actuator.thermal,
                varies: actuator.capabilities.variesIntensity))
    }

    /// Whether what it gets is what the pattern says, at its own times: then a device may play a run of it by itself.
    var keepsRuns: Bool { !limiter.hasHeat && (!isFitting || actuator.capabilities.shapesItself) }

    var output: DrivenLevel { limiter.output }
    var counts: MotorLimiter.Counts { limiter.counts }
    /// The predicted feel of the playback by `instant`; `nil` without a model.
    func tally(until instant: MonotonicInstant) -> FeltTally? { fitter?.tally(until: instant) }

    /// Another playback begins, and its counts do. The motor is off, or what begins goes on from what it gets. `fit`: whether it
    /// is to be fitted where that can be. `isTrain`: it is a pattern in steps.
    mutating func begin(fit: Bool, isTrain: Bool, at now: MonotonicInstant) {
        forget(at: now)
        fitter?.begin(isTrain: isTrain)
        isFitting = fit && actuator.isFitted && fitter != nil
        limiter.resetCounts()
    }

    /// `intended` is what a course asks for next, and `upcoming` what it is among. Returns what the motor gets, if that changes.
    mutating func request(_ intended: Course.Next, among upcoming: Course.Upcoming) -> DrivenLevel? {
        let now = intended.at
        if let fade { return request(intended.level, fading: fade, at: now) }
        let level = actuator.shown(intended.level)
        guard isFitting else { return request(DrivenLevel(level), at: now) }
        let isSharper = level.isOn && level.sharpness != asked.sharpness
        asked = level.isOn ? level : Level(intensity: .zero, sharpness: asked.sharpness)
        let next = actuator.frame(upcoming.second, after: now, isOff: !level.isOn)
        let afterNext = actuator.frame(upcoming.third, after: next?.at ?? now, isOff: next?.intensity == .zero)
        let overdriveLeft = limiter.overdriveLeft(at: now)
        if let requested = fitter?.intend(
            level.intensity, next: next, afterNext: afterNext, at: now, overdriveLeft: overdriveLeft)
        {
            return request(requested, at: now)
        }
        // What the motor got before this began is not what the fitter has requested.
        let requested = fitter?.requested ?? .zero
        return isSharper || (limiter.requested.isOn && !requested.isOn) ? request(requested, at: now) : nil
    }

    /// When it has something to do by itself, unless a request comes first.
    var nextEvent: MonotonicInstant {
        isFitting ? min(fitter?.nextEvent ?? .distantFuture, limiter.nextEvent) : limiter.nextEvent
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns what the motor gets, if that changes.
    mutating func elapse(at now: MonotonicInstant) -> DrivenLevel? {
        guard isFitting, let own = fitter?.nextEvent, own <= now else { return moved(limiter.elapse(at: now), at: now) }
        return fitter?.elapse(at: now, overdriveLeft: limiter.overdriveLeft(at: now)).flatMap { request($0, at: now) }
    }

    /// Does all that is still to be done by itself after the last request, which was an off: a few changes at most.
    mutating func settleWhole() {
        while case let own = nextEvent, own < .distantFuture { _ = elapse(at: own) }
    }

    /// How hot its motor is at `now`; nil: nobody knows.
    func heat(at now: MonotonicInstant) -> (share: Double, strength: Double)? { limiter.heat(at: now) }

    /// The machine slept so long, and the motor was off.
    mutating func cool(for time: Nanoseconds) { limiter.cool(for: time) }

    // MARK: Ending

    /// Off at once, whatever was to follow. Returns what the motor gets, if that changes.
    mutating func stop(at now: MonotonicInstant) -> DrivenLevel? {
        forget(at: now)
        return moved(limiter.request(.off, at: now), at: now)
    }

    /// What is asked for from now on only fades out, from `level`. Nothing of it is fitted: what was fitted gets as much less as what
    /// is meant becomes less.
    mutating func beginFade(from level: Level, at now: MonotonicInstant) {
        forget(at: now)
        if isFitting, !actuator.capabilities.shapesItself { fade = (limiter.coldDrive, level.intensity) }
    }

    private mutating func forget(at now: MonotonicInstant) {
        fitter?.stop(at: now)
        (asked, fade) = (.off, nil)
    }

    private mutating func request(
        _ level: Level, fading from: (drive: Drive, intensity: Intensity), at now: MonotonicInstant
    ) -> DrivenLevel? {
        guard level.isOn, from.intensity > .zero else { return request(DrivenLevel.off, at: now) }
        let share = min(1, level.intensity.value / from.intensity.value)
        let faded = DrivenLevel(level, drive: Drive(clamping: from.drive.value * share))
        return request(actuator.capabilities.fitted(faded), at: now)
    }

    // MARK: Looking back

    /// The limits act by themselves until `now`, when the motor gets `driven`: what another of this, that was the same then, has returned.
    mutating func follow(_ driven: DrivenLevel, at now: MonotonicInstant) {
        settle(until: now)
        limiter.follow(driven, at: now)
        fitter?.follow(driven.drive, at: now)
    }

    /// The limits act by themselves until `end`.
    mutating func settle(until end: MonotonicInstant) {
        while case let own = limiter.nextEvent, own < end { _ = moved(limiter.elapse(at: own), at: own) }
    }

    // MARK: Inside

    private mutating func request(_ requested: Drive, at now: MonotonicInstant) -> DrivenLevel? {
        request(requested.isOn ? DrivenLevel(asked, drive: requested) : DrivenLevel.off, at: now)
    }

    private mutating func request(_ wanted: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        guard !limiter.isRequested(wanted) else { return nil }
        return moved(limiter.request(wanted, at: now), at: now)
    }

    private mutating func moved(_ driven: DrivenLevel?, at now: MonotonicInstant) -> DrivenLevel? {
        if let driven { fitter?.follow(driven.drive, at: now) }
        return driven
    }
}

extension MotorOutput {
    /// All that further requests depend on, with instants counted from the present one. The counts and the sums of the tally are not in it.
    struct RelativeState: Equatable {
        fileprivate let asked: Level
        fileprivate let fitter: Fitter?
        fileprivate let limiter: MotorLimiter
        /// From the start of the present bucket of the duty's ledger.
        fileprivate let bucketTime: Int64
    }

    /// Outputs of one actuator that are in the same state do the same from then on. All that is due before `now` is done, and nothing
    /// fades. `nil`: the state does not recur, as the motor gets hotter all the time.
    func relativeState(at now: MonotonicInstant) -> RelativeState? {
        guard fade == nil, !limiter.hasHeat else { return nil }
        return RelativeState(
            asked: asked, fitter: fitter?.relative(to: now), limiter: limiter.relative(to: now),
            bucketTime: limiter.hasDuty ? now.nanoseconds % DutyLedger.bucket.count : 0)
    }

    /// What it has to know of its actuator.
    private struct Actuator {
        let capabilities: ActuatorCapabilities
        let minGap: Nanoseconds
        let isFitted: Bool

        func shown(_ level: Level) -> Level {
            let fitted = capabilities.fitted(level)
            return fitted.isOn ? fitted : .off
        }

        /// `next` as it can be shown. A pulse counts from as long before it as the motor has to be off by then.
        func frame(_ next: Course.Next?, after instant: MonotonicInstant, isOff: Bool) -> Fitter.Frame? {
            guard let next else { return nil }
            let intensity = shown(next.level).intensity
            let at = isOff && intensity > .zero ? max(instant, next.at - minGap) : next.at
            return Fitter.Frame(at: at, intensity: intensity)
        }
    }
}
