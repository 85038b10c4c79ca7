// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticText

/// An input device with force feedback.
public struct EvdevBackend: Backend {
    public static let name = "evdev"
    public static let shortestInterval = Nanoseconds.milliseconds(2)
    public static let mayHang = true
    public static let appearsInDev = true
    public static let playsRuns = true

    public var match: DeviceMatch

    public init(_ match: DeviceMatch) { self.match = match }

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        guard let match = fields.read(Draft.keys, from: Draft()).match else { return nil }
        self.init(match)
    }

    private struct Draft {
        var match: DeviceMatch?

        static let keys: [Key<Self>] = [
            .required(
                "match", DeviceMatch.form, "the input device: all given keys must match, and only one device may match them"
            ) { $0.match = $1 }
        ]
    }

    public var device: String? { "\(match)" }
    /// The strong and the weak motor of a pad mix to dull and sharp.
    public var capabilities: ActuatorCapabilities {
        var capabilities = ActuatorCapabilities.full
        capabilities.shapesItself = isChip
        // Each change is an effect that the kernel hands to the pad, mostly by radio.
        capabilities.followInterval = .milliseconds(20)
        return capabilities
    }
    public var assumedMotor: MotorModel? { isChip ? MotorLibrary.closedLoopLRA.model : nil }

    /// The kernel stops a device's effects with the descriptor that they came by.
    public var leftover: (any Leftover)? { nil }

    public func sighting() -> DeviceSighting {
        match.sighting(for: .forceFeedback)
    }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        EvdevDriver(match, runs: parts.runs, maxOn: parts.limits.maxOn)
    }
}

extension EvdevBackend {
    /// The beginning of the kernel's names for TI's haptic chips, which drive their motor in a closed loop.
    private static let chipName: StaticString = "drv26"

    /// Its match fits such chips only. Of any other match the open device tells.
    private var isChip: Bool { match.name?.begins(with: Self.chipName) ?? false }

    /// The motor of a device with this name.
    static func motor(named name: String, hasButtons: Bool) -> NamedMotor {
        if name.begins(with: chipName) { return MotorLibrary.closedLoopLRA }
        return hasButtons ? MotorLibrary.pad : MotorLibrary.coin
    }
}
