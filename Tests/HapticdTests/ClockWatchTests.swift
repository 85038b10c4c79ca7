// SPDX-License-Identifier: MIT
import HapticBoard
import HapticCore
import HapticSettings
import Testing

@testable import hapticd

@Suite("Looks at the clock on the wall")
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
                on: loop, logger: silentLogger,
                reading: { .read() }, isNeeded: { [unowned self] in self.isNeeded },
                shows: { [unowned self] _ in shown += 1 }, wasSet: { [unowned self] in set += 1 })
            self.watch = watch
            // UTC: it never changes.
            watch.start(WallClock(at: .first) { _ in 0 })
        }
    }

    @Test("The clock is read once an hour while quiet hours are set")
    func hourly() {
        let bench = Bench()
        bench.loop.advance(.seconds(3599))
        #expect(bench.shown == 0)
        bench.loop.advance(.seconds(1))
        #expect(bench.shown == 1)
        // The zone of whoever runs this may change its offset meanwhile.
        bench.loop.advance(.seconds(7200))
        #expect(bench.shown >= 3)
    }

    @Test("Without quiet hours the clock is not read; settings that add some read it immediately")
    func asleep() {
        let bench = Bench(isNeeded: false)
        #expect(bench.loop.isAsleep)
        bench.watch?.settingsChanged()
        #expect(bench.loop.isAsleep)
        #expect(bench.shown == 0)
        bench.isNeeded = true
        bench.watch?.settingsChanged()
        #expect(bench.shown == 1)
        #expect(!bench.loop.isAsleep)
        // What else is set is no reason.
        bench.watch?.settingsChanged()
        #expect(bench.shown == 1)
        bench.isNeeded = false
        bench.watch?.settingsChanged()
        #expect(bench.loop.isAsleep)
    }

    @Test("The clock is read each time it has been set, at most ten times a second")
    func set() {
        let bench = Bench(isNeeded: false)
        for round in 1...3 {
            bench.loop.setClock()
            #expect((bench.shown, bench.loop.watched.count) == (round - 1, 0))
            bench.loop.advance(.milliseconds(100))
            #expect((bench.shown, bench.set, bench.loop.watched.count) == (round, round, 1))
        }
        #expect(bench.loop.isAsleep)
    }

    @Test("A reload reads the clock once, and without a watch nothing is scheduled")
    func end() {
        let bench = Bench(isNeeded: false)
        bench.watch?.look()
        #expect(bench.shown == 1)
        #expect(bench.loop.isAsleep)
        bench.shown = 0
        bench.watch = nil
        #expect(bench.loop.watched.isEmpty)
        bench.loop.advance(.seconds(7200))
        #expect(bench.shown == 0)
    }
}
