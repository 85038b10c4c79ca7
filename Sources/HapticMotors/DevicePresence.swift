// SPDX-License-Identifier: MIT
public import HapticCore

/// Whether the device of an actuator is there: the one fact that goes from the board to the service.
public enum DevicePresence: Hashable, Sendable {
    /// There, with the motor that it reports, if any.
    case there(FoundMotor? = nil)
    /// Not there, and why.
    case missing(ActuatorFault)

    /// The reason for which it is missing; `nil` if it is there.
    public var fault: ActuatorFault? {
        switch self {
        case .there: nil
        case .missing(let fault): fault
        }
    }

    /// The motor that it reports; `nil` if it is missing or reports none.
    public var motor: FoundMotor? {
        switch self {
        case .there(let motor): motor
        case .missing: nil
        }
    }
}
