// SPDX-License-Identifier: MIT
import HapticCore

func ms(_ count: Int64) -> MonotonicInstant { .zero + .milliseconds(count) }

let on = Level(intensity: .one, sharpness: .zero)

func actuation(_ planned: Int64, _ level: Level, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(planned: ms(planned), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: level)
}

func actuation(_ planned: Int64, driven: DrivenLevel, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(
        planned: ms(planned), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: driven.level,
        drive: driven.drive)
}
