// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticPlanning
import HapticService
package import HapticWire

extension ActuatorResult {
    /// An actuator without others.
    package init(
        _ actuator: EngineActuator, backend: String = "simulated", isMotorAssumed: Bool = false, fault: ActuatorFault? = nil
    ) {
        self.init(0, of: [actuator], backend: backend, isMotorAssumed: isMotorAssumed, fault: fault)
    }
}
