// SPDX-License-Identifier: MIT
public import HapticCore

/// A press or release of a key, button or switch that the daemon reads itself.
public struct DeviceChange: Hashable, Sendable {
    public var purpose: InputPurpose
    public var isDown: Bool
    /// On the kernel's clock.
    public var at: MonotonicInstant
    /// Whether it happened at that instant. False: it had happened by then.
    public var isDated: Bool

    public init(_ purpose: InputPurpose, isDown: Bool, at instant: MonotonicInstant, isDated: Bool = true) {
        self.purpose = purpose
        self.isDown = isDown
        at = instant
        self.isDated = isDated
    }
}
