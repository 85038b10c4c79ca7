// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// Counts times in 8 buckets for each power of two, so that a percentile is at most an eighth too high. Fixed size.
struct LatencyHistogram {
    private static let subBuckets = 8
    private var counts = [UInt64](repeating: 0, count: 64 * subBuckets)
    private(set) var count: UInt64 = 0
    private(set) var longest = Nanoseconds.zero

    /// What is below 0 counts as 0.
    mutating func add(_ time: Nanoseconds) {
        counts[Self.bucket(of: UInt64(max(0, time.count)))] += 1
        count += 1
        longest = max(longest, time)
    }

    /// The time that `share` (0…1) of all stay within; 0 where there is none.
    func percentile(_ share: Double) -> Nanoseconds {
        let wanted = max(1, UInt64((Double(count) * share).rounded(.up)))
        var seen: UInt64 = 0
        for (index, bucket) in counts.enumerated() {
            seen += bucket
            if seen >= wanted { return min(longest, Nanoseconds(Self.end(ofBucket: index))) }
        }
        return .zero
    }

    func percentiles(of name: String) -> StatusResult.Percentiles {
        StatusResult.Percentiles(
            of: name, count: count, p50Ns: percentile(0.5).count, p90Ns: percentile(0.9).count,
            p99Ns: percentile(0.99).count, maxNs: longest.count)
    }

    /// Below 8 each number has a bucket; from there on the three bits behind the highest one choose it.
    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(subBuckets) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 2) * subBuckets + Int((value >> UInt64(exponent - 3)) & 7)
    }

    private static func end(ofBucket index: Int) -> Int64 {
        guard index >= subBuckets else { return Int64(index) }
        let (exponent, part) = (index / subBuckets + 2, index % subBuckets)
        let width = Int64(1) << Int64(exponent - 3)
        return Int64(subBuckets + part) * width + (width - 1)
    }
}
