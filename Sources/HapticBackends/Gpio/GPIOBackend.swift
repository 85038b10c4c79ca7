// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticText

/// A motor on a GPIO line.
public struct GPIOBackend: Backend {
    public static let name = "gpio"
    public static let isDirect = true
    public static let appearsInDev = true

    public var address: GPIOAddress
    /// The period of the software PWM that makes the intensity; nil: on or off only.
    public var pwmPeriod: Nanoseconds?
    /// The configuration has no `pwm`: its motor decides.
    private var takesPWMFromMotor = false

    public init(chip: String, line: GPIOAddress.Line, activeLow: Bool = false, pwmPeriod: Nanoseconds? = nil) {
        address = GPIOAddress(chip: chip, line: line, isActiveLow: activeLow)
        self.pwmPeriod = pwmPeriod
    }

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        let draft = fields.read(Draft.keys, from: Draft())
        guard let chip = draft.chip, let line = draft.line else { return nil }
        self.init(chip: chip.string, line: line, activeLow: draft.activeLow, pwmPeriod: draft.period ?? nil)
        takesPWMFromMotor = draft.period == nil
    }

    /// 200 Hz: more than a motor's mass follows, and few wake-ups.
    private static let usualPeriod = Nanoseconds.milliseconds(5)

    public var assumedMotor: MotorModel? { MotorLibrary.coin.model }

    /// A rotating mass evens out a PWM; anything else, such as a relay, does not.
    public func driving(_ motor: MotorModel?) -> Self {
        guard takesPWMFromMotor else { return self }
        var backend = self
        backend.takesPWMFromMotor = false
        backend.pwmPeriod = motor?.kind == .erm ? Self.usualPeriod : nil
        return backend
    }

    private struct Draft {
        var chip: Text?
        var line: GPIOAddress.Line?
        var activeLow = false
        /// The inner `nil`: on or off only.
        var period: Nanoseconds??

        static let keys: [Key<Self>] = [
            .required("chip", .chip(named: "gpiochip"), "the path, the name or the label of the chip") { $0.chip = $1 },
            .required("line", GPIOAddress.Line.form, "the offset of the line, or its name") { $0.line = $1 },
            .optional("activeLow", .boolean, default: "false", "whether the actuator is on while the line is low") {
                $0.activeLow = $1
            },
            .optional(
                "pwm", pwmForm, default: "true if the motor is an `erm`",
                """
                the frequency of the pulse-width modulation by the daemon; true: 200Hz; false: on or off, and off below a quarter of \
                the strength
                """
            ) { $0.period = .some($1) },
        ]

        // Slower is felt as single beats; faster is more wake-ups than a small board can give.
        private static let frequency = Form<Nanoseconds>.period(ofFrequencyIn: 10...2000)

        /// `false` is none.
        private static let pwmForm = Form<Nanoseconds?>(.either([.boolean, frequency.kind])) { field in
            if case .bool(let isWanted) = field.node.content { return .some(isWanted ? usualPeriod : nil) }
            return frequency.read(field).map { .some($0) }
        }
    }

    public var device: String? { "\(address)" }
    public var capabilities: ActuatorCapabilities { .init(variesIntensity: pwmPeriod != nil, variesSharpness: false) }
    public var leftover: (any Leftover)? { GPIOLeftover(address) }

    public func sighting() -> DeviceSighting { address.sighting() }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        GPIODriver(address, pwmPeriod: pwmPeriod, maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard)
    }
}
