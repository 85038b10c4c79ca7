// SPDX-License-Identifier: MIT

/// Lengths of time that were measured, every one of them: percentiles are exact.
package struct LatencyFigures: Hashable, Sendable {
    struct Bucket: Hashable, Sendable, Encodable {
        /// Times from here on, in nanoseconds.
        var fromNs: Int64
        /// Up to here, exclusive.
        var toNs: Int64
        var count: Int
    }

    private var times: [Int64] = []
    private var isSorted = true

    package init() {}

    package var count: Int { times.count }

    /// Negative times, which clocks of one machine should not make, count as zero.
    package mutating func add(_ nanoseconds: Int64) {
        times.append(max(0, nanoseconds))
        isSorted = false
    }

    /// To be called once all are added, before anything is asked.
    package mutating func sort() {
        if !isSorted { times.sort() }
        isSorted = true
    }

    /// The least time that at least this share of them do not exceed, in nanoseconds; 0 where there is none.
    func percentile(_ share: Double) -> Int64 {
        // trap: `sort` is called when the last has been added.
        assert(isSorted, "sort first")
        guard !times.isEmpty else { return 0 }
        // trap: a share of at most 1 of a count.
        let rank = Int((share * Double(times.count)).rounded(.up))
        return times[min(times.count, max(1, rank)) - 1]
    }

    var worst: Int64 { percentile(1) }

    /// Ten to a power of ten (as the preferred numbers R10 of ISO 3 are), from the first to the last that is not empty.
    var buckets: [Bucket] {
        // trap: `sort` is called when the last has been added.
        assert(isSorted, "sort first")
        var buckets: [Bucket] = []
        for time in times {
            while time >= buckets.last?.toNs ?? 0 {
                let index = buckets.isEmpty ? Self.index(of: time) : Self.index(of: buckets[buckets.count - 1].toNs)
                buckets.append(Bucket(fromNs: Self.edge(index), toNs: Self.edge(index + 1), count: 0))
            }
            buckets[buckets.count - 1].count += 1
        }
        return buckets
    }

    private static let steps: [Int64] = [100, 125, 160, 200, 250, 315, 400, 500, 630, 800]

    /// The first bucket begins at 0, the second at 125 ns.
    private static func edge(_ index: Int) -> Int64 {
        guard index > 0 else { return 0 }
        return (0..<index / steps.count).reduce(steps[index % steps.count]) { edge, _ in edge * 10 }
    }

    private static func index(of time: Int64) -> Int {
        var index = 0
        while edge(index + 1) <= time { index += 1 }
        return index
    }
}

/// As `--json` shows them. All are 0 where `count` is.
extension LatencyFigures: Encodable {
    private enum CodingKeys: CodingKey { case count, sumNs, minNs, p50Ns, p90Ns, p99Ns, p999Ns, maxNs, buckets }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(times.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }, forKey: .sumNs)
        try container.encode(times.first ?? 0, forKey: .minNs)
        try container.encode(percentile(0.5), forKey: .p50Ns)
        try container.encode(percentile(0.9), forKey: .p90Ns)
        try container.encode(percentile(0.99), forKey: .p99Ns)
        try container.encode(percentile(0.999), forKey: .p999Ns)
        try container.encode(worst, forKey: .maxNs)
        try container.encode(buckets, forKey: .buckets)
    }
}
