// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns

/// A pattern on one motor: what is intended, what the motor is sent for it, and what it makes of that.
public struct MotorCourse: Sendable {
    public let intended: SampledEnvelope
    public let changes: [DriveChange]
    public let felt: SampledEnvelope
    public let timeline: Timeline
    public let model: MotorModel

    /// A motor runs down within this time after the last change, as far as anything of it is felt.
    private static let runOut = Nanoseconds.milliseconds(150)

    /// Renders `pattern` and predicts how a motor of `model` plays it, from rest and without limits. `nil` if the model contradicts itself.
    /// Without `fitted` the motor is sent the intended curve, as far as its driver can.
    public init?(_ pattern: Pattern, on model: MotorModel, _ abilities: ActuatorCapabilities, fitted: Bool = true) {
        self.init(Timeline(pattern), on: model, abilities, fitted: fitted)
    }

    /// Predicts how a motor of `model` plays `timeline`, a rendered pattern. `nil` if the model contradicts itself.
    public init?(_ timeline: Timeline, on model: MotorModel, _ abilities: ActuatorCapabilities, fitted: Bool = true) {
        guard let fitter = Fitter(model, abilities) else { return nil }
        self.model = model
        self.timeline = timeline
        changes = fitted ? fitter.drives(for: timeline.frames) : Self.unfitted(timeline, abilities)
        let end = max(timeline.felt, changes.last?.at ?? .zero)
        let length = min(Timeline.longest, end + Self.runOut)
        intended = SampledEnvelope(intended: timeline.frames, length: length)
        felt = SampledEnvelope(model, driven: changes, length: length)
    }

    private static func unfitted(_ timeline: Timeline, _ abilities: ActuatorCapabilities) -> [DriveChange] {
        var changes: [DriveChange] = []
        for frame in timeline.frames {
            let drive = Drive(abilities.fitted(frame.level).intensity)
            if drive != changes.last?.drive ?? .zero { changes.append(DriveChange(at: frame.offset, drive: drive)) }
        }
        return changes
    }

    /// What the motor is sent, a sample for each millisecond.
    public var drives: SampledEnvelope {
        var (next, drive) = (changes[...], 0.0)
        return SampledEnvelope(
            samples: felt.samples.indices.map { index in
                while let change = next.first, change.at <= SampledEnvelope.interval * index {
                    drive = change.drive.value
                    next = next.dropFirst()
                }
                return drive
            })
    }

    /// How near what is felt comes to what is intended.
    public var measure: SustainedMeasure { SustainedMeasure(intended: intended, felt: felt) }
}
