// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import Testing

@testable import HapticServer

@Suite("A machine that sleeps") struct SleepTests {
    /// How long it has slept in all, as a clock reads it.
    private final class Clock {
        var readings: [Nanoseconds]
        init(_ readings: Nanoseconds...) { self.readings = readings }
        func read() -> Nanoseconds { readings.count > 1 ? readings.removeFirst() : readings[0] }
    }

    @Test("Only the time asleep since the last reading is a sleep, and a short one is none")
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

    @Test("A reading that is too low makes no sleep of the next one, and the missing time is added later")
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

    @Test("The first line after a sleep is decided after it: an old source is forgotten")
    func firstLine() throws {
        let rig = try Rig()
        let client = try rig.visit()
        func isPlayed() -> Bool {
            let answer = client.ask("progress", #"{"id":"a","value":0.5}"#)
            rig.advance(.milliseconds(100))
            return answer?["result"]?["outcome"] == "played"
        }
        #expect(isPlayed())
        #expect(!isPlayed())
        rig.suspended = rig.suspended + .seconds(59)
        #expect(!isPlayed())
        rig.suspended = rig.suspended + .seconds(60)
        #expect(isPlayed())
    }
}
