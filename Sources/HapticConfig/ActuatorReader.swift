// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// Reads the `actuators` of a configuration.
enum ActuatorReader {
    private enum BackendName: String, CaseIterable {
        case simulated, gpio, pwm, evdev, led
    }

    /// Those that are usable; the rest has been reported.
    static func actuators(_ reader: NodeReader?) -> [ActuatorConfiguration] {
        var names: Set<Text> = []
        var fallbacks: [(of: Text, field: NodeReader)] = []
        let entries = reader?.list(count: 1...ConfigurationReader.actuatorLimit) ?? []
        var actuators: [ActuatorConfiguration] = entries.compactMap { entry in
            entry.object { fields in
                let nameField = fields.required("name")
                let name = nameField?.name()
                if let name, !names.insert(name).inserted {
                    nameField?.fail("the name \(quoted(name.string)) is taken by an actuator before; give each its own")
                }
                let kind = fields.required("backend")?.choice(BackendName.self, kind: "backend")
                let backend = backend(kind, &fields)
                // A light has no motor.
                var motor = kind == .led ? .init() : fields.optional("motor")?.object(motor) ?? .init()
                let minInterval = fields.optionalDuration("minInterval", in: .milliseconds(1) ... .milliseconds(100))
                let fallback = fields.optional("fallback")
                guard let name else { return nil }
                if let fallback { fallbacks.append((name, fallback)) }
                // An actuator whose device is wrong still has a name that rules may use.
                let usable = backend ?? .simulated(.init())
                motor.limits.minInterval = minInterval ?? usable.shortestInterval
                motor.limits.maxOn = motor.limits.maxOn ?? usable.longestOn
                return ActuatorConfiguration(name: name.string, backend: usable, motor: motor)
            }
        }
        reportTwins(among: actuators, entries)
        for (name, field) in fallbacks {
            guard let index = actuators.firstIndex(where: { Text($0.name) == name }) else { continue }
            actuators[index].fallback = fallback(field, of: name, among: actuators, having: fallbacks.map(\.of))
        }
        return actuators
    }

    /// Two actuators on one device would fight for it.
    private static func reportTwins(among actuators: [ActuatorConfiguration], _ entries: [NodeReader]) {
        guard entries.count == actuators.count else { return }
        var first: [Text: String] = [:]
        for (actuator, entry) in zip(actuators, entries) {
            guard let device = actuator.backend.device.map({ Text($0) }) else { continue }
            if let other = first[device] {
                entry.fail("the device of \(quoted(actuator.name)) is that of \(quoted(other)) already; take one of them out")
            } else {
                first[device] = actuator.name
            }
        }
    }

    /// One step only: what stands in for another has nothing that stands in for itself, so there is no circle.
    private static func fallback(
        _ field: NodeReader, of name: Text, among actuators: [ActuatorConfiguration], having: [Text]
    ) -> ActuatorIndex? {
        guard let other = field.text() else { return nil }
        guard let index = actuators.firstIndex(where: { Text($0.name) == other }) else {
            field.fail(unknownMessage("actuator", other.string, candidates: actuators.map(\.name).filter { Text($0) != name }))
            return nil
        }
        guard other != name, !having.contains(other) else {
            field.fail(
                "\(quoted(other.string)) cannot stand in for \(quoted(name.string)); name one that has no `fallback` itself, such as a light"
            )
            return nil
        }
        return ActuatorIndex(index)
    }

    private static func backend(
        _ kind: BackendName?, _ fields: inout FieldReader
    ) -> ActuatorConfiguration.Backend? {
        switch kind {
        case .simulated: return .simulated(simulated(&fields))
        case .gpio: return gpio(&fields).map { .gpio($0) }
        case .pwm: return pwm(&fields).map { .pwm($0) }
        case .evdev: return fields.required("match")?.object(deviceMatch).map { .evdev($0) }
        case .led: return led(&fields).map { .led($0) }
        case nil:
            fields.ignoreUnknownKeys()
            return nil
        }
    }

    private static func simulated(_ fields: inout FieldReader) -> ActuatorConfiguration.Simulated {
        let variesIntensity = fields.optional("variesIntensity")?.bool() ?? true
        let variesSharpness = fields.optional("variesSharpness")?.bool() ?? true
        let faults: ActuatorConfiguration.Faults? = fields.optional("faults")?.object { fields in
            let failAfter = fields.required("failAfter")?.integer(in: 0...1_000_000)
            let recoverAfter = fields.optionalDuration("recoverAfter", in: .milliseconds(1) ... .seconds(3600))
            return failAfter.map { .init(failAfter: $0, recoverAfter: recoverAfter) }
        }
        return .init(
            capabilities: .init(variesIntensity: variesIntensity, variesSharpness: variesSharpness), faults: faults)
    }

    private static func gpio(_ fields: inout FieldReader) -> ActuatorConfiguration.GPIO? {
        let chip = fields.required("chip")?.name()
        let line = fields.required("line").flatMap(line)
        let activeLow = fields.optional("activeLow")?.bool() ?? false
        let period = fields.optional("pwm").flatMap(softwarePeriod)
        guard let chip, let line else { return nil }
        return .init(chip: chip.string, line: line, activeLow: activeLow, pwmPeriod: period)
    }

    /// `true` is 200 Hz: more than a motor's mass follows, and few wake-ups. `false` is none.
    private static func softwarePeriod(_ field: NodeReader) -> Nanoseconds? {
        if case .bool(let isWanted) = field.node.content { return isWanted ? .milliseconds(5) : nil }
        // Slower is felt as single beats; faster is more wake-ups than a small board can give.
        return field.period(ofFrequencyIn: 10...2000)
    }

    private static func line(_ field: NodeReader) -> ActuatorConfiguration.GPIO.Line? {
        switch field.node.content {
        case .number: return field.integer(in: 0...1023).map { .offset($0) }
        case .string: return field.name().map { .name($0.string) }
        case .null, .bool, .integer, .list, .object, .invalid:
            field.failExpected("the line's offset, such as `18`, or its name")
            return nil
        }
    }

    private static func pwm(_ fields: inout FieldReader) -> ActuatorConfiguration.PWM? {
        let chip = fields.required("chip")?.name()
        let channel = fields.required("channel")?.integer(in: 0...63)
        let period = fields.required("frequency")?.period(ofFrequencyIn: 10...1_000_000)
        guard let chip, let channel, let period else { return nil }
        return .init(chip: chip.string, channel: channel, period: period)
    }

    private static func led(_ fields: inout FieldReader) -> ActuatorConfiguration.LED? {
        let name = fields.required("led")?.name()
        let colour = fields.optional("colour").flatMap(colour)
        return name.map { .init(name: $0.string, colour: colour) }
    }

    private static func colour(_ field: NodeReader) -> UInt32? {
        if case .string(let text) = field.node.content, text.utf8.count == 7, text.string.begins(with: "#"),
            let first = text.utf8.dropFirst().first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let colour = UInt32(Substring(text.utf8.dropFirst()), radix: 16)
        {
            return colour
        }
        field.failExpected("a colour in quotes: red, green and blue as in \"#ff8000\"")
        return nil
    }

    private static func deviceMatch(_ fields: inout FieldReader) -> DeviceMatch? {
        let match = DeviceMatch(
            name: fields.optional("name")?.name()?.string, path: fields.optional("path")?.name(limit: 4096)?.string,
            phys: fields.optional("phys")?.name()?.string, vendor: fields.optional("vendor")?.integer(in: 0...0xffff),
            product: fields.optional("product")?.integer(in: 0...0xffff))
        if fields.isEmpty { fields.fail("nothing to find the device by; give its `name`, `path`, `phys`, `vendor` or `product`") }
        return match
    }

    private static func motor(_ fields: inout FieldReader) -> ActuatorConfiguration.Motor? {
        var motor = ActuatorConfiguration.Motor()
        motor.kind = fields.optional("kind")?.choice(ActuatorConfiguration.Motor.Kind.self, kind: "kind of motor")
        let second = Nanoseconds.zero ... .seconds(1)
        motor.rise = fields.optionalDuration("rise", in: second) ?? .zero
        motor.fall = fields.optionalDuration("fall", in: second) ?? .zero
        motor.limits.minGap = fields.optionalDuration("minGap", in: second) ?? .zero
        motor.limits.maxOn = fields.optionalDuration("maxOn", in: .milliseconds(1) ... .seconds(60))
        if let field = fields.optional("duty"), let duty = field.unitValue(Share.self) {
            if duty > .zero {
                motor.limits.duty = duty
            } else {
                field.fail("a duty of 0 would keep the motor off; write more, such as `40%`")
            }
        }
        return motor
    }
}
