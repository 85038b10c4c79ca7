// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import Testing

@Suite struct OnTimeGuardTests {
    private let on = Level(intensity: .one, sharpness: .zero)
    private let second = Nanoseconds.seconds(1)

    @Test("The time counts from the first level above 0, not from the last")
    func countsFromTheFirst() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: .zero)
        _ = guardian.admit(on, at: .zero + second / 2)
        #expect(guardian.deadline == .zero + second)
    }

    @Test("After an off it counts anew")
    func countsAnew() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: .zero)
        _ = guardian.admit(.off, at: .zero + second / 2)
        #expect(guardian.deadline == .distantFuture)
        _ = guardian.admit(on, at: .zero + second)
        #expect(guardian.deadline == .zero + second + second)
    }

    @Test("What was cut off is held off until it is told off")
    func heldOff() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: .zero)
        #expect(!guardian.cutsOff(at: .zero + second - Nanoseconds(1)))
        #expect(guardian.cutsOff(at: .zero + second))
        #expect(guardian.admit(on, at: .zero + second) == .off)
        #expect(guardian.admit(.off, at: .zero + second) == .off)
        #expect(guardian.admit(on, at: .zero + second) == on)
    }

    @Test("Without a longest on-time nothing is cut off")
    func noLimit() {
        var guardian = OnTimeGuard(maxOn: nil)
        _ = guardian.admit(on, at: .zero)
        #expect(guardian.deadline == .distantFuture)
        #expect(!guardian.cutsOff(at: .zero + .seconds(100_000)))
    }
}
