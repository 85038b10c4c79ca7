// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime
import Testing

/// A brake ends a pulse. Where the motor got no pulse, or has none any more, a brake would only turn it backwards.
@Suite struct ExecutorBrakeTests {
    private let brake = DrivenLevel(.off, drive: Drive(-1))

    private func executor() -> VirtualExecutor {
        let both = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
        return VirtualExecutor([SimulatedDriver(name: "main", capabilities: both)], minGaps: [.milliseconds(20)])
    }

    private func sent(_ executor: borrowing VirtualExecutor) -> [String] {
        executor.drivers[0].record.map { "\($0.real) \($0.drive.value)" }
    }

    @Test("A brake follows the pulse that it ends")
    func brakes() {
        var executor = executor()
        executor.take(
            .actuate(actuation(10, on)), .actuate(actuation(18, driven: brake)), .actuate(actuation(25, .off)))
        executor.run(until: 100)
        #expect(sent(executor) == ["10ms 1.0", "18ms -1.0", "25ms 0.0"])
    }

    @Test("The brake of a pulse that was missed is left out, and so is its off")
    func ofWhatWasMissed() {
        var executor = executor()
        executor.take(
            .actuate(actuation(10, on)), .actuate(actuation(31, driven: brake)), .actuate(actuation(50, .off)))
        executor.stall(until: 32)
        executor.run(until: 100)
        #expect(sent(executor) == [])
        #expect(executor.reports == [.missed(actuation(10, on), at: ms(32))])
        #expect(executor.core.nextDeadline == .distantFuture)
    }

    @Test("The brake of a pulse that still waits for the motor's gap is left out")
    func ofWhatWaits() {
        var executor = executor()
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)), .actuate(actuation(40, on)))
        executor.run(until: 15)
        executor.stall(until: 35)
        executor.take(.actuate(actuation(50, driven: brake)), .actuate(actuation(58, .off)))
        executor.run(until: 100)
        #expect(sent(executor) == ["10ms 1.0", "35ms 0.0"])
        #expect(executor.reports.last == .missed(actuation(40, on), at: ms(50)))
    }

    @Test("The brake of a pulse that the leash has cut is left out, whether that was to go on or not", arguments: [105, 125])
    func ofWhatWasCut(at planned: Int64) {
        var executor = executor()
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 115)
        executor.take(.actuate(actuation(planned, driven: brake)), .actuate(actuation(140, .off)))
        executor.run(until: 200)
        #expect(sent(executor) == ["10ms 1.0", "110ms 0.0"])
    }

    @Test("A brake that the leash has cut does not go on")
    func thatWasCut() {
        var executor = executor()
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(18, driven: brake)))
        executor.run(until: 120)
        executor.take(.actuate(actuation(200, .off)))
        executor.run(until: 300)
        #expect(sent(executor) == ["10ms 1.0", "18ms -1.0", "118ms 0.0"])
        #expect(executor.core.nextDeadline == .distantFuture)
    }
}
