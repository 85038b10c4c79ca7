// SPDX-License-Identifier: MIT
import HapticCore
import HapticRuntime
import Testing

@Suite struct WatchdogTests {
    private static let period = Nanoseconds.seconds(10)

    /// A daemon under a watchdog on virtual time: which of its threads live, and when they woke up.
    private struct Daemon {
        var now = MonotonicInstant.zero
        var watchdog = Watchdog(period: WatchdogTests.period)
        var next = MonotonicInstant.zero
        var owesBeat = false
        var isExecutorAlive = true
        var isEngineInTime = true
        /// When the manager got a sign of life.
        var signs: [MonotonicInstant] = []
        var wakeUps: [MonotonicInstant] = []

        /// Goes on until `end`, with an event loop that is as late as this for each look.
        mutating func run(until end: MonotonicInstant, late: Nanoseconds = .zero) {
            while next + late <= end {
                now = next + late
                wakeUps.append(now)
                let verdict = watchdog.check(isAlive: isEngineInTime, hasAnswered: !owesBeat)
                if verdict.isAlive { signs.append(now) }
                if verdict.asks {
                    if !owesBeat, isExecutorAlive { wakeUps.append(now) }
                    owesBeat = !isExecutorAlive
                }
                next = now + verdict.pause
            }
            now = end
        }

        /// The longest time that the manager heard nothing, up to now.
        var longestSilence: Nanoseconds {
            zip([.zero] + signs, signs + [now]).map { $1 - $0 }.max() ?? .zero
        }
    }

    @Test("While all is well two threads wake up twice a period in all, and the manager never waits for long")
    func idle() {
        var daemon = Daemon()
        daemon.run(until: .zero + Self.period * 300)
        // The looks at both ends are of the periods beyond.
        #expect(daemon.wakeUps.count <= 2 * 300 + 2)
        #expect(daemon.longestSilence == Self.period / 4 * 3)
    }

    @Test("An event loop that is nearly a quarter of the period late each time is not killed")
    func late() {
        var daemon = Daemon()
        daemon.run(until: .zero + Self.period * 20, late: Self.period / 4 - .milliseconds(1))
        #expect(daemon.longestSilence < Self.period)
        #expect(daemon.signs.count > 10)
    }

    @Test("An executor that hangs ends the signs of life, whenever it began to", arguments: 0..<40)
    func executorHangs(quarter: Int) {
        var daemon = Daemon()
        let moment = MonotonicInstant.zero + Self.period / 4 * quarter
        daemon.run(until: moment)
        daemon.isExecutorAlive = false
        daemon.run(until: moment + Self.period * 10)
        #expect(daemon.signs.allSatisfy { $0 <= moment + Self.period / 4 * 6 }, "at most two more")
        #expect(daemon.longestSilence > Self.period, "so that the manager kills it")
    }

    @Test("An engine whose timer is overdue ends the signs of life, too")
    func engineHangs() {
        var daemon = Daemon()
        daemon.run(until: .zero + Self.period * 4)
        daemon.isEngineInTime = false
        let before = daemon.signs.count
        daemon.run(until: .zero + Self.period * 8)
        #expect(daemon.signs.count == before)
    }

    @Test("An absent executor, as in a reload, does not end the signs of life", arguments: 0..<12)
    func replaced(eighth: Int) {
        var daemon = Daemon()
        daemon.run(until: .zero + Self.period * 4 + Self.period / 8 * eighth)
        daemon.isExecutorAlive = false
        daemon.owesBeat = true
        daemon.run(until: daemon.now + Self.period / 6)
        daemon.isExecutorAlive = true
        daemon.run(until: daemon.now + Self.period * 4)
        #expect(daemon.longestSilence < Self.period)
    }

    @Test("If the manager has not killed the daemon, signs of life resume once all is well")
    func recovers() {
        var daemon = Daemon()
        daemon.isEngineInTime = false
        daemon.run(until: .zero + Self.period * 4)
        #expect(daemon.signs == [])
        daemon.isEngineInTime = true
        daemon.run(until: daemon.now + Self.period)
        #expect(daemon.signs.count >= 1)
    }
}
