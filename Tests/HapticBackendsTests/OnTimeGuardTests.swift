// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import Testing

@Suite struct OnTimeGuardTests {
    private let on = DrivenLevel(Level(intensity: .one, sharpness: .zero))
    private let second = Nanoseconds.seconds(1)
    private let start = MonotonicInstant.zero

    @Test("The time counts from the first level above 0, not from the last")
    func countsFromTheFirst() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: start)
        _ = guardian.admit(on, at: start + second / 2)
        #expect(guardian.deadline == start + second)
    }

    @Test("After an off it counts again")
    func countsAnew() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: start)
        _ = guardian.admit(.off, at: start + second / 2)
        #expect(guardian.deadline == .distantFuture)
        _ = guardian.admit(on, at: start + second)
        #expect(guardian.deadline == start + second + second)
    }

    @Test("What was cut off is held off until an off comes")
    func heldOff() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: start)
        let early = guardian.cutsOff(at: start + second - Nanoseconds(1))
        let due = guardian.cutsOff(at: start + second)
        #expect([early, due] == [false, true])
        let shown = [on, .off, on].map { guardian.admit($0, at: start + second) }
        #expect(shown == [.off, .off, on])
    }

    @Test("Without a longest on-time nothing is cut off")
    func noLimit() {
        var guardian = OnTimeGuard(maxOn: nil)
        _ = guardian.admit(on, at: start)
        #expect(guardian.deadline == .distantFuture)
        let isCutOff = guardian.cutsOff(at: start + .seconds(100_000))
        #expect(!isCutOff)
    }
}
