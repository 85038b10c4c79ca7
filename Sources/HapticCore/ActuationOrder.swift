// SPDX-License-Identifier: MIT

/// An order from the plan of an actuator to the executor.
public enum ActuationOrder: Hashable, Sendable, Encodable {
    /// Apply this at its planned time.
    case actuate(Actuation)
    /// Drop all actuations of the playback on the actuator from this instant on. If one of them was already applied, the actuator is
    /// switched off, unless the next level continues from there (`continues`).
    case revoke(PlaybackID, ActuatorIndex, from: MonotonicInstant, continues: Bool = false)

    /// The key of `continues` in journals and digests is goesOn.
    private enum RevokeCodingKeys: String, CodingKey {
        case _0, _1, from
        case continues = "goesOn"
    }

    public var actuator: ActuatorIndex {
        switch self {
        case .actuate(let actuation): actuation.actuator
        case .revoke(_, let actuator, _, _): actuator
        }
    }
}
