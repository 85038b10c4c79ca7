// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Latency, measured and drawn")
struct LatencyFiguresTests {
    private func figures(_ times: [Int64]) -> LatencyFigures {
        var figures = LatencyFigures()
        for time in times { figures.add(time) }
        figures.sort()
        return figures
    }

    @Test("Percentiles are those of the sorted times, exactly")
    func percentiles() {
        let figures = figures((1...1000).reversed())
        #expect([0.5, 0.9, 0.99, 0.999, 1].map(figures.percentile) == [500, 900, 990, 999, 1000])
        #expect(self.figures([]).worst == 0)
        #expect(self.figures([-5]).worst == 0)
        #expect(self.figures([7]).percentile(0.5) == 7)
    }

    @Test("Each time is in the bucket that holds it; there are ten to a power of ten, without a gap between them")
    func buckets() {
        let times: [Int64] = [0, 124, 125, 99_999, 100_000, 124_999, 5_000_000_000]
        let buckets = figures(times).buckets
        #expect(buckets.map(\.count).reduce(0, +) == times.count)
        #expect(buckets.first?.fromNs == 0)
        #expect(buckets.last.map { ($0.fromNs...$0.toNs).contains(5_000_000_000) } == true)
        for (one, next) in zip(buckets, buckets.dropFirst()) { #expect(one.toNs == next.fromNs) }
        for bucket in buckets { #expect(bucket.count == times.count { $0 >= bucket.fromNs && $0 < bucket.toNs }) }
        #expect(buckets.count { (1_000_000..<10_000_000).contains($0.fromNs) } == 10)
        #expect(figures([]).buckets.isEmpty)
    }

    @Test("A picture has a bar for each bucket, a mark for many empty ones, and percentiles; JSON has numbers")
    func picture() throws {
        let figures = figures(Array(repeating: 130_000, count: 80) + Array(repeating: 170_000, count: 20) + [2_100_000])
        var cases = SnapshotCases()
        for isUnicode in [true, false] {
            let lines = LatencyPicture(width: 30, isUnicode: isUnicode).lines("ROUND TRIP", figures)
            cases.add("a picture\(isUnicode ? "" : " in ASCII")", lines)
            #expect(isUnicode || lines.joined().allSatisfy(\.isASCII))
        }
        cases.add("a picture of nothing", LatencyPicture(width: 30, isUnicode: true).lines("X", self.figures([])))
        let json = self.figures([100_000, 100_000, 400_000])
        cases.add("for programs", [jsonLine(json)])
        try expectSnapshot(of: cases.text, "latency")
    }
}
