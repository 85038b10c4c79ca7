// SPDX-License-Identifier: MIT
public import HapticCore

/// What a driver can do with the drive that it is sent.
public struct DriverAbilities: Hashable, Sendable {
    /// False: on or off only.
    public var levels: Bool
    /// The most that it can send, as a multiple of the rated drive; 1…1.5.
    public var mostDrive: Drive
    /// It can drive backwards, which brakes.
    public var reverses: Bool
    /// It kicks, brakes and follows the resonance by itself, as a haptic chip in closed loop does: it is sent intensities.
    public var shapesItself: Bool

    public init(
        levels: Bool, mostDrive: Drive = Drive(.one), reverses: Bool = false, shapesItself: Bool = false
    ) {
        self.levels = levels
        self.mostDrive = mostDrive
        self.reverses = reverses
        self.shapesItself = shapesItself
    }

    /// On or off, as a transistor on a line does.
    public static var onOff: DriverAbilities { DriverAbilities(levels: false) }
    /// All from 0 to the rated drive.
    public static var levels: DriverAbilities { DriverAbilities(levels: true) }
}

extension DriverAbilities {
    /// Those of a kind of actuator.
    public init(_ capabilities: ActuatorCapabilities) {
        self.init(
            levels: capabilities.variesIntensity, mostDrive: capabilities.mostDrive, reverses: capabilities.reverses,
            shapesItself: capabilities.shapesItself)
    }
}
