// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

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

    @Test("After an off the time counts again")
    func countsAnew() {
        var guardian = OnTimeGuard(maxOn: second)
        _ = guardian.admit(on, at: start)
        _ = guardian.admit(.off, at: start + second / 2)
        #expect(guardian.deadline == .distantFuture)
        _ = guardian.admit(on, at: start + second)
        #expect(guardian.deadline == start + second + second)
    }

    @Test("A vibration that was cut off is held off until an off comes")
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

@Suite struct SoftwarePWMTests {
    private let period = Nanoseconds.milliseconds(5)
    private func us(_ count: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: count * 1000) }

    /// The instants from `start` on at which the line goes on and off, if each call is exactly in time.
    private func edges(_ modulation: inout SoftwarePWM, until end: MonotonicInstant) -> [MonotonicInstant] {
        var edges: [MonotonicInstant] = []
        while modulation.nextEdge <= end {
            let at = modulation.nextEdge
            modulation.advance(to: at)
            edges.append(at)
        }
        return edges
    }

    @Test(
        "Each period is on for its share, then off", arguments: [(0.1, 500), (0.5, 2500), (0.9, 4500)] as [(Double, Int64)])
    func share(share: Double, on: Int64) {
        var modulation = SoftwarePWM(period: period)
        modulation.set(Share(clamping: share), at: us(1000))
        #expect(modulation.isActive)
        let expected = (0..<4).flatMap { [us(1000 + $0 * 5000 + on), us(1000 + ($0 + 1) * 5000)] }
        #expect(edges(&modulation, until: us(21_000)) == expected)
    }

    @Test("A share of all or nothing has no edges", arguments: [0.0, 1.0])
    func constant(share: Double) {
        var modulation = SoftwarePWM(period: period)
        modulation.set(Share(clamping: share), at: us(1000))
        #expect(modulation.isActive == (share > 0))
        #expect(modulation.nextEdge == .distantFuture)
    }

    @Test("Without a period the line is on for any share")
    func onOrOff() {
        var modulation = SoftwarePWM(period: nil)
        modulation.set(Share(clamping: 0.3), at: us(0))
        #expect(modulation.isActive)
        #expect(modulation.nextEdge == .distantFuture)
        modulation.set(.zero, at: us(10))
        #expect(!modulation.isActive)
    }

    @Test("Another share keeps the rhythm: it is as if the period had begun with it")
    func change() {
        var modulation = SoftwarePWM(period: period)
        modulation.set(Share(clamping: 0.5), at: us(0))
        modulation.set(Share(clamping: 0.2), at: us(2000))
        #expect(!modulation.isActive, "the new share of this period is over")
        #expect(modulation.nextEdge == us(5000))
        modulation.set(Share(clamping: 0.8), at: us(3000))
        #expect(modulation.isActive)
        #expect(modulation.nextEdge == us(4000))
    }

    @Test("A line that was off begins a period of its own")
    func restart() {
        var modulation = SoftwarePWM(period: period)
        modulation.set(Share(clamping: 0.5), at: us(0))
        modulation.set(.zero, at: us(700))
        modulation.set(Share(clamping: 0.5), at: us(4900))
        #expect(modulation.isActive)
        #expect(modulation.nextEdge == us(7400))
    }

    @Test("Lateness does not add up, and periods that were missed are left out")
    func lateness() {
        var modulation = SoftwarePWM(period: period)
        modulation.set(Share(clamping: 0.5), at: us(0))
        modulation.advance(to: us(2600))
        #expect(modulation.nextEdge == us(5000))
        modulation.advance(to: us(5200))
        #expect(modulation.isActive)
        #expect(modulation.nextEdge == us(7500))
        modulation.advance(to: us(23_000))
        #expect(!modulation.isActive)
        #expect(modulation.nextEdge == us(25_000))
    }
}
