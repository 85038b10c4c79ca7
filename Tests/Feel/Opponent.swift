// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// How others drive a motor for the same shape. None of them knows the motor.
enum Opponent: String, CaseIterable {
    case onOff = "on/off"
    case level = "level = intensity"
    case feedbackd
    case promptFeedbackd = "feedbackd without its 200 ms"
    case android = "Android, on/off"
    case lofelt = "Lofelt"
    case lofeltOnOff = "Lofelt, on/off"

    /// A pulse of at most this is a transient to those who have transients.
    private static let longestTransient = Nanoseconds.milliseconds(20)

    func drives(for shape: Shape) -> [DriveChange] {
        switch self {
        case .onOff, .android:
            // Android without amplitude control (`VibratorController`, `RampToStepAdapter`, `RampDownAdapter`): ramps become steps of 5 ms,
            // which is what these frames are, and a step is fully on where it is above 0. The ramp down takes its time from the off that
            // follows; its length is 0 where a device does not configure it. So it comes to on/off.
            return Self.changes(shape.frames.map { ($0.offset, $0.level.isOn ? 1 : 0) })
        case .level:
            return Self.changes(shape.frames.map { ($0.offset, $0.level.intensity.value) })
        case .feedbackd, .promptFeedbackd:
            // feedbackd 0.0.3, `fbd-dev-vibra.c`: a gain of 75 %. One step is FF_PERIODIC with a `replay.delay` of 200 ms. The steps of
            // a pattern are FF_RUMBLE, strong = magnitude, without a delay, each erased, uploaded and played from a timer.
            let delay =
                self == .feedbackd && shape.pulses.count == 1 && shape.frames.count == 2 ? Nanoseconds.milliseconds(200) : .zero
            return Self.changes(shape.frames.map { ($0.offset + delay, 0.75 * $0.level.intensity.value) })
        case .lofelt: return Self.lofelt(shape, hasLevels: true)
        case .lofeltOnOff: return Self.lofelt(shape, hasLevels: false)
        }
    }

    /// Lofelt NiceVibrations, `core/datamodel/src/emphasis.rs` and what renders clips for Android: transients are emphases of 30 ms at
    /// full strength (50 ms without amplitude control) with 30 ms of silence after them, in which the next one does not begin; all else
    /// is segments of 25 ms or more, each at its first amplitude, or fully on.
    private static func lofelt(_ shape: Shape, hasLevels: Bool) -> [DriveChange] {
        var changes: [(Nanoseconds, Double)] = []
        let emphasis = Nanoseconds.milliseconds(hasLevels ? 30 : 50)
        var silentUntil = Nanoseconds.zero
        for pulse in shape.pulses {
            guard pulse.off - pulse.on <= longestTransient else {
                changes += segments(shape.frames.filter { $0.offset >= pulse.on && $0.offset <= pulse.off }, hasLevels)
                continue
            }
            let (start, end) = (max(pulse.on, silentUntil), pulse.on + emphasis)
            guard start < end else { continue }
            changes += [(start, 1), (end, 0)]
            silentUntil = end + .milliseconds(30)
        }
        return Self.changes(changes)
    }

    private static func segments(_ frames: [Timeline.Frame], _ hasLevels: Bool) -> [(Nanoseconds, Double)] {
        var (segments, last) = ([(Nanoseconds, Double)](), Nanoseconds(-25_000_000))
        for frame in frames where !frame.level.isOn || frame.offset - last >= .milliseconds(25) {
            segments.append((frame.offset, frame.level.isOn && !hasLevels ? 1 : frame.level.intensity.value))
            last = frame.offset
        }
        return segments
    }

    private static func changes(_ points: [(Nanoseconds, Double)]) -> [DriveChange] {
        points.map { DriveChange(at: $0.0, drive: Drive(clamping: $0.1)) }
    }
}
