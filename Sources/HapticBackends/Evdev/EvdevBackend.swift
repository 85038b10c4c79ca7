// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

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

        static let keys: [Key<Self>] = [.required("match", DeviceMatch.form, "which device it is") { $0.match = $1 }]
    }

    public var device: String? { "\(match)" }
    /// The strong and the weak motor of a pad mix to dull and sharp.
    public var capabilities: ActuatorCapabilities {
        var capabilities = ActuatorCapabilities.full
        capabilities.shapesItself = match.isHapticChip == true
        // Each change is an effect that the kernel hands to the pad, mostly by radio.
        capabilities.followInterval = .milliseconds(20)
        return capabilities
    }
    /// A chip in closed loop must not be sent the inverse of its motor, and a pad should be.
    public var fittingDoubt: String? {
        guard match.isHapticChip == nil else { return nil }
        return
            "patterns are fitted to its motor, and `match` does not say whether it is a haptic chip, which shapes them by itself: add to it the `name` of the device, such as \(quoted(DeviceMatch.chipNames[0])), or write `fit: off`"
    }
    /// The kernel stops a device's effects with the descriptor that they came by.
    public var leftover: (any Leftover)? { nil }

    public func sighting() -> DeviceSighting {
        match.sighting(for: .forceFeedback)
    }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        EvdevDriver(match, runs: parts.runs, maxOn: parts.limits.maxOn)
    }
}

extension DeviceMatch {
    /// What the kernel calls TI's haptic chips, which drive their motor in a closed loop.
    fileprivate static let chipNames = ["drv260x:haptics", "drv2665:haptics", "drv2667:haptics"]

    /// Whether it matches these and no other device; nil: both may be. They have neither vendor nor product.
    fileprivate var isHapticChip: Bool? {
        if (vendor ?? 0) != 0 || (product ?? 0) != 0 { return false }
        guard let name else { return nil }
        if name.begins(with: "drv26") { return true }
        let glob = Glob(name)
        return Self.chipNames.contains(where: glob.matches) ? nil : false
    }
}
