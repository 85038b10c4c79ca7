// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

extension MotorModel {
    /// A fast coin motor that may be overdriven and braked.
    public static let fast = MotorModel(
        kind: .erm, rise: .milliseconds(89), fall: .milliseconds(35), start: Share(0.4)!, hold: Share(0.2)!,
        minPulse: .milliseconds(30), overdrive: .init(level: Drive(1.2)!, time: .milliseconds(50)), brake: true)
}

extension ActuatorCapabilities {
    /// Every ability that a driver can have.
    public static let bridge = ActuatorCapabilities(
        variesIntensity: true, variesSharpness: true, mostDrive: Drive(1.2)!, reverses: true)
}
