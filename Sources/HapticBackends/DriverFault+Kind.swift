// SPDX-License-Identifier: MIT
public import HapticCore

extension DriverFault {
    public var kind: ActuatorFault.Kind {
        switch cause {
        case .absent: .absent
        case .deviceLost: .deviceLost
        case .permission: .permission
        case .busy: .busy
        case .ambiguous, .unusable, .hanging, .io, .closed: .other
        }
    }

    /// For who looks after actuators, and knows nothing of devices.
    public var ofActuator: ActuatorFault { ActuatorFault(description, kind: kind) }
}
