// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticText

/// A motor on a channel of a chip under `/sys/class/pwm`.
public struct PWMBackend: Backend {
    public static let name = "pwm"

    /// A name or a folder.
    public var chip: String
    public var channel: Int
    public var period: Nanoseconds

    public init(chip: String, channel: Int, period: Nanoseconds) {
        self.chip = chip
        self.channel = channel
        self.period = period
    }

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        let draft = fields.read(Draft.keys, from: Draft())
        guard let chip = draft.chip, let channel = draft.channel, let period = draft.period else { return nil }
        self.init(chip: chip.string, channel: channel, period: period)
    }

    private struct Draft {
        var chip: Text?
        var channel: Int?
        var period: Nanoseconds?

        static let keys: [Key<Self>] = [
            .required(
                "chip", .chip(named: "pwmchip"),
                "the name, the folder of the chip, or the folder of its device, which stays the same from boot to boot"
            ) { $0.chip = $1 },
            .required("channel", .integer(in: 0...63), "the channel of the chip") { $0.channel = $1 },
            .required(
                "frequency", .period(ofFrequencyIn: 10...1_000_000),
                "the frequency of the signal; 20kHz or so, so that the coil of the motor is not heard"
            ) { $0.period = $1 },
        ]
    }

    private var output: PWMChannel { output(mostDrive: .rated) }

    private func output(mostDrive: Drive) -> PWMChannel {
        PWMChannel(chip: chip, channel: channel, period: period, mostDrive: mostDrive)
    }

    public var device: String? { output.name }
    public var capabilities: ActuatorCapabilities { LevelDriver.capabilities.with(mostDrive: .most) }
    public var assumedMotor: MotorModel? { MotorLibrary.coin.model }
    public var leftover: (any Leftover)? { output }

    public func sighting() -> DeviceSighting { output.sighting() }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        LevelDriver(
            output(mostDrive: parts.mostDrive), maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard,
            mostDrive: parts.mostDrive)
    }
}
