// SPDX-License-Identifier: MIT

/// A force-feedback device of this machine.
public struct FFDevice: Hashable, Sendable {
    /// `/dev/input/event3`
    public var path: String
    public var name: String
    /// Where it is plugged in, as its driver says; empty where that says nothing.
    public var phys: String
    public var vendor: Int
    public var product: Int
    public var hasButtons: Bool
    /// What it can do, or why that cannot be known.
    public var abilities: Result<FFAbilities, DriverFault>

    public init(
        path: String, name: String, phys: String = "", vendor: Int = 0, product: Int = 0,
        hasButtons: Bool = true, abilities: Result<FFAbilities, DriverFault>
    ) {
        self.path = path
        self.name = name
        self.phys = phys
        self.vendor = vendor
        self.product = product
        self.hasButtons = hasButtons
        self.abilities = abilities
    }

    /// Why this user could not use it; nil where they could.
    public var fault: DriverFault? {
        if case .failure(let fault) = abilities { fault } else { nil }
    }
}

extension FFDevice {
    /// All there are now, in the order of their nodes. Opens each for a moment, so it may block.
    public static func all() -> [FFDevice] {
        InputNode.all().filter(\.hasForceFeedback).map { node in
            FFDevice(
                path: node.path, name: node.name, phys: node.phys, vendor: node.ids.vendor, product: node.ids.product,
                hasButtons: node.bitmaps.hasKeys, abilities: EvdevDevices.abilities(of: node))
        }
    }
}
