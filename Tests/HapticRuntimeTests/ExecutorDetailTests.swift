// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticRuntime

@Suite("Orders of the executor")
struct ExecutorOrderTests {
    private static let (now, main, playback) = (MonotonicInstant.zero + .seconds(1), ActuatorIndex(0), PlaybackID(1))

    private static func on(at planned: MonotonicInstant) -> ExecutorOrder {
        .actuate(Actuation(planned: planned, actuator: main, playback: playback, level: Level(intensity: .one, sharpness: .zero)))
    }

    @Test(
        "An actuation is urgent if an output is to go on, change or off now",
        arguments: [
            (on(at: now), true), (on(at: now + .milliseconds(1)), false),
            (.revoke(playback, main, from: now), true), (.revoke(playback, main, from: now, continues: true), false),
            (.allOff, true), (.lose(main, DriverFault(.hanging, device: "pad")), true), (.restore(main), false), (.beat, false),
        ] as [(ExecutorOrder, Bool)])
    func urgency(order: ExecutorOrder, isUrgent: Bool) {
        #expect(order.isUrgent(at: Self.now) == isUrgent)
    }
}

@Suite struct HeartbeatTests {
    @Test("The heart beats when something begins and every 400 ms while it goes on, and rests once it is over")
    func aWhile() {
        var heartbeat = Heartbeat()
        #expect(heartbeat.isIdle)
        #expect(heartbeat.deadline == .distantFuture)
        #expect(heartbeat.signal(isActive: false, at: ms(0)) == nil)
        #expect(heartbeat.signal(isActive: true, at: ms(10)) == .beat)
        #expect(!heartbeat.isIdle)
        #expect(heartbeat.deadline == ms(410))
        #expect(heartbeat.signal(isActive: true, at: ms(409)) == nil)
        #expect(heartbeat.signal(isActive: true, at: ms(410)) == .beat)
        #expect(heartbeat.signal(isActive: false, at: ms(500)) == nil, "pulses are not signalled one by one")
        #expect(heartbeat.signal(isActive: true, at: ms(510)) == nil)
        #expect(heartbeat.signal(isActive: false, at: ms(810)) == .idle)
        #expect(heartbeat.deadline == .distantFuture)
        #expect(heartbeat.signal(isActive: true, at: ms(811)) == .beat)
    }
}

/// docs/performance.md, "Delays that the host adds", cites these.
@Suite("The lateness of the host") struct HostLatenessTests {
    private let weak = Level(intensity: Intensity(0.5)!, sharpness: .zero)

    @Test(
        "An output is on for at most maxOn plus the executor's delay, whatever is planned and however late the event loop is",
        arguments: [0, 1, 9, 18] as [Int64])
    func maxOn(lateness: Int64) {
        var random = SplitMix64(seed: 33)
        var longest = Nanoseconds.zero
        for _ in 0..<100 {
            let maxOn = Nanoseconds.milliseconds(50)
            var executor = VirtualExecutor([SimulatedDriver(name: "main", limits: MotorLimits(maxOn: maxOn))])
            executor.take(.actuate(actuation(10, on)))
            for at in stride(from: Int64(15), to: 300, by: 5) where Bool.random(using: &random) {
                // An off or another level, in time or late. For a while the loop may also send nothing.
                executor.take(.actuate(actuation(at, Int.random(in: 0..<8, using: &random) == 0 ? .off : weak)))
            }
            if Bool.random(using: &random) {
                executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(40), continues: Bool.random(using: &random)))
            }
            while executor.core.nextDeadline < ms(1000) {
                let late = Nanoseconds(Int64.random(in: 0...lateness * 1_000_000, using: &random))
                executor.now = max(executor.now, executor.core.nextDeadline + late)
                while executor.core.step(at: executor.now, report: { _ in }) {}
            }
            var onSince: MonotonicInstant?
            for actuation in executor.drivers[0].record {
                if let start = onSince, !actuation.level.isOn { longest = max(longest, actuation.real - start) }
                onSince = actuation.level.isOn ? onSince ?? actuation.real : nil
            }
            #expect(onSince == nil)
        }
        #expect(longest <= .milliseconds(50 + lateness))
        #expect(longest >= .milliseconds(50) + .milliseconds(lateness) / 2, "the lateness shows: \(longest)")
    }

    @Test("A level that comes due while the order to end it is pending is felt, and is off once the order arrives")
    func ending() {
        var executor = VirtualExecutor()
        executor.take(.actuate(actuation(0, on)), .actuate(actuation(12, weak)), .actuate(actuation(60, .off)))
        // The end is decided at 10 ms, the `atNs` of the ending, and its order arrives 4 ms later.
        executor.run(until: 14)
        executor.take(.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(10), continues: false), .actuate(actuation(10, .off)))
        executor.run(until: 500)
        let record = executor.drivers[0].record
        #expect(record.map(\.real) == [ms(0), ms(12), ms(14)])
        #expect(record.map(\.level.isOn) == [true, true, false])
    }
}

@Suite struct RealtimeStateTests {
    @Test("The executor reports refused privileges with their remedies, and continues")
    func realtimeState() throws {
        // No machine has this processor, so the refusal is certain.
        let running = try RunningExecutor(configuration: ExecutorConfiguration(priority: 40, locksMemory: true, cpu: 1_000_000))
        let state = running.executor.realtimeState
        #expect(state.scheduling != .notAskedFor)
        #expect(state.memory != .notAskedFor)
        #expect(state.pinning == .refused(errno: EINVAL))
        #expect(state.remedies.last?.contains("set realtime.cpu to one of those") == true)
        #expect(running.executor.actuate(soon(.zero, on)))
        running.waitForReports(1)
        #expect(running.drivers[0].output == DrivenLevel(on))
    }

    @Test("Each refusal has its remedy", arguments: ["LimitRTPRIO=", "LimitMEMLOCK=infinity", "realtime.cpu"])
    func remedies(remedy: String) {
        let refused = RealtimeState(
            scheduling: .refused(errno: EPERM), memory: .refused(errno: EPERM), pinning: .refused(errno: EINVAL))
        #expect(refused.remedies.filter { $0.contains(remedy) }.count == 1)
        #expect(RealtimeState(scheduling: .granted, memory: .granted, pinning: .notAskedFor).remedies == [])
    }
}
