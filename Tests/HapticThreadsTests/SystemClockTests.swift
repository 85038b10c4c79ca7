// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticThreads
import Testing

struct SystemClockTests {
    private func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test("How long the machine has slept is what one clock counts more than the other, and never too high")
    func suspended() {
        let readings = (0..<100).map { _ in SystemClock.suspended }
        let awake = read(CLOCK_MONOTONIC)
        let most = Nanoseconds(read(CLOCK_BOOTTIME) - awake)
        #expect(readings.allSatisfy { $0 <= most })
        // A machine of which every reading was interrupted for a minute runs no tests.
        #expect(readings.contains { $0 > most - .seconds(60) })
    }
}
