// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@Suite("A machine that sleeps") struct SuspendTests {
    private static func prepare(_ bench: inout Bench) {
        bench.take(.batch([.cancel(CancelRequest(client: Bench.ada, target: .all, mode: .immediate, untilResumed: true))]))
    }

    @Test("Before the sleep everything is off at once, and nothing begins until it is over")
    func prepared() {
        var bench = Bench()
        bench.play("endless", .alarm)
        bench.run(for: .milliseconds(20))
        Self.prepare(&bench)
        #expect(bench.ends.map(\.reason) == [.suspended] && bench.cancelledCounts == [1])
        #expect(bench.pulses().last?.end == bench.now)
        bench.run(for: .seconds(1))
        let refused = bench.play("soft", .alarm)
        #expect((refused.outcome, refused.reason, refused.playback) == (.suppressed, .suspended, nil))
        #expect(bench.progress("a", 0.5).reason == .suspended)
        bench.take(.slept(.seconds(8 * 3600)))
        #expect(bench.play("soft", .alarm).outcome == .played)
    }

    @Test("A machine that does not sleep after all is felt again after ten seconds of its own time")
    func abandoned() {
        var bench = Bench()
        Self.prepare(&bench)
        bench.run(for: .milliseconds(9999))
        #expect(bench.play("soft").reason == .suspended)
        bench.run(for: .milliseconds(1))
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Another cancel neither begins such a time nor ends it")
    func others() {
        var bench = Bench()
        bench.take(.batch([.cancel(.all)]))
        #expect(bench.play("soft").outcome == .played)
        Self.prepare(&bench)
        bench.take(.batch([.cancel(.all)]))
        #expect(bench.play("soft").reason == .suspended)
    }

    @Test(
        "The time asleep counts for the age of sources, together with the time awake",
        arguments: [(20, false), (29, false), (30, true), (8 * 3600, true)] as [(Int64, Bool)])
    func sources(asleep: Int64, isForgotten: Bool) {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .seconds(15))
        bench.take(.slept(.seconds(asleep)))
        bench.run(for: .seconds(15))
        #expect((bench.engine.sourceCount == 0) == isForgotten)
        #expect((bench.progress("a", 0.5).reason == nil) == isForgotten)
    }

    @Test("A source that is younger when the machine wakes up is forgotten after the rest of its time")
    func deadline() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .seconds(1))
        bench.take(.slept(.seconds(50)))
        #expect(bench.engine.nextDeadline == MonotonicInstant.zero + .seconds(10))
        bench.progress("a", 0.6)
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .seconds(59))
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .seconds(1))
        #expect(bench.engine.sourceCount == 0)
    }

    @Test("What was playing when the machine went to sleep, with nobody to end it, ends when it wakes up")
    func unprepared() {
        var bench = Bench()
        bench.play("endless", .alarm)
        bench.run(for: .seconds(1))
        bench.take(.slept(.seconds(3600)))
        #expect(bench.ends.map(\.reason) == [.suspended] && bench.engine.playbackCount == 0)
        #expect(bench.pulses().last?.end == bench.now)
    }
}
