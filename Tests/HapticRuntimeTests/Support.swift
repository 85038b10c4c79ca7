// SPDX-License-Identifier: MIT
import HapticCore

func ms(_ count: Int64) -> MonotonicInstant { .zero + .milliseconds(count) }

let on = Level(intensity: .one, sharpness: .zero)

func actuation(_ planned: Int64, _ level: Level, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(planned: ms(planned), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: level)
}

/// The seeded generator of these tests (SplitMix64, Steele and others 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
