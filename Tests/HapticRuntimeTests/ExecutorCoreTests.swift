// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime
import Testing

@Suite struct ExecutorCoreTests {
    @Test("Each actuation is applied at its planned time and reported")
    func applies() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(18, .off)), .actuate(actuation(10, on)))
        executor.run(until: 100)
        let (felt, reports, nextDeadline) = (executor.felt, executor.reports, executor.core.nextDeadline)
        #expect(felt == ["10ms on", "18ms off"])
        #expect(reports == [.actuated(actuation(10, on), at: ms(10)), .actuated(actuation(18, .off), at: ms(18))])
        #expect(nextDeadline == .distantFuture)
    }

    @Test("After a stall nothing comes out as a burst: what is over by then is missed, and the motor's gap is kept")
    func stall() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        for start in stride(from: 10, to: 400, by: 30) as StrideTo<Int64> {
            executor.take(.actuate(actuation(start, on)), .actuate(actuation(start + 8, .off)))
        }
        executor.run(until: 12)
        executor.stall(until: 305)
        executor.run(until: 500)
        let felt = executor.felt
        // On since 10; 310 would be 5 ms after the late off.
        #expect(felt == ["10ms on", "305ms off", "340ms on", "348ms off", "370ms on", "378ms off"])
        #expect(executor.reports.count { if case .missed = $0 { true } else { false } } == 10)
    }

    @Test("After an off that came late a long pulse begins when the gap is over, and one that is over by then is missed")
    func lateGap() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(100)])
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)), .actuate(actuation(120, on)))
        executor.run(until: 15)
        executor.stall(until: 60)
        executor.take(.actuate(actuation(400, .off)))
        executor.run(until: 500)
        #expect(executor.felt == ["10ms on", "60ms off", "160ms on", "400ms off"])
        executor.take(.actuate(actuation(600, on)), .actuate(actuation(610, .off)))
        executor.run(until: 605)
        executor.stall(until: 650)
        // An off that is handed over late, and is due before the gap is over.
        executor.take(.actuate(actuation(710, on)))
        executor.run(until: 720)
        executor.take(.actuate(actuation(715, .off)))
        executor.run(until: 1000)
        #expect(executor.felt.suffix(2) == ["600ms on", "650ms off"])
        #expect(executor.reports.last == .missed(actuation(710, on), at: ms(720)))
        #expect(executor.core.nextDeadline == .distantFuture)
    }

    @Test("A revocation takes back what waits for the gap")
    func revokesWaiting() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(100)])
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)), .actuate(actuation(120, on)))
        executor.run(until: 15)
        executor.stall(until: 60)
        executor.run(until: 130)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(115)))
        executor.run(until: 500)
        #expect(executor.felt == ["10ms on", "60ms off"])
        #expect(executor.core.nextDeadline == .distantFuture)
    }

    @Test("An off for what is off is skipped")
    func skipsOffs() {
        var executor = VirtualExecutor()
        executor.take(
            .actuate(actuation(1, .off)), .actuate(actuation(2, on)), .actuate(actuation(3, .off)), .actuate(actuation(4, .off)))
        executor.run(until: 100)
        let felt = executor.felt
        #expect(felt == ["2ms on", "3ms off"])
    }

    @Test(
        "A revocation switches off what the playback switched on at or after its instant, and no more",
        arguments: [
            (revoked: 1, from: 10, felt: ["10ms on", "15ms off"]), (revoked: 1, from: 9, felt: ["10ms on", "15ms off"]),
            (revoked: 1, from: 11, felt: ["10ms on"]), (revoked: 2, from: 0, felt: ["10ms on", "20ms off"]),
        ] as [(revoked: UInt64, from: Int64, felt: [String])])
    func revokes(revoked: UInt64, from: Int64, felt expected: [String]) {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)))
        executor.run(until: 15)
        executor.take(.revoke(PlaybackID(revoked), ActuatorIndex(0), from: ms(from)))
        executor.run(until: 100)
        let felt = executor.felt
        #expect(felt == expected)
    }

    @Test("Where what follows goes on from it, what the playback switched on at or after its instant stays on")
    func revokesGoingOn() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)))
        executor.run(until: 11)
        executor.take(
            .revoke(PlaybackID(1), ActuatorIndex(0), from: ms(9), goesOn: true), .actuate(actuation(9, on, playback: 2)),
            .actuate(actuation(30, .off, playback: 2)))
        executor.run(until: 100)
        let felt = executor.felt
        #expect(felt == ["10ms on", "11ms on", "30ms off"])
    }

    @Test("What goes on from nothing that comes is off when its leash ends")
    func goesOnToNothing() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, .off)))
        executor.run(until: 11)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(9), goesOn: true))
        executor.run(until: 1000)
        let felt = executor.felt
        #expect(felt.count == 2)
        #expect(felt[1].hasSuffix("off"))
    }

    @Test("A revocation after another playback took over leaves that one on")
    func revokesNotTheNext() {
        var executor = VirtualExecutor()
        executor.take(
            .actuate(actuation(10, on)), .actuate(actuation(12, on, playback: 2)), .actuate(actuation(20, .off, playback: 2)))
        executor.run(until: 15)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: .zero))
        executor.run(until: 100)
        let felt = executor.felt
        #expect(felt == ["10ms on", "12ms on", "20ms off"])
    }

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

    @Test("A cut-off is reported once, the rest of that vibration is dropped, and the next one is felt")
    func cutOff() {
        var executor = VirtualExecutor([SimulatedDriver(name: "main", limits: MotorLimits(maxOn: .milliseconds(50)))])
        for (time, level) in [(10, on), (40, on), (70, on), (80, .off), (100, on), (110, .off)] as [(Int64, Level)] {
            executor.take(.actuate(actuation(time, level)))
        }
        executor.run(until: 200)
        let (felt, reports, dropped) = (executor.felt, executor.reports, executor.core.droppedCount)
        #expect(reports.contains(.cutOff(actuation(60, .off), at: ms(60))))
        #expect(reports.count == 5)
        #expect(felt == ["10ms on", "40ms on", "60ms off", "80ms off", "100ms on", "110ms off"])
        #expect(dropped == 1)
    }

    @Test("A revocation of what was cut off lets the next playback be felt")
    func revokesWhatWasCutOff() {
        var executor = VirtualExecutor([SimulatedDriver(name: "main", limits: MotorLimits(maxOn: .milliseconds(50)))])
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 70)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(10)), .actuate(actuation(80, on, playback: 2)))
        executor.run(until: 85)
        #expect(executor.drivers[0].output == DrivenLevel(on))
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

    @Test("A motor that failed while it was on keeps its gap once it is back")
    func gapAfterFault() throws {
        let broken = SimulatedDriver(name: "broken", faults: .from(apply: 2, .io(errno: 5), until: .onOpen))
        var executor = VirtualExecutor([broken], minGaps: [.milliseconds(150)])
        executor.take(.actuate(actuation(10, on)), .actuate(actuation(20, on)))
        executor.run(until: 120)
        try broken.open(at: ms(120))
        executor.take(.restore(ActuatorIndex(0)))
        for time in [130, 170] as [Int64] { executor.take(.actuate(actuation(time, on)), .actuate(actuation(time + 8, .off))) }
        executor.run(until: 300)
        #expect(executor.felt == ["10ms on", "20ms off", "170ms on", "178ms off"])
    }

    @Test("What finds no room, or no actuator, is reported and counted as refused")
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
}
