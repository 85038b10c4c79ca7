// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning
public import HapticWire

extension ActuatorResult {
    /// An actuator as clients see it.
    ///
    /// - Parameters:
    ///   - index: Its index in `actuators`.
    ///   - actuators: All of them, with the motors that open devices have found.
    ///   - backend: The name of its kind of device.
    ///   - isMotorAssumed: The configuration does not describe its motor.
    ///   - fault: Why it is not there; `nil` if it is.
    public init(
        _ index: Int, of actuators: [EngineActuator], backend: String, isMotorAssumed: Bool, fault: ActuatorFault?
    ) {
        let actuator = actuators[index]
        self.init(
            name: actuator.name, capabilities: actuator.capabilities, limits: actuator.limits, backend: backend, fault: fault,
            fallback: actuator.fallback.map { actuators[$0.value].name }, fit: actuator.isFitted ? .auto : .off,
            motor: actuator.motor.map { MotorResult($0, isAssumed: isMotorAssumed) })
    }
}
