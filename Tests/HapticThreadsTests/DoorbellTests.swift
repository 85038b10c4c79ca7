// SPDX-License-Identifier: MIT
import HapticCore
import HapticThreads
import Testing

@Suite struct DoorbellTests {
    @Test("A doorbell that is rung once more than it can count goes on from 0, and wakes who waits")
    func wraps() {
        let doorbell = Doorbell(count: .max)
        let before = doorbell.count
        doorbell.ring()
        let after = doorbell.count
        #expect((before, after) == (.max, 0))
        doorbell.wait(after: before, until: .distantFuture)
    }
}
