// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

/// A motor on a channel of a chip under `/sys/class/pwm`.
public struct PWMBackend: Backend {
    public static let name = "pwm"

    /// A number, a name or a folder.
    public var chip: String
    public var channel: Int
    public var period: Nanoseconds

    public init(chip: String, channel: Int, period: Nanoseconds) {
        self.chip = chip
        self.channel = channel
        self.period = period
    }

    public init?(_ fields: inout FieldReader) {
        let chip = fields.required("chip")?.name()
        let channel = fields.required("channel")?.integer(in: 0...63)
        let period = fields.required("frequency")?.period(ofFrequencyIn: 10...1_000_000)
        guard let chip, let channel, let period else { return nil }
        self.init(chip: chip.string, channel: channel, period: period)
    }

    private var output: PWMChannel { PWMChannel(chip: chip, channel: channel, period: period) }

    public var device: String? { output.name }
    public var capabilities: ActuatorCapabilities { LevelDriver.capabilities }
    public var leftover: (any Leftover)? { output }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        LevelDriver(output, maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard)
    }
}
