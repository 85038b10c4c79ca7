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

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        let draft = fields.read(Draft.keys, from: Draft())
        guard let chip = draft.chip, let line = draft.line else { return nil }
        self.init(chip: chip.string, line: line, activeLow: draft.activeLow, pwmPeriod: draft.period)
    }

    private struct Draft {
        var chip: Text?
        var line: GPIOAddress.Line?
        var activeLow = false
        var period: Nanoseconds?

        static let keys: [Key<Self>] = [
            .required("chip", .name(), "its path, name or label") { $0.chip = $1 },
            .required("line", lineForm, "its offset, or its name") { $0.line = $1 },
            .optional("activeLow", .boolean, "it is on while the line is low") { $0.activeLow = $1 },
            .optional("pwm", pwmForm, "the frequency of the software PWM, or true for 200Hz") { $0.period = $1 },
        ]

        private static let offset = Form<Int>.integer(in: 0...1023)
        private static let lineName = Form<Text>.name()
        // Slower is felt as single beats; faster is more wake-ups than a small board can give.
        private static let frequency = Form<Nanoseconds>.period(ofFrequencyIn: 10...2000)

        private static let lineForm = Form<GPIOAddress.Line>(.either([offset.kind, lineName.kind])) { field in
            switch field.node.content {
            case .number: return offset.read(field).map { .offset($0) }
            case .string: return lineName.read(field).map { .name($0.string) }
            case .null, .bool, .integer, .list, .object, .invalid:
                field.failExpected("the line's offset, such as `18`, or its name")
                return nil
            }
        }

        /// `true` is 200 Hz: more than a motor's mass follows, and few wake-ups. `false` is none.
        private static let pwmForm = Form<Nanoseconds?>(.either([.boolean, frequency.kind])) { field in
            if case .bool(let isWanted) = field.node.content { return .some(isWanted ? .milliseconds(5) : nil) }
            return frequency.read(field).map { .some($0) }
        }
    }

    public var device: String? { "\(address)" }
    public var capabilities: ActuatorCapabilities { .init(variesIntensity: pwmPeriod != nil, variesSharpness: false) }
    public var leftover: (any Leftover)? { GPIOLeftover(address) }

    public func sighting() -> DeviceSighting {
        #if GPIO
            let chips = GPIOChip.all(for: address.chip)
            do throws(DriverFault) {
                let chip = try GPIOSearch.chip(address.chip, among: chips, device: "\(address)")
                let line = chip.lines[try GPIOSearch.offset(address.line, in: chip, device: "\(address)")]
                let holder = DriverFault(.busy(holder: line.consumer.map { "`\($0)`" }), device: "\(address)")
                return DeviceSighting(files: [chip.path], line: line.offset, fault: line.isUsed ? holder : nil)
            } catch {
                // Any chip that may not be opened could be the one.
                let closed = chips.filter { $0.fault?.cause == .permission }.map(\.path)
                return DeviceSighting(files: error.cause == .permission ? closed : [], fault: error)
            }
        #else
            return DeviceSighting()
        #endif
    }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        GPIODriver(address, pwmPeriod: pwmPeriod, maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard)
    }
}
