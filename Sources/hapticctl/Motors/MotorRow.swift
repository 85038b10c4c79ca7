// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// What `render --json` says of a pattern on a motor. Curves are lists of milliseconds and shares.
struct MotorRow: Encodable {
    /// Points of a curve.
    static let mostPoints = 1024

    var pattern: String
    /// Of the actuator or the motor.
    var motor: String
    var isFitted: Bool
    var lengthMs: Double
    /// The root mean square of felt − meant, as a share of that of what is meant; 1 is as good as nothing.
    var error: Double
    var lagMs: Double
    /// The greatest of what is felt, and when that is reached.
    var peak: Double
    var peakMs: Double
    var intended: [[Double]]
    /// Each drive stays until the next one.
    var driven: [[Double]]
    var felt: [[Double]]

    init(pattern: String, _ course: MotorCourse, _ motor: MotorChoice) {
        let measure = course.measure
        self.pattern = pattern
        self.motor = motor.name
        isFitted = motor.isFitted
        lengthMs = (SampledEnvelope.interval * course.felt.samples.count).inMilliseconds
        error = Self.thousandth(measure.error)
        lagMs = measure.lag.inMilliseconds
        peak = Self.thousandth(course.felt.peak)
        peakMs = course.felt.peakTime.inMilliseconds
        intended = Self.points(course.intended)
        driven = course.changes.map { [Self.thousandth($0.at.inMilliseconds), Self.thousandth($0.drive.value)] }
        felt = Self.points(course.felt)
    }

    private static func points(_ curve: SampledEnvelope) -> [[Double]] {
        let stride = max(1, (curve.samples.count + mostPoints - 1) / mostPoints)
        return Swift.stride(from: 0, to: curve.samples.count, by: stride).map {
            [(SampledEnvelope.interval * $0).inMilliseconds, thousandth(curve.samples[$0])]
        }
    }

    private static func thousandth(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

    private enum CodingKeys: String, CodingKey {
        case pattern, motor, lengthMs, error, lagMs, peak, peakMs, intended, driven, felt
        case isFitted = "fitted"
    }
}
