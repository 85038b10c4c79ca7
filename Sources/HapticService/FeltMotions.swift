// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticMotors
public import HapticPlanning

/// The predicted motion of each motor that is known, from the drives that it got.
public struct FeltMotions {
    /// By the index of the actuator; `nil` if its motor is not known.
    private var motions: [DrivenMotion?]

    /// Creates the motions of `actuators`, each motor at rest.
    public init(_ actuators: [EngineActuator]) { motions = actuators.map { $0.motor.flatMap { DrivenMotion($0) } } }

    /// The device has come, or has gone: its motor is at rest. `actuator`: with the motor that the device has.
    public mutating func reset(_ index: ActuatorIndex, _ actuator: EngineActuator) {
        motions[index.value] = actuator.motor.flatMap { DrivenMotion($0) }
    }

    /// Takes the drive of `applied`. Returns the acceleration at its instant; `nil` if the motor is not known.
    public mutating func follow(_ applied: AppliedActuation) -> Double? {
        let index = applied.actuation.actuator.value
        motions[index]?.follow(applied.actuation.drive, at: applied.at)
        return motions[index]?.acceleration
    }
}
