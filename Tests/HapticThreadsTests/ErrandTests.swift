// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticThreads
import Testing

@Suite struct ErrandTests {
    @Test("An errand that hangs is given up at the deadline and goes on; it is done when it has ended")
    func hangs() {
        let gate = Gate()
        let errand = Errand { gate.waitUntilOpen() }
        #expect(!errand.isDone(by: SystemClock.now + .milliseconds(20)))
        gate.open()
        #expect(errand.isDone(by: SystemClock.now + .seconds(60)))
        // Again, and after the deadline.
        #expect(errand.isDone(by: .zero))
    }
}

/// Opened once.
private final class Gate: Sendable {
    private let bell = Doorbell()
    func open() { bell.ring() }
    func waitUntilOpen() { while bell.count == 0 { bell.wait(after: 0, until: .distantFuture) } }
}
