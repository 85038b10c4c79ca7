// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticThreads

@Suite("Readings of the wall clock")
struct ClockWatchTests {
    private final class Bench {
        let loop = TestLoop()
        var isNeeded = true
        var shown = 0
        var set = 0
        var watch: ClockWatch?

        init(isNeeded: Bool = true) {
            self.isNeeded = isNeeded
            let watch = ClockWatch(
                on: loop, isNeeded: { [unowned self] in self.isNeeded }, shows: { [unowned self] _ in shown += 1 },
                wasSet: { [unowned self] in set += 1 }, failed: { Issue.record("not watched: \($0)") })
            self.watch = watch
            // UTC: it never changes.
            watch.start(WallClock(at: .first) { _ in 0 })
        }

        func pass(_ time: Nanoseconds) {
            loop.advance(time)
            loop.turn()
        }
    }

    @Test("The clock is read once an hour while the time of day is needed")
    func hourly() {
        let bench = Bench()
        bench.pass(.seconds(3599))
        #expect(bench.shown == 0)
        bench.pass(.seconds(1))
        #expect(bench.shown == 1)
        // The zone of whoever runs this may change its offset meanwhile: then a reading comes earlier.
        for _ in 0..<2 { bench.pass(.seconds(3600)) }
        #expect(bench.shown == 3)
    }

    @Test("While nobody needs the time of day the clock is not read; a new need reads it immediately")
    func asleep() {
        let bench = Bench(isNeeded: false)
        #expect(bench.loop.isAsleep)
        bench.watch?.needChanged()
        bench.loop.turn()
        #expect(bench.loop.isAsleep)
        #expect(bench.shown == 0)
        bench.isNeeded = true
        bench.watch?.needChanged()
        bench.loop.turn()
        #expect(bench.shown == 1)
        #expect(!bench.loop.isAsleep)
        // The same need again is no reason.
        bench.watch?.needChanged()
        bench.loop.turn()
        #expect(bench.shown == 1)
        bench.isNeeded = false
        bench.watch?.needChanged()
        #expect(bench.loop.isAsleep)
    }

    @Test("The clock is read each time it has been set, at most ten times a second")
    func set() {
        let bench = Bench(isNeeded: false)
        for round in 1...3 {
            bench.loop.endWatches()
            bench.loop.turn()
            #expect((bench.shown, bench.loop.watchCount) == (round - 1, 0))
            bench.pass(.milliseconds(100))
            #expect((bench.shown, bench.set, bench.loop.watchCount) == (round, round, 1))
        }
        #expect(bench.loop.isAsleep)
    }

    @Test("A request to look reads the clock once, and without a watch nothing is scheduled")
    func end() {
        let bench = Bench(isNeeded: false)
        bench.watch?.readNow()
        bench.loop.turn()
        #expect(bench.shown == 1)
        #expect(bench.loop.isAsleep)
        bench.watch = nil
        #expect(bench.loop.watchCount == 0)
        bench.pass(.seconds(7200))
        #expect(bench.shown == 1)
    }
}
