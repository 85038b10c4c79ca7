// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine

/// A press or release of a key, button or switch that the daemon reads itself.
public struct DeviceChange: Hashable, Sendable {
    /// The hold or the condition that the input is for.
    public var purpose: InputPurpose
    /// Whether the input is pressed, or on, after the change.
    public var isDown: Bool
    /// The instant of the change, on the kernel's clock.
    public var at: MonotonicInstant
    /// Whether the change happened at that instant. False: it had happened by then.
    public var isDated: Bool

    public init(_ purpose: InputPurpose, isDown: Bool, at instant: MonotonicInstant, isDated: Bool = true) {
        self.purpose = purpose
        self.isDown = isDown
        at = instant
        self.isDated = isDated
    }

    /// The item for the engine. `user`: the one that the daemon runs as.
    func item(user: UInt32) -> BatchItem {
        let device = ClientIdentity.device(user: user)
        switch purpose {
        case .hold(let name):
            let holdInput = HoldInput(isDown ? .down : .up, isDated: isDated)
            return .input(Input(client: device, id: name.string, at: at, kind: .hold(holdInput)))
        case .condition(let name):
            return .condition(ConditionRequest(client: device, name: name.string, isOn: isDown))
        }
    }
}
