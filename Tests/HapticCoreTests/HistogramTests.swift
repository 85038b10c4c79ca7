// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@Suite("Histograms of times")
struct HistogramTests {
    @Test("Without a recorded time there is no percentile")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.percentile(.one) == nil)
        #expect(histogram.count == 0)
        #expect(histogram.max == .zero)
    }

    @Test("A single time is every percentile, within 3 %", arguments: 0...36)
    func errorBound(bits: Int) {
        var random = SplitMix64(seed: UInt64(bits))
        for _ in 0..<200 {
            let time = Int64.random(in: (1 << bits - 1)...(1 << (bits + 1) - 1), using: &random)
            var histogram = Histogram()
            histogram.record(Nanoseconds(time))
            // A longer one, so that the exact maximum does not stand in for the bucket.
            histogram.record(.seconds(1000))
            let found = histogram.percentile(Share(clamping: 0.5))?.count ?? -1
            #expect(abs(found - time) * 100 <= 3 * time, "\(time) became \(found)")
            #expect(time >= 64 || found == time)
        }
    }

    @Test(
        "Percentiles are those of the sorted times, within 3 %", arguments: [0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 1])
    func percentiles(share: Double) {
        var random = SplitMix64(seed: 7)
        var histogram = Histogram()
        var times: [Int64] = []
        for _ in 0..<5000 {
            let time = Int64(1) << Int64.random(in: 0..<32, using: &random) + Int64.random(in: 0..<1000, using: &random)
            times.append(time)
            histogram.record(Nanoseconds(time))
        }
        times.sort()
        let exact = times[max(0, Int((share * 5000).rounded(.up)) - 1)]
        let found = histogram.percentile(Share(clamping: share))?.count ?? -1
        #expect(abs(found - exact) * 100 <= 3 * exact, "\(exact) became \(found)")
        #expect(histogram.count == 5000)
    }

    @Test("The sum is exact, without early times, and stays at its limit")
    func sum() {
        var histogram = Histogram()
        for time in [3, -7, 1_000_000_007] { histogram.record(Nanoseconds(Int64(time))) }
        #expect(histogram.sum == Nanoseconds(1_000_000_010))
        for _ in 0..<2 { histogram.record(Nanoseconds(.max)) }
        #expect(histogram.sum == Nanoseconds(.max))
        #expect(histogram.count == 5)
    }

    @Test("An early time counts as not late, a very late one keeps its exact maximum")
    func extremes() {
        var histogram = Histogram()
        histogram.record(Nanoseconds(-5))
        #expect(histogram.percentile(.one) == .zero)
        histogram.record(.seconds(1000))
        #expect(histogram.max == .seconds(1000))
        #expect((histogram.percentile(.one) ?? .zero) >= .seconds(130))
        histogram.removeAll()
        #expect(histogram == Histogram())
    }
}
