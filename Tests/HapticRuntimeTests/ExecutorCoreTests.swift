// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime
import Testing

@Suite struct ExecutorCoreTests {
    @Test("`allOff` switches everything off and drops what was waiting")
    func allOff() {
        var executor = VirtualExecutor([SimulatedDriver(name: "left"), SimulatedDriver(name: "right")])
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(10, on, actuator: 1)), .actuate(actuation(30, on)))
        executor.run(until: 15)
        executor.take(.allOff)
        executor.run(until: 100)
        #expect(executor.drivers.map(\.output) == [.off, .off])
        let (felt, last) = (executor.felt, executor.reports.last)
        #expect(felt == ["10ms on", "15ms off"])
        #expect(last == .actuated(actuation(15, .off, actuator: 1), at: ms(15)))
    }

    @Test("A fault is reported once, its actuator is off and left alone, the others play on, and restoring brings it back")
    func fault() throws {
        let broken = SimulatedDriver(name: "broken", faults: .from(apply: 2, .io(errno: 5), until: .onOpen))
        var executor = VirtualExecutor([broken, SimulatedDriver(name: "whole")])
        for time in [10, 20, 30] as [Int64] {
            executor.take(.actuate(actuation(time, on)), .actuate(actuation(time, on, actuator: 1)))
        }
        executor.run(until: 40)
        let reports = executor.reports.filter { if case .faulted = $0 { true } else { false } }
        let (felt, dropped) = (executor.felt, executor.core.droppedCount)
        #expect(reports == [.faulted(ActuatorIndex(0), DriverFault(.io(errno: 5), device: "broken"), at: ms(20))])
        #expect(felt == ["10ms on", "20ms off"])
        #expect(dropped == 1)
        #expect(executor.drivers[1].actuationCount == 3)

        try broken.open(at: ms(40))
        executor.take(.restore(ActuatorIndex(0)), .restore(ActuatorIndex(0)), .actuate(actuation(50, on)))
        executor.run(until: 60)
        #expect(broken.output == DrivenLevel(on))
        let restored = executor.reports.filter { if case .restored = $0 { true } else { false } }
        #expect(restored == [.restored(ActuatorIndex(0), at: ms(40))])
    }

    @Test("An actuation that finds no room, or no actuator, is reported and counted as refused")
    func refuses() {
        var executor = VirtualExecutor(capacity: 3)
        executor.take(
            .actuate(actuation(1, on)), .actuate(actuation(2, on)), .actuate(actuation(3, on)), .actuate(actuation(4, .off)))
        executor.take(
            .actuate(actuation(5, on, actuator: 1)), .revoke(PlaybackID(1), ActuatorIndex(1), from: .zero),
            .restore(ActuatorIndex(1)))
        let (reports, refused) = (executor.reports, executor.core.refusedCount)
        #expect(reports == [.refused(actuation(3, on)), .refused(actuation(5, on, actuator: 1))])
        #expect(refused == 2)
    }

    @Test("A level that the leash cut goes on again in time, without its run")
    func resumesWithLevel() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        var first = actuation(10, on)
        first.run = RunIndex(0)
        executor.take(.actuate(first))
        executor.run(until: 115)
        executor.take(.actuate(actuation(900, .off)))
        executor.run(until: 1000)
        #expect(executor.reports.contains(.actuated(actuation(130, on), at: ms(130))))
        #expect(executor.core.droppedCount == 0)
    }
}
