// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticJSON

/// Reads the `actuators` of a configuration.
enum ActuatorReader {
    /// Those that are usable; the rest has been reported. `kinds`: the backends that there are.
    static func actuators(_ reader: NodeReader?, _ kinds: [any Backend.Type]) -> [ActuatorConfiguration] {
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
                let kind = fields.required("backend").flatMap { Self.kind($0, among: kinds) }
                if kind == nil { fields.ignoreUnknownKeys() }
                let backend = kind?.init(&fields)
                let hasMotor = kind?.hasMotor ?? true
                var motor = hasMotor ? fields.optional("motor")?.object(motor) ?? .init() : .init()
                let minInterval = fields.optionalDuration("minInterval", in: .milliseconds(1) ... .milliseconds(100))
                let fallback = fields.optional("fallback")
                guard let name else { return nil }
                if let fallback { fallbacks.append((name, fallback)) }
                // An actuator whose device is wrong still has a name that rules may use.
                let usable = backend ?? SimulatedBackend()
                motor.limits.minInterval = minInterval ?? type(of: usable).shortestInterval
                motor.limits.maxOn = motor.limits.maxOn ?? type(of: usable).longestOn
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

    private static func kind(_ field: NodeReader, among kinds: [any Backend.Type]) -> (any Backend.Type)? {
        guard let text = field.text() else { return nil }
        if let kind = kinds.first(where: { Text($0.name) == text }) { return kind }
        field.fail(unknownMessage("backend", text.string, candidates: kinds.map { $0.name }))
        return nil
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
