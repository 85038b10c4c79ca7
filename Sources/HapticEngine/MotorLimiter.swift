// SPDX-License-Identifier: MIT
import HapticCore

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
            let place = Int(passed % Int64(Self.buckets))
            total -= onTime[place]
            onTime[place] = 0
        }
        newest = number
    }
}

/// Keeps a motor within its limits: turns what a pattern wishes for into what the motor is told.
///
/// A pulse that begins within `minGap` of the last off begins when the gap is over and ends when it would have ended, so the
/// rhythm stays; where nothing is left of it, it is merged into the one before. A pulse that would be too long (`maxOn`,
/// `duty`) is cut, and the motor stays off until the pattern itself goes off. Time goes forward only.
struct MotorLimiter: Hashable {
    private let limits: MotorLimits
    private(set) var output = Level.off
    /// What was requested last.
    private(set) var wish = Level.off
    private var onSince = MonotonicInstant.zero
    private var gapEnd = MonotonicInstant.zero
    private var dutyCheck = MonotonicInstant.distantFuture
    private var isCut = false
    private var ledger = DutyLedger()

    private(set) var pulses = 0
    private(set) var merged = 0
    /// The last limit that cut a pulse.
    private(set) var cutReason: Reason?

    init(_ limits: MotorLimits) { self.limits = limits }

    mutating func resetCounts() {
        (pulses, merged, cutReason) = (0, 0, nil)
    }

    /// Whether a pulse is wished for but does not show yet.
    var isWaiting: Bool { wish.isOn && !output.isOn && !isCut }

    /// The pattern wishes for `level` from `now` on. Returns what the motor is told, if that changes.
    mutating func request(_ level: Level, at now: MonotonicInstant) -> Level? {
        if level.isOn {
            wish = level
            guard output.isOn else { return riseIfAllowed(at: now) }
            guard output != level else { return nil }
            output = level
            return level
        }
        if isWaiting { merged += 1 }
        wish = .off
        isCut = false
        return output.isOn ? fall(at: now) : nil
    }

    /// When the limiter itself has something to do, unless a request comes first.
    var nextEvent: MonotonicInstant {
        if output.isOn {
            return min(limits.maxOn.map { onSince + $0 } ?? .distantFuture, dutyCheck)
        }
        return isWaiting ? gapEnd : .distantFuture
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns what the motor is told, if that changes.
    mutating func elapse(at now: MonotonicInstant) -> Level? {
        guard output.isOn else { return riseIfAllowed(at: now) }
        if let maxOn = limits.maxOn, now - onSince >= maxOn { return cut(.maxOn, at: now) }
        let left = dutyLeft(at: now)
        guard left >= Self.leastOn else { return cut(.dutyLimit, at: now) }
        dutyCheck = now + left
        return nil
    }

    /// Less than this is not worth switching a motor on for.
    private static let leastOn = Nanoseconds.milliseconds(1)

    private mutating func riseIfAllowed(at now: MonotonicInstant) -> Level? {
        guard !isCut, now >= gapEnd else { return nil }
        if limits.duty < .one {
            onSince = now
            let left = dutyLeft(at: now)
            guard left >= Self.leastOn else {
                (isCut, cutReason) = (true, .dutyLimit)
                return nil
            }
            dutyCheck = now + left
        }
        (output, onSince) = (wish, now)
        pulses += 1
        return output
    }

    private mutating func fall(at now: MonotonicInstant) -> Level {
        if limits.duty < .one { ledger.record(from: onSince, to: now) }
        output = .off
        gapEnd = now + limits.minGap
        dutyCheck = .distantFuture
        return .off
    }

    private mutating func cut(_ reason: Reason, at now: MonotonicInstant) -> Level {
        (isCut, cutReason) = (true, reason)
        return fall(at: now)
    }

    private mutating func dutyLeft(at now: MonotonicInstant) -> Nanoseconds {
        let allowed = MotorLimits.dutyWindow.scaled(by: limits.duty.value)
        return allowed - ledger.onTime(until: now) - (now - onSince)
    }
}
