// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// How long a motor was on lately, in buckets of 100 ms: the sum never understates what any window of 10 s holds.
struct DutyLedger: Hashable {
    static let bucket = Nanoseconds.milliseconds(100)
    /// The window and the bucket that it has begun.
    private static let buckets = Int(MotorLimits.dutyWindow.count / bucket.count) + 1

    private var onTime = [Int64](repeating: 0, count: Self.buckets)
    private var total: Int64 = 0
    private var newest: Int64 = 0

    /// Counts the motor as on from `start` to `end`.
    mutating func record(from start: MonotonicInstant, to end: MonotonicInstant) {
        var start = max(start, end - MotorLimits.dutyWindow)
        while start < end {
            let number = start.nanoseconds / Self.bucket.count
            roll(to: number)
            let bucketEnd = MonotonicInstant(nanoseconds: (number + 1) * Self.bucket.count)
            let part = (min(end, bucketEnd) - start).count
            onTime[Int(number % Int64(Self.buckets))] += part
            total += part
            start = bucketEnd
        }
    }

    /// The on-time within the window that ends at `now`.
    mutating func onTime(until now: MonotonicInstant) -> Nanoseconds {
        roll(to: now.nanoseconds / Self.bucket.count)
        return Nanoseconds(total)
    }

    private mutating func roll(to number: Int64) {
        guard number > newest else { return }
        for passed in max(newest + 1, number - Int64(Self.buckets) + 1)...number {
            let bucket = Int(passed % Int64(Self.buckets))
            total -= onTime[bucket]
            onTime[bucket] = 0
        }
        newest = number
    }
}

/// Keeps a motor within its limits: turns what it is asked for into what it gets.
///
/// A pulse that begins within `minGap` of the last off begins when the gap is over and ends when it would have ended, so the
/// rhythm stays; where nothing is left of it, it is merged into the one before. A pulse that would be too long (`maxOn`,
/// `duty`) is cut, and the motor stays off until the pattern itself goes off. What comes faster than one actuation in `minInterval`
/// is merged likewise: a rise waits as in the gap, of several levels the last one counts, an off always comes at its time. To go over to
/// a brake waits no more than an off, as that may be how a pulse ends; but a motor that is off is not braked.
/// More than the rated drive is given for `overdrive` at a time; what has been used of that comes back as fast as it went.
/// Time goes forward only.
struct MotorLimiter: Hashable {
    /// What has come of the levels since the counts were last reset.
    struct Counts: Hashable {
        fileprivate(set) var pulses = 0
        /// Pulses of which the gap has left nothing.
        fileprivate(set) var mergedByGap = 0
        /// Levels, those of whole pulses too, that did not show because the next one came within the interval.
        fileprivate(set) var mergedByInterval = 0
        /// The last limit that cut a pulse.
        fileprivate(set) var cutReason: Reason?
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
    private var isCut = false
    private var ledger = DutyLedger()

    private(set) var counts = Counts()

    /// `overdrive`: nil is no more than the rated drive.
    init(_ limits: MotorLimits, overdrive: Nanoseconds? = nil) {
        (self.limits, self.overdrive) = (limits, OverdriveBudget(overdrive))
    }

    /// The same motor with the same past, within `limits` from now on.
    func with(_ limits: MotorLimits, overdrive: Nanoseconds? = nil) -> MotorLimiter {
        var limiter = self
        (limiter.limits, limiter.overdrive) = (limits, self.overdrive.with(overdrive))
        return limiter
    }

    /// A pulse that is on counts again.
    mutating func resetCounts() { counts = Counts(pulses: output.isOn ? 1 : 0) }

    /// Whether a pulse is wished for but does not show yet.
    var isWaiting: Bool { wish.isOn && !output.isOn && !isCut }

    /// `level` is asked for from `now` on. Returns what the motor gets, if that changes.
    mutating func request(_ level: DrivenLevel, at now: MonotonicInstant) -> DrivenLevel? {
        let level = level.isBrake && !output.isOn && !isCut ? .off : level
        if wish.isOn, wish != output, wish != level, !isCut {
            // Where both the gap and the interval would have left nothing of it, it is the gap.
            if output.isOn || now > gapEnd { counts.mergedByInterval += 1 } else if !level.isOn { counts.mergedByGap += 1 }
        }
        if level.isOn {
            wish = level
            return output.isOn ? changeIfAllowed(at: now) : riseIfAllowed(at: now)
        }
        wish = .off
        isCut = false
        return output.isOn ? fall(at: now) : nil
    }

    /// The motor gets `level` at `now`: what another limiter, that was the same then, has returned.
    mutating func follow(_ level: DrivenLevel, at now: MonotonicInstant) {
        wish = level
        guard level.isOn else {
            if output.isOn { _ = fall(at: now) }
            return
        }
        if output.isOn { change(at: now) } else { _ = rise(at: now) }
    }

    /// When the limiter itself has something to do, unless a request comes first.
    var nextEvent: MonotonicInstant {
        guard output.isOn else { return isWaiting ? max(gapEnd, slot) : .distantFuture }
        let limit = min(limits.maxOn.map { onSince + $0 } ?? .distantFuture, dutyCheck, max(overdrive.end, slot))
        return wish == output ? limit : min(limit, slot)
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
        guard rise(at: now) else {
            (isCut, counts.cutReason) = (true, .dutyLimit)
            return nil
        }
        return output
    }

    /// False where the duty leaves no time for it.
    private mutating func rise(at now: MonotonicInstant) -> Bool {
        if limits.duty < .one {
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
        boundWish(at: now)
        guard output != wish, now >= slot || (wish.isBrake && !output.isBrake) else { return nil }
        change(at: now)
        return output
    }

    private mutating func change(at now: MonotonicInstant) {
        boundWish(at: now)
        output = wish
        overdrive.follow(output.drive, at: now)
        slot = max(slot + limits.minInterval, now)
    }

    /// How long the motor may get more than its rated drive from `now` on.
    func overdriveLeft(at now: MonotonicInstant) -> Nanoseconds { overdrive.left(at: now) }

    /// Takes from what is wished for what the motor must not be overdriven with now. The end of an overdrive is an actuation as any
    /// other: where the interval would put it off it must not begin.
    private mutating func boundWish(at now: MonotonicInstant) {
        guard wish.drive > .rated else { return }
        let left = overdriveLeft(at: now)
        if left <= .zero || max(slot + limits.minInterval, now) > now + left { wish.drive = .rated }
    }

    private mutating func fall(at now: MonotonicInstant) -> DrivenLevel {
        if limits.duty < .one { ledger.record(from: onSince, to: now) }
        output = .off
        overdrive.follow(.zero, at: now)
        slot = max(slot + limits.minInterval, now)
        // A canary is a build without this guard: the walk has to see it (`make walk-canary`).
        #if !HAPTICD_CANARY
            gapEnd = now + limits.minGap
        #endif
        dutyCheck = .distantFuture
        return .off
    }

    private mutating func cut(_ reason: Reason, at now: MonotonicInstant) -> DrivenLevel {
        (isCut, counts.cutReason) = (true, reason)
        return fall(at: now)
    }

    private mutating func dutyLeft(at now: MonotonicInstant) -> Nanoseconds {
        let allowed = MotorLimits.dutyWindow.scaled(by: limits.duty.value)
        return allowed - ledger.onTime(until: now) - (now - onSince)
    }
}
