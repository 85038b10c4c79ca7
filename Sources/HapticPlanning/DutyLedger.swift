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
            let bucket = Int(passed % Int64(Self.buckets))
            total -= onTime[bucket]
            onTime[bucket] = 0
        }
        newest = number
    }

    /// The on-times of the window by their age, the bucket of `origin` first. Ledgers that are equal after this count alike from their
    /// origins on if these lie equally far behind the starts of their buckets.
    func relative(to origin: MonotonicInstant) -> DutyLedger {
        let present = origin.nanoseconds / Self.bucket.count
        var relative = DutyLedger()
        for age in 0..<Int64(Self.buckets) where present - age <= newest && present - age > newest - Int64(Self.buckets) {
            let number = present - age
            guard number >= 0 else { break }
            relative.onTime[Int(age)] = onTime[Int(number % Int64(Self.buckets))]
            relative.total += relative.onTime[Int(age)]
        }
        return relative
    }
}
