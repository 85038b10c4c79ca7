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

    /// The longest time on without a break; `nil` is no limit.
    private var maxOn: Nanoseconds?
    private var spacing: ActuationSpacing
    private var duty: DutyLimit
    private var overdrive: OverdriveBudget
    /// `nil`: no thermal model.
    private var heat: HeatLimit?
    private(set) var output = DrivenLevel.off
    /// The last request, as far as it may be overdriven.
    private(set) var requested = DrivenLevel.off
    private var onSince = MonotonicInstant.zero
    /// A limit has ended the pulse that is wished for.
    private var isCut = false
    private(set) var counts = Counts()

    /// `overdrive`: nil is no more than the rated drive. `thermal`: nil is as much as the other limits let it have. `varies`: it can get
    /// less than all or nothing.
    init(_ limits: MotorLimits, overdrive: Nanoseconds? = nil, thermal: ThermalModel? = nil, varies: Bool = true) {
        (maxOn, spacing, duty) = (limits.maxOn, ActuationSpacing(limits), DutyLimit(limits.duty))
        (self.overdrive, heat) = (OverdriveBudget(overdrive), thermal.map { HeatLimit($0, varies: varies) })
    }

    /// The same motor with the same past, within these from now on.
    func with(
        _ limits: MotorLimits, overdrive: Nanoseconds? = nil, thermal: ThermalModel? = nil, varies: Bool = true
    ) -> MotorLimiter {
        var limiter = self
        (limiter.maxOn, limiter.spacing, limiter.duty) = (limits.maxOn, spacing.with(limits), duty.with(limits.duty))
        limiter.overdrive = self.overdrive.with(overdrive)
        limiter.heat = thermal.map { heat?.with($0, varies: varies) ?? HeatLimit($0, varies: varies) }
        return limiter
    }

    /// This state without counts and with `origin` as instant 0; all that is due before it is done. Limiters that are equal after this
    /// limit alike from their origins on, on the condition of `DutyLedger.relative`. Only without heat, which recurs too late to wait for
    /// it.
    func relative(to origin: MonotonicInstant) -> MotorLimiter {
        var relative = self
        relative.counts = Counts()
        relative.onSince = output.isOn ? onSince.relative(to: origin) : .zero
        (relative.spacing, relative.duty) = (spacing.relative(to: origin), duty.relative(to: origin))
        relative.overdrive = overdrive.relative(to: origin)
        return relative
    }

    /// A pulse that is on counts again.
    mutating func resetCounts() { counts = Counts(pulses: output.isOn ? 1 : 0) }

    /// Whether a pulse is requested but does not show yet.
    var isWaiting: Bool { requested.isOn && !output.isOn && !isCut }

    /// `level` is asked for from `now` on. Returns what the motor gets, if that changes.
    mutating func request(_ level: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        let level = level.isBrake && !output.isOn && !isCut ? .off : level
        if requested.isOn, granted != output, requested != level, !isCut {
            // Where both the gap and the interval would have left nothing of it, it is the gap.
            if output.isOn || now > spacing.gapEnd {
                counts.mergedByInterval += 1
            } else if !level.isOn {
                counts.mergedByGap += 1
            }
        }
        if level.isOn {
            requested = level
            heat?.beginRequest()
            return output.isOn ? changeIfAllowed(at: now) : riseIfAllowed(at: now)
        }
        requested = .off
        isCut = false
        return output.isOn ? fall(at: now) : nil
    }

    /// The motor gets `level` at `now`: what another limiter, that was the same then, has returned.
    mutating func follow(_ level: DrivenLevel, at now: MonotonicInstant) {
        requested = level
        heat?.update(at: now)
        guard level.isOn else {
            // With an off at this instant the other one has cut it.
            if output.isOn, heat?.isAtLimit == true { counts.cutReason = .thermal }
            if output.isOn { _ = fall(at: now) }
            return
        }
        heat?.beginLoweredRequest()
        if output.isOn { change(at: now) } else { _ = rise(at: now) }
    }

    /// When the limiter itself has something to do, unless a request comes first.
    var nextEvent: MonotonicInstant {
        guard output.isOn else { return isWaiting ? spacing.nextPulse : .distantFuture }
        let maxOn = maxOn.map { onSince + $0 } ?? .distantFuture
        let nextHeatUpdate = heat?.nextUpdate ?? .distantFuture
        // In pairs: of four at once an array is made.
        let limit = min(min(maxOn, duty.nextCheck), min(nextHeatUpdate, max(overdrive.end, spacing.nextChange)))
        return granted == output ? limit : min(limit, spacing.nextChange)
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns what the motor gets, if that changes.
    mutating func elapse(at now: MonotonicInstant) -> DrivenLevel? {
        guard output.isOn else { return riseIfAllowed(at: now) }
        if let maxOn, now - onSince >= maxOn { return cut(.maxOn, at: now) }
        if now >= duty.nextCheck, !duty.allows(onSince, at: now) { return cut(.dutyLimit, at: now) }
        return changeIfAllowed(at: now)
    }

    private mutating func riseIfAllowed(at now: MonotonicInstant) -> DrivenLevel? {
        guard !isCut, now >= spacing.nextPulse else { return nil }
        heat?.update(at: now)
        let isTooHot = heat?.isAtLimit == true
        guard !isTooHot, rise(at: now) else {
            (isCut, counts.cutReason) = (true, isTooHot ? .thermal : .dutyLimit)
            return nil
        }
        return output
    }

    /// False where the duty leaves no time for it.
    private mutating func rise(at now: MonotonicInstant) -> Bool {
        onSince = now
        if hasDuty, !duty.allows(onSince, at: now) { return false }
        change(at: now)
        counts.pulses += 1
        return true
    }

    private mutating func changeIfAllowed(at now: MonotonicInstant) -> DrivenLevel? {
        if heat != nil {
            heat?.update(at: now)
            if heat?.isAtLimit == true { return cut(.thermal, at: now) }
            heat?.planUpdate()
        }
        boundRequest(at: now)
        guard output != granted, now >= spacing.nextChange || (requested.isBrake && !output.isBrake) else { return nil }
        change(at: now)
        return output
    }

    private mutating func change(at now: MonotonicInstant) {
        boundRequest(at: now)
        output = granted
        overdrive.follow(output.drive, at: now)
        noteHeat(at: now)
        spacing.recordActuation(at: now)
    }

    /// The motor gets `output` from now on.
    private mutating func noteHeat(at now: MonotonicInstant) {
        guard heat != nil else { return }
        heat?.follow(output.drive, at: now)
        if output.isOn { counts.leastStrength = min(counts.leastStrength, strength) }
    }

    /// The strength that was left when the heat was looked at last.
    @inline(__always)
    private var strength: Double { heat?.strength ?? 1 }

    /// The part of `requested` that the motor gets.
    @inline(__always)  // A call copies all of this to ask it.
    private var granted: DrivenLevel { heat?.granted(requested) ?? requested }

    /// What the motor would get of its present drive if it were cold.
    var coldDrive: Drive {
        guard output.isOn, !output.isBrake, strength > 0 else { return output.drive }
        return Drive(clamping: output.drive.value / strength)
    }

    /// `level` is what is requested, and nothing has been taken from it.
    func isRequested(_ level: DrivenLevel) -> Bool { level == requested && heat?.requestIsWhole ?? true }

    /// How hot it is at `now`, as a share of what it may be, and what is left of its strength; nil: nobody knows.
    func heat(at now: MonotonicInstant) -> (share: Double, strength: Double)? { heat?.state(at: now) }

    /// Whether it may get less than is requested because it is hot.
    var hasHeat: Bool { heat != nil }
    /// Whether it may be on for a part of the time only.
    var hasDuty: Bool { duty.isLimited }

    /// The machine slept so long, and the motor was off.
    mutating func cool(for time: Nanoseconds) { heat?.cool(for: time) }

    /// How long the motor may get more than its rated drive from `now` on.
    func overdriveLeft(at now: MonotonicInstant) -> Nanoseconds { overdrive.left(at: now) }

    /// Takes from what is requested what the motor must not be overdriven with now. The end of an overdrive is an actuation as any
    /// other: where the interval would put it off it must not begin.
    private mutating func boundRequest(at now: MonotonicInstant) {
        guard granted.drive > .rated else { return }
        let left = overdriveLeft(at: now)
        if left <= .zero || spacing.nextChange(after: now) > now + left { requested.drive = .rated }
    }

    private mutating func fall(at now: MonotonicInstant) -> DrivenLevel {
        duty.end(onSince, at: now)
        output = .off
        overdrive.follow(.zero, at: now)
        noteHeat(at: now)
        spacing.recordActuation(at: now)
        spacing.beginGap(at: Canary.is("gap-from-pulse-start") ? onSince : now)
        return .off
    }

    private mutating func cut(_ reason: Reason, at now: MonotonicInstant) -> DrivenLevel {
        (isCut, counts.cutReason) = (true, reason)
        return fall(at: now)
    }
}
