// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticText

/// A kind of device; a value is one device of that kind, as a configuration describes it.
///
/// It is all that the rest of hapticd knows of a kind, which is a folder with one such type, and an entry in `Backends.all`.
public protocol Backend: Hashable, Sendable {
    /// What a configuration calls it: `backend: gpio`.
    static var name: String { get }

    /// The keys of one device, besides those that every actuator has.
    static var members: [Member] { get }

    /// Reads those keys. Nil where the device is not usable; why has been reported then.
    init?(_ fields: inout FieldReader)

    /// The device in the words of its user, the same for the same device as far as the configuration says; nil where there is none.
    var device: String? { get }

    /// What it can do, as far as can be known without opening it. `mostDrive`: where the motor bears it and its supply has it.
    var capabilities: ActuatorCapabilities { get }

    /// The motor that stands for one that the configuration does not describe: the commonest one of such devices. `nil` if it is not
    /// known before the device is open, see `ActuatorDriver.foundMotor`, or if nothing is assumed.
    var assumedMotor: MotorModel? { get }

    /// The same device, with the settings that follow from its motor if they are not configured. `motor`: `nil` if it is not known.
    func driving(_ motor: MotorModel?) -> Self

    /// Its output, where that keeps its level when the daemon dies: it is guarded, and written down. Nil where the kernel switches it
    /// off, or there is nothing to be switched off.
    var leftover: (any Leftover)? { get }

    /// Makes the driver, closed. Opens nothing.
    func makeDriver(_ parts: DriverParts) -> any ActuatorDriver

    /// The rule by which udev lets the daemon use this device and no other; nil where it needs none. Changes nothing. May block; any
    /// thread. Throws where there is no such device now, or no rule can be made for it.
    func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule?

    /// The longest time on of one whose configuration says none: nothing that is real may stay on for ever.
    static var longestOn: Nanoseconds? { get }
    /// The shortest interval of one whose configuration says none; each actuation costs more where a thread has to do it.
    static var shortestInterval: Nanoseconds { get }
    /// It moves something; a light does not.
    static var hasMotor: Bool { get }
    /// The executor drives it itself, without a thread of the device between them.
    static var isDirect: Bool { get }
    /// Opening it may take seconds, for what the device does about it.
    static var mayHang: Bool { get }
    /// Its devices have nodes in `/dev` or `/dev/input`, which are watched.
    static var appearsInDev: Bool { get }
    /// Its driver plays runs by itself, so that it is made for the patterns in force.
    static var playsRuns: Bool { get }

    /// What this machine has of this kind; nil where there is nothing to look for. Changes nothing. May block; any thread.
    static func inventory() -> Inventory?

    /// What this process sees of the device now. Takes and changes nothing. May block; any thread.
    func sighting() -> DeviceSighting
}

/// What holds of a motor that a thread of the device drives, and of whose kind nothing can be listed.
extension Backend {
    public static var longestOn: Nanoseconds? { .seconds(10) }
    public static var shortestInterval: Nanoseconds { .milliseconds(1) }
    public static var hasMotor: Bool { true }
    public static var isDirect: Bool { false }
    public static var mayHang: Bool { false }
    public static var appearsInDev: Bool { false }
    public static var playsRuns: Bool { false }

    public var assumedMotor: MotorModel? { nil }
    public func driving(_ motor: MotorModel?) -> Self { self }

    public static func inventory() -> Inventory? { nil }

    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? { nil }

    /// Whether both are the same device of the same kind, described in the same way.
    public func isEqual(to other: any Backend) -> Bool { other as? Self == self }
}

/// What a driver is made from, besides its device.
public struct DriverParts: Sendable {
    /// The actuator's.
    public var name: String
    public var limits: MotorLimits
    /// The most that is to be sent, as a multiple of the rated drive; not above what `capabilities` says.
    public var mostDrive: Drive
    /// All of the configuration in force; a `RunIndex` is an index in them.
    public var runs: [Run]
    /// Switches the output off where the daemon cannot.
    public var outputGuard: any OutputGuard

    public init(
        name: String, limits: MotorLimits, mostDrive: Drive = .rated, runs: [Run], outputGuard: any OutputGuard
    ) {
        self.name = name
        self.limits = limits
        self.mostDrive = mostDrive
        self.runs = runs
        self.outputGuard = outputGuard
    }
}
