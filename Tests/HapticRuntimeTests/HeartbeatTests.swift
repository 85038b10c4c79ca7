// SPDX-License-Identifier: MIT
import HapticCore
import HapticRuntime
import Testing

@Suite struct HeartbeatTests {
    @Test("The heart beats when something begins and every 400 ms while it goes on, and rests once it is over")
    func aWhile() {
        var heartbeat = Heartbeat()
        #expect(heartbeat.isResting)
        #expect(heartbeat.deadline == .distantFuture)
        #expect(heartbeat.signal(isActive: false, at: ms(0)) == nil)
        #expect(heartbeat.signal(isActive: true, at: ms(10)) == .beat)
        #expect(!heartbeat.isResting)
        #expect(heartbeat.deadline == ms(410))
        #expect(heartbeat.signal(isActive: true, at: ms(409)) == nil)
        #expect(heartbeat.signal(isActive: true, at: ms(410)) == .beat)
        #expect(heartbeat.signal(isActive: false, at: ms(500)) == nil, "pulses are not signalled one by one")
        #expect(heartbeat.signal(isActive: true, at: ms(510)) == nil)
        #expect(heartbeat.signal(isActive: false, at: ms(810)) == .rest)
        #expect(heartbeat.deadline == .distantFuture)
        #expect(heartbeat.signal(isActive: true, at: ms(811)) == .beat)
    }
}
