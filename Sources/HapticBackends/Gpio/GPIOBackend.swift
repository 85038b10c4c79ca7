// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

/// A motor on a GPIO line.
public struct GPIOBackend: Backend {
    public static let name = "gpio"
    public static let isDirect = true
    public static let appearsInDev = true

    public var address: GPIOAddress
    /// The period of the software PWM that makes the intensity; nil: on or off only.
    public var pwmPeriod: Nanoseconds?

    public init(chip: String, line: GPIOAddress.Line, activeLow: Bool = false, pwmPeriod: Nanoseconds? = nil) {
        address = GPIOAddress(chip: chip, line: line, isActiveLow: activeLow)
        self.pwmPeriod = pwmPeriod
    }

    public init?(_ fields: inout FieldReader) {
        let chip = fields.required("chip")?.name()
        let line = fields.required("line").flatMap(Self.line)
        let activeLow = fields.optional("activeLow")?.bool() ?? false
        let period = fields.optional("pwm").flatMap(Self.softwarePeriod)
        guard let chip, let line else { return nil }
        self.init(chip: chip.string, line: line, activeLow: activeLow, pwmPeriod: period)
    }

    private static func line(_ field: NodeReader) -> GPIOAddress.Line? {
        switch field.node.content {
        case .number: return field.integer(in: 0...1023).map { .offset($0) }
        case .string: return field.name().map { .name($0.string) }
        case .null, .bool, .integer, .list, .object, .invalid:
            field.failExpected("the line's offset, such as `18`, or its name")
            return nil
        }
    }

    /// `true` is 200 Hz: more than a motor's mass follows, and few wake-ups. `false` is none.
    private static func softwarePeriod(_ field: NodeReader) -> Nanoseconds? {
        if case .bool(let isWanted) = field.node.content { return isWanted ? .milliseconds(5) : nil }
        // Slower is felt as single beats; faster is more wake-ups than a small board can give.
        return field.period(ofFrequencyIn: 10...2000)
    }

    public var device: String? { "\(address)" }
    public var capabilities: ActuatorCapabilities { .init(variesIntensity: pwmPeriod != nil, variesSharpness: false) }
    public var leftover: (any Leftover)? { GPIOLeftover(address) }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        GPIODriver(address, pwmPeriod: pwmPeriod, maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard)
    }
}
