// SPDX-License-Identifier: MIT

/// What the plan of an actuator has the executor do. It passes from the engine to the executor as it is.
public enum ActuationOrder: Hashable, Sendable, Encodable {
    /// Apply this at its planned time.
    case actuate(Actuation)
    /// Drop what the playback still has to do on the actuator from this instant on. What of it was already applied is switched off,
    /// unless what follows `goesOn` from there.
    case revoke(PlaybackID, ActuatorIndex, from: MonotonicInstant, goesOn: Bool = false)

    public var actuator: ActuatorIndex {
        switch self {
        case .actuate(let actuation): actuation.actuator
        case .revoke(_, let actuator, _, _): actuator
        }
    }
}
