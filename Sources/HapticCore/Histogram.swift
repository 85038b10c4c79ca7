// SPDX-License-Identifier: MIT

/// How often lengths of time occurred, in fixed memory. A value; recording is O(1).
///
/// Its 8 KiB are allocated with the first time recorded, so that one that stays empty costs nothing; nothing is after that.
///
/// Buckets are linear within each power of two, 32 of them (as in HdrHistogram, Tene 2012): a percentile is at most 1/64 off
/// (1.6 %) up to `limit`. Below 64 ns every value has a bucket of its own.
public struct Histogram: Hashable, Sendable {
    private static let linearBits = 5
    private static let limitBits = 37
    /// Longer times (from 137 s) count as this in percentiles; `max` is exact.
    public static let limit = Nanoseconds(1 << limitBits - 1)

    private static let bucketCount = (limitBits - linearBits + 1) << linearBits

    /// Empty until something is recorded.
    private var buckets: [UInt64] = []
    public private(set) var count: UInt64 = 0
    /// All recorded ones together; stays at the largest there is where they come to more (292 years).
    public private(set) var sum = Nanoseconds.zero
    /// The longest recorded; zero where there is none.
    public private(set) var max = Nanoseconds.zero

    public init() {}

    /// Negative times count as zero: what is early is not late.
    public mutating func record(_ time: Nanoseconds) {
        let time = Swift.max(time, .zero)
        if buckets.isEmpty { buckets = Array(repeating: 0, count: Self.bucketCount) }
        buckets[Self.bucket(of: min(time, Self.limit))] += 1
        count += 1
        let (total, isTooMuch) = sum.count.addingReportingOverflow(time.count)
        sum = Nanoseconds(isTooMuch ? .max : total)
        max = Swift.max(max, time)
    }

    /// The least time that at least the share `share` of all recorded ones do not exceed, within the error; nil where nothing is recorded.
    public func percentile(_ share: Share) -> Nanoseconds? {
        guard count > 0 else { return nil }
        // trap: a share of at most 1 of a count.
        let rank = Swift.max(1, UInt64((share.value * Double(count)).rounded(.up)))
        var passed: UInt64 = 0
        for (bucket, number) in buckets.enumerated() {
            passed += number
            if passed >= rank { return min(Self.middle(of: bucket), max) }
        }
        return max
    }

    public mutating func removeAll() { self = Histogram() }

    private static func bucket(of time: Nanoseconds) -> Int {
        let value = Int(time.count)
        let shift = Swift.max(0, Int.bitWidth - value.leadingZeroBitCount - linearBits - 1)
        return shift << linearBits + value >> shift
    }

    private static func middle(of bucket: Int) -> Nanoseconds {
        let shift = Swift.max(0, bucket >> linearBits - 1)
        let lowest = (bucket - shift << linearBits) << shift
        return Nanoseconds(Int64(lowest + (1 << shift) / 2))
    }
}
