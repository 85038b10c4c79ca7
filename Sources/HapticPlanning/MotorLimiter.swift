// SPDX-License-Identifier: MIT
package import HapticCore
import HapticMotors

/// Keeps a motor within its limits: turns what it is asked for into what it gets.
///
/// A pulse that begins within `minGap` of the last off begins when the gap is over and ends when it would have ended, so the
/// rhythm stays; where nothing is left of it, it is merged into the one before. A pulse that would be too long (`maxOn`,
/// `duty`) is cut, and the motor stays off until the pattern itself goes off. What comes faster than one actuation in `minInterval`
/// is merged likewise: a rise waits as in the gap, of several levels the last one counts, an off always comes at its time. To go over to
/// a brake waits no more than an off, as that may be how a pulse ends; but a motor that is off is not braked.
/// More than the rated drive is given for `overdrive` at a time; what has been used of that comes back as fast as it went. A motor
/// that gets hot is driven less, and not at all once it is as hot as it may be.
/// Time goes forward only.
package struct MotorLimiter: Hashable {
    /// What has come of the levels since the counts were last reset.
    package struct Counts: Hashable {
        package fileprivate(set) var pulses = 0
        /// Pulses of which the gap has left nothing.
        package fileprivate(set) var mergedByGap = 0
        /// Levels, those of whole pulses too, that did not show because the next one came within the interval.
        package fileprivate(set) var mergedByInterval = 0
        /// The last limit that cut a pulse.
        package fileprivate(set) var cutReason: Reason?
        /// What was left of the strength at the least, as hot as the motor was; 1: all of it.
        package fileprivate(set) var leastStrength = 1.0

        /// These with `times` more of what has come between `start` and `end`.
        func adding(_ times: Int, from start: Counts, to end: Counts) -> Counts {
            var counts = self
            counts.pulses += times * (end.pulses - start.pulses)
            counts.mergedByGap += times * (end.mergedByGap - start.mergedByGap)
            counts.mergedByInterval += times * (end.mergedByInterval - start.mergedByInterval)
            return counts
        }
    }

    private var limits: MotorLimits
    private(set) var output = DrivenLevel.off
    /// What was requested last, as far as it may be overdriven.
    private(set) var wish = DrivenLevel.off
    private var onSince = MonotonicInstant.zero
    private var gapEnd = MonotonicInstant.zero
    /// From when on the next actuation may come, unless it is an off.
    private var slot = MonotonicInstant(nanoseconds: Int64.min / 2)
    private var dutyCheck = MonotonicInstant.distantFuture
    private var overdrive: OverdriveBudget
    /// Nil: nothing is known of how it gets hot.
    private var heat: MotorHeat?
    /// Its drive can be lowered.
    private var varies: Bool
    /// What had been left of the strength when `wish` was set, and is in it already.
    private var wishedStrength = 1.0
    /// When to look how hot it is.
    private var look = MonotonicInstant.distantFuture
    private var isCut = false
    private var ledger = DutyLedger()

    private(set) var counts = Counts()

    /// `overdrive`: nil is no more than the rated drive. `thermal`: nil is as much as the other limits let it have. `varies`: it can get
    /// less than all or nothing.
    init(_ limits: MotorLimits, overdrive: Nanoseconds? = nil, thermal: ThermalModel? = nil, varies: Bool = true) {
        (self.limits, self.overdrive) = (limits, OverdriveBudget(overdrive))
        (heat, self.varies) = (thermal.map(MotorHeat.init), varies)
    }

    /// The same motor with the same past, within these from now on.
    func with(
        _ limits: MotorLimits, overdrive: Nanoseconds? = nil, thermal: ThermalModel? = nil, varies: Bool = true
    ) -> MotorLimiter {
        var limiter = self
        (limiter.limits, limiter.overdrive) = (limits, self.overdrive.with(overdrive))
        limiter.heat = thermal.map { heat?.with($0) ?? MotorHeat($0) }
        limiter.varies = varies
        return limiter
    }

    /// This state without counts and with `origin` as instant 0; all that is due before it is done. Limiters that are equal after this limit alike from their origins
    /// on, on the condition of `DutyLedger.relative`. Without heat, which recurs too late to wait for it.
    func relative(to origin: MonotonicInstant) -> MotorLimiter {
        var relative = self
        relative.counts = Counts()
        relative.onSince = output.isOn ? onSince.relative(to: origin) : .zero
        // Past ends of a gap have the same effect, and so have slots that are over by more than an interval.
        relative.gapEnd = max(gapEnd, origin - Nanoseconds(1)).relative(to: origin)
        relative.slot = max(slot, origin - limits.minInterval).relative(to: origin)
        (relative.dutyCheck, relative.look) = (dutyCheck.relative(to: origin), look.relative(to: origin))
        relative.overdrive = overdrive.relative(to: origin)
        if hasDuty { relative.ledger = ledger.relative(to: origin) }
        return relative
    }

    /// A pulse that is on counts again.
    mutating func resetCounts() { counts = Counts(pulses: output.isOn ? 1 : 0) }

    /// Whether a pulse is wished for but does not show yet.
    var isWaiting: Bool { wish.isOn && !output.isOn && !isCut }

    /// `level` is asked for from `now` on. Returns what the motor gets, if that changes.
    mutating func request(_ level: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        let level = level.isBrake && !output.isOn && !isCut ? .off : level
        if wish.isOn, granted != output, wish != level, !isCut {
            // Where both the gap and the interval would have left nothing of it, it is the gap.
            if output.isOn || now > gapEnd { counts.mergedByInterval += 1 } else if !level.isOn { counts.mergedByGap += 1 }
        }
        if level.isOn {
            (wish, wishedStrength) = (level, 1)
            return output.isOn ? changeIfAllowed(at: now) : riseIfAllowed(at: now)
        }
        wish = .off
        isCut = false
        return output.isOn ? fall(at: now) : nil
    }

    /// The motor gets `level` at `now`: what another limiter, that was the same then, has returned.
    mutating func follow(_ level: DrivenLevel, at now: MonotonicInstant) {
        wish = level
        heat?.look(at: now)
        guard level.isOn else {
            // With an off at this instant the other one has cut it.
            if output.isOn, heat?.isAtLimit == true { counts.cutReason = .thermal }
            if output.isOn { _ = fall(at: now) }
            return
        }
        wishedStrength = strength
        if output.isOn { change(at: now) } else { _ = rise(at: now) }
    }

    /// When the limiter itself has something to do, unless a request comes first.
    var nextEvent: MonotonicInstant {
        guard output.isOn else { return isWaiting ? max(gapEnd, slot) : .distantFuture }
        let maxOn = limits.maxOn.map { onSince + $0 } ?? .distantFuture
        // In pairs: of four at once an array is made.
        let limit = min(min(maxOn, dutyCheck), min(look, max(overdrive.end, slot)))
        return granted == output ? limit : min(limit, slot)
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns what the motor gets, if that changes.
    mutating func elapse(at now: MonotonicInstant) -> DrivenLevel? {
        guard output.isOn else { return riseIfAllowed(at: now) }
        if let maxOn = limits.maxOn, now - onSince >= maxOn { return cut(.maxOn, at: now) }
        if now >= dutyCheck {
            let left = dutyLeft(at: now)
            guard left >= Self.leastOn else { return cut(.dutyLimit, at: now) }
            dutyCheck = now + left
        }
        return changeIfAllowed(at: now)
    }

    /// Less than this is not worth switching a motor on for.
    private static let leastOn = Nanoseconds.milliseconds(1)

    private mutating func riseIfAllowed(at now: MonotonicInstant) -> DrivenLevel? {
        guard !isCut, now >= max(gapEnd, slot) else { return nil }
        heat?.look(at: now)
        let isTooHot = heat?.isAtLimit == true
        guard !isTooHot, rise(at: now) else {
            (isCut, counts.cutReason) = (true, isTooHot ? .thermal : .dutyLimit)
            return nil
        }
        return output
    }

    /// False where the duty leaves no time for it.
    private mutating func rise(at now: MonotonicInstant) -> Bool {
        if hasDuty {
            onSince = now
            let left = dutyLeft(at: now)
            guard left >= Self.leastOn else { return false }
            dutyCheck = now + left
        }
        onSince = now
        change(at: now)
        counts.pulses += 1
        return true
    }

    private mutating func changeIfAllowed(at now: MonotonicInstant) -> DrivenLevel? {
        if heat != nil {
            heat?.look(at: now)
            if heat?.isAtLimit == true { return cut(.thermal, at: now) }
            look = heat?.nextLook ?? .distantFuture
        }
        boundWish(at: now)
        guard output != granted, now >= slot || (wish.isBrake && !output.isBrake) else { return nil }
        change(at: now)
        return output
    }

    private mutating func change(at now: MonotonicInstant) {
        boundWish(at: now)
        output = granted
        overdrive.follow(output.drive, at: now)
        noteHeat(at: now)
        slot = max(slot + limits.minInterval, now)
    }

    /// The motor gets `output` from now on.
    private mutating func noteHeat(at now: MonotonicInstant) {
        guard heat != nil else { return }
        heat?.follow(output.drive, at: now)
        look = heat?.nextLook ?? .distantFuture
        if output.isOn { counts.leastStrength = min(counts.leastStrength, strength) }
    }

    /// What is left of it, as hot as the motor was when that was looked at last.
    @inline(__always)
    private var strength: Double { varies ? heat?.strength ?? 1 : 1 }

    /// What the motor gets of what is wished for. A brake is not lowered: it ends a pulse.
    @inline(__always)  // A call copies all of this to ask it.
    private var granted: DrivenLevel {
        guard heat != nil, wish.isOn, !wish.isBrake, strength < wishedStrength else { return wish }
        return DrivenLevel(wish.level, drive: Drive(clamping: wish.drive.value * strength / wishedStrength))
    }

    /// What the motor would get of its present drive if it were cold.
    var coldDrive: Drive {
        guard output.isOn, !output.isBrake, strength > 0 else { return output.drive }
        return Drive(clamping: output.drive.value / strength)
    }

    /// `level` is what is wished for, and nothing has been taken from it.
    func wishes(_ level: DrivenLevel) -> Bool { level == wish && wishedStrength == 1 }

    /// How hot it is at `now`, as a share of what it may be, and what is left of its strength; nil: nobody knows.
    func heat(at now: MonotonicInstant) -> (share: Double, strength: Double)? {
        guard var heat else { return nil }
        heat.look(at: now)
        return (heat.share, varies || heat.isAtLimit ? heat.strength : 1)
    }

    /// Whether it may get less than is wished for because it is hot.
    var hasHeat: Bool { heat != nil }
    /// Whether it may be on for a part of the time only.
    var hasDuty: Bool { limits.duty < .one }

    /// The machine slept so long, and the motor was off.
    mutating func cool(for time: Nanoseconds) { heat?.cool(for: time) }

    /// How long the motor may get more than its rated drive from `now` on.
    func overdriveLeft(at now: MonotonicInstant) -> Nanoseconds { overdrive.left(at: now) }

    /// Takes from what is wished for what the motor must not be overdriven with now. The end of an overdrive is an actuation as any
    /// other: where the interval would put it off it must not begin.
    private mutating func boundWish(at now: MonotonicInstant) {
        guard granted.drive > .rated else { return }
        let left = overdriveLeft(at: now)
        if left <= .zero || max(slot + limits.minInterval, now) > now + left { wish.drive = .rated }
    }

    private mutating func fall(at now: MonotonicInstant) -> DrivenLevel {
        if hasDuty { ledger.record(from: onSince, to: now) }
        output = .off
        overdrive.follow(.zero, at: now)
        noteHeat(at: now)
        slot = max(slot + limits.minInterval, now)
        gapEnd = (Canary.is("gap-from-pulse-start") ? onSince : now) + limits.minGap
        (dutyCheck, look) = (.distantFuture, .distantFuture)
        return .off
    }

    private mutating func cut(_ reason: Reason, at now: MonotonicInstant) -> DrivenLevel {
        (isCut, counts.cutReason) = (true, reason)
        return fall(at: now)
    }

    private mutating func dutyLeft(at now: MonotonicInstant) -> Nanoseconds {
        let allowed = MotorLimits.dutyWindow.scaled(by: limits.duty.value)
        let present: Nanoseconds = Canary.is("duty-forgets-present-pulse") ? .zero : now - onSince
        return allowed - ledger.onTime(until: now) - present
    }
}
