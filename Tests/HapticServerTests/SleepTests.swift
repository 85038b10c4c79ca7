// SPDX-License-Identifier: MIT
import HapticCore
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

@Suite("A machine that sleeps, as the daemon notices it") struct SleepTests {
    /// How long it has slept in all, as a clock reads it.
    private final class Clock {
        var readings: [Nanoseconds]
        init(_ readings: Nanoseconds...) { self.readings = readings }
        func read() -> Nanoseconds { readings.count > 1 ? readings.removeFirst() : readings[0] }
    }

    @Test("Only what has been added since the last look is a sleep, and little of it is none")
    func watch() {
        let clock = Clock(.seconds(100))
        var watch = SleepWatch { clock.read() }
        #expect(watch.slept() == nil)
        clock.readings = [Nanoseconds.seconds(100) + Nanoseconds.milliseconds(99)]
        #expect(watch.slept() == nil)
        clock.readings = [.seconds(130)]
        #expect(watch.slept() == .seconds(30))
        #expect(watch.slept() == nil)
    }

    @Test("A reading that is too low is no sleep at the next one, and what it misses of a sleep is added later")
    func lowReadings() {
        let first = Clock(.seconds(98), .seconds(100), .seconds(100))
        var watch = SleepWatch { first.read() }
        #expect(watch.slept() == nil)
        first.readings = [.seconds(99)]
        #expect(watch.slept() == nil)
        first.readings = [.seconds(107)]
        #expect(watch.slept() == .seconds(7))
        first.readings = [.seconds(110)]
        #expect(watch.slept() == .seconds(3))
    }

    @Test("The first line after a sleep is decided as after one: a source of before is forgotten")
    func firstLine() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let progress = #"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"a","value":0.5}}"#
        func outcome() throws -> Bool {
            try bench.say(progress, to: client)
            bench.loop.advanceTime(by: .milliseconds(100))
            return try bench.heard(client).contains(#""played""#)
        }
        #expect(try outcome() && !outcome())
        bench.suspended = bench.suspended + .seconds(59)
        #expect(try !outcome())
        bench.suspended = bench.suspended + .seconds(60)
        #expect(try outcome())
    }
}
