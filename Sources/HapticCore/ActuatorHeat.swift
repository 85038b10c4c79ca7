// SPDX-License-Identifier: MIT

/// How hot the motor of an actuator is, by what is known of it.
public struct ActuatorHeat: Hashable, Sendable {
    /// Of what it may be.
    public var share: Double
    /// What is left of its strength; 1: all of it.
    public var strength: Double
    /// Playbacks that were felt less, and playbacks that were cut, for it was hot.
    public var lowered: UInt64
    public var cut: UInt64

    public init(share: Double, strength: Double, lowered: UInt64 = 0, cut: UInt64 = 0) {
        self.share = share
        self.strength = strength
        self.lowered = lowered
        self.cut = cut
    }
}
