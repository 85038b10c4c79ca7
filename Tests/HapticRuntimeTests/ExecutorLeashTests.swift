// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime
import Testing

/// The leash: what is on with nothing more planned is switched off, and goes on once more is planned.
@Suite struct ExecutorLeashTests {
    @Test("What is on with nothing planned to end it goes off by itself")
    func leash() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 500)
        #expect(executor.felt == ["10ms on", "110ms off"])
        executor.take(.actuate(actuation(510, on)), .actuate(actuation(900, .off)))
        executor.run(until: 1000)
        #expect(executor.felt.suffix(2) == ["510ms on", "900ms off"])
        executor.take(.actuate(actuation(1010, on)), .actuate(actuation(1900, .off)))
        executor.run(until: 1100)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(1050)))
        executor.run(until: 2000)
        #expect(executor.felt.suffix(2) == ["1.01s on", "1.2s off"])
        #expect(executor.core.nextDeadline == .distantFuture)
    }

    @Test("The leash counts from the last real actuation, however late that was")
    func leashOfLate() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(10, on)))
        executor.stall(until: 105)
        executor.run(until: 500)
        #expect(executor.felt == ["105ms on", "205ms off"])
    }

    @Test("A level that the leash cut goes on once more is planned, unless that is due or another playback's")
    func goesOn() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 115)
        executor.take(.actuate(actuation(900, .off)))
        executor.run(until: 1000)
        // Not before the gap is over.
        #expect(executor.felt == ["10ms on", "110ms off", "130ms on", "900ms off"])
        executor.take(.actuate(actuation(1010, on)))
        executor.run(until: 1200)
        executor.take(.actuate(actuation(1190, .off)), .actuate(actuation(1300, on)), .actuate(actuation(1310, .off)))
        executor.run(until: 1400)
        #expect(executor.felt.suffix(4) == ["1.01s on", "1.11s off", "1.3s on", "1.31s off"])
        executor.take(.actuate(actuation(1410, on)))
        executor.run(until: 1600)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(1600)), .actuate(actuation(1700, .off)))
        executor.run(until: 1800)
        #expect(executor.felt.suffix(2) == ["1.41s on", "1.51s off"])
    }

    @Test("A level that the leash cut does not go on if its plan is revoked meanwhile")
    func revokesResuming() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 112)
        executor.take(.actuate(actuation(900, .off)), .revoke(PlaybackID(1), ActuatorIndex(0), from: ms(115)))
        executor.run(until: 1000)
        #expect(executor.felt == ["10ms on", "110ms off"])
        #expect(executor.core.nextDeadline == .distantFuture)
        executor.take(.actuate(actuation(1010, on)))
        executor.run(until: 1112)
        executor.take(
            .actuate(actuation(1500, Level(intensity: Intensity(clamping: 0.5), sharpness: .zero))),
            .actuate(actuation(1900, .off)),
            .revoke(PlaybackID(1), ActuatorIndex(0), from: ms(1600)))
        executor.run(until: 1130)
        // What is left of the plan is still to come.
        #expect(executor.felt.suffix(2) == ["1.11s off", "1.13s on"])
    }

    @Test("A level that the leash cut goes on in time and without its run; if the next one comes first nothing counts as missed")
    func resumesWithLevel() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        var first = actuation(10, on)
        first.run = RunIndex(0)
        executor.take(.actuate(first))
        executor.run(until: 115)
        executor.take(.actuate(actuation(900, .off)))
        executor.run(until: 1000)
        #expect(executor.reports.contains(.actuated(actuation(130, on), at: ms(130))))
        executor.take(.actuate(actuation(1010, on)))
        executor.run(until: 1112)
        executor.take(.actuate(actuation(1115, .off)))
        executor.run(until: 1200)
        #expect(executor.felt.suffix(2) == ["1.01s on", "1.11s off"])
        #expect(executor.core.droppedCount == 0)
    }

    @Test("After a stall a level that the leash cut does not go on if the next one is due as well")
    func resumesNoBurst() {
        var executor = VirtualExecutor(minGaps: [.milliseconds(20)])
        executor.take(.actuate(actuation(10, on)))
        executor.run(until: 112)
        executor.take(.actuate(actuation(900, .off)))
        executor.stall(until: 905)
        executor.run(until: 1000)
        #expect(executor.felt == ["10ms on", "110ms off"])
        #expect(executor.core.nextDeadline == .distantFuture)
        executor.take(.actuate(actuation(1010, on)))
        executor.run(until: 1112)
        executor.take(.actuate(actuation(1200, on)), .actuate(actuation(1300, .off)))
        executor.stall(until: 1205)
        executor.run(until: 1400)
        #expect(executor.felt.suffix(3) == ["1.11s off", "1.205s on", "1.3s off"])
    }
}
