// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticServer

struct LatencyHistogramTests {
    @Test func `Percentiles are at most an eighth too high, and the longest is exact`() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == .zero)
        for microseconds in 1...1000 as ClosedRange<Int64> { histogram.add(.microseconds(microseconds)) }
        for (share, exact) in [(0.5, 500.0), (0.9, 900), (0.99, 990)] {
            let found = histogram.percentile(share).inSeconds * 1e6
            #expect(found >= exact && found <= exact * 1.125)
        }
        #expect(histogram.percentile(1) == .microseconds(1000))
        #expect(histogram.longest == .microseconds(1000))
    }

    @Test(arguments: [-5, 0, 1, 7, 8, 9, 1 << 40, Int64.max] as [Int64]) func `Every time has a place`(count: Int64) {
        var histogram = LatencyHistogram()
        histogram.add(Nanoseconds(count))
        #expect(histogram.percentile(0.5) == Nanoseconds(max(0, count)))
    }
}
