// SPDX-License-Identifier: MIT
public import HapticCore

/// What a hand has done to the key or button of a device's hold.
public struct HandChange: Hashable, Sendable {
    /// Of the hold.
    public var name: String
    public var state: HoldState
    /// On the kernel's clock.
    public var at: MonotonicInstant

    /// Whether the hand did it at that instant. False: it did by then.
    public var isDated: Bool

    public init(_ name: String, _ state: HoldState, at instant: MonotonicInstant, isDated: Bool = true) {
        self.name = name
        self.state = state
        at = instant
        self.isDated = isDated
    }
}
