// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import Testing

@testable import HapticRuntime

@Suite("Orders of the executor")
struct ExecutorOrderTests {
    private static let (now, main, playback) = (MonotonicInstant.zero + .seconds(1), ActuatorIndex(0), PlaybackID(1))

    private static func on(at planned: MonotonicInstant) -> ExecutorOrder {
        .actuate(Actuation(planned: planned, actuator: main, playback: playback, level: Level(intensity: .one, sharpness: .zero)))
    }

    @Test(
        "Urgent is what is to be felt, or to go off, at once",
        arguments: [
            (on(at: now), true), (on(at: now + .milliseconds(1)), false),
            (.revoke(playback, main, from: now), true), (.revoke(playback, main, from: now, goesOn: true), false),
            (.allOff, true), (.lose(main, DriverFault(.hanging, device: "pad")), true), (.restore(main), false), (.beat, false),
        ] as [(ExecutorOrder, Bool)])
    func urgency(order: ExecutorOrder, isUrgent: Bool) {
        #expect(order.isUrgent(at: Self.now) == isUrgent)
    }
}
