// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticEngine
internal import HapticMotors
internal import HapticPlanning
internal import HapticText

/// Reads the `actuators` of a configuration.
enum ActuatorReader {
    /// A list of entries; which keys an entry has goes by its backend.
    static let form = Form<[NodeReader]>.list(
        of: Form(.either(Backends.all.map(entry(of:)))) { $0 }, count: 1...ConfigurationReader.actuatorLimit)

    private static func entry(of backend: any Backend.Type) -> Member.Kind {
        let head = Draft.headKeys.map(\.member).narrowing("backend", to: .choice([backend.name]))
        let motor = backend.hasMotor ? Draft.motorKeys : []
        return .object(head + backend.members + (motor + Draft.tailKeys).map(\.member))
    }

    /// Those that are usable; the rest has been reported. `kinds`: the backends that there are.
    static func actuators(_ entries: [NodeReader], _ kinds: [any Backend.Type]) -> [ActuatorConfiguration] {
        var names: Set<Text> = []
        var fallbacks: [(of: Text, field: NodeReader)] = []
        var actuators: [ActuatorConfiguration] = entries.compactMap { entry in
            entry.object { fields in
                var draft = Draft()
                fields.read(Draft.headKeys, into: &draft)
                let name = draft.name.flatMap(Draft.nameForm.read)
                if let name, !names.insert(name).inserted {
                    draft.name?.fail("the name \(quoted(name.string)) is taken by an actuator before; give each its own")
                }
                let kind = draft.backend.flatMap { Self.kind($0, among: kinds) }
                if kind == nil { fields.ignoreUnknownKeys() }
                let backend = kind?.init(&fields)
                if kind?.hasMotor ?? true { fields.read(Draft.motorKeys, into: &draft) }
                fields.read(Draft.tailKeys, into: &draft)
                guard let name else { return nil }
                if let fallback = draft.fallback { fallbacks.append((name, fallback)) }
                // An actuator whose device is wrong still has a name that rules may use.
                var engine = draft.engine
                engine.name = name.string
                var usable: any Backend = backend ?? SimulatedBackend()
                if draft.isMotorAssumed { engine.motor = usable.assumedMotor?.within(maxOn: engine.limits.maxOn) }
                usable = usable.driving(engine.motor)
                engine.limits.minInterval = draft.minInterval ?? type(of: usable).shortestInterval
                engine.limits.maxOn = engine.limits.maxOn ?? type(of: usable).longestOn
                return ActuatorConfiguration(engine, backend: usable, isMotorAssumed: draft.isMotorAssumed)
            }
        }
        reportTwins(among: actuators, entries)
        for (name, field) in fallbacks {
            guard let index = actuators.firstIndex(where: { Text($0.name) == name }) else { continue }
            actuators[index].engine.fallback = fallback(field, of: name, among: actuators, having: fallbacks.map(\.of))
        }
        return actuators
    }

    private struct Draft {
        var name, backend, fallback: NodeReader?
        var engine = EngineActuator(name: "")
        var isMotorAssumed = true
        var minInterval: Nanoseconds?

        static let nameForm = Form<Text>.name()
        private static let backendForm = Form<NodeReader>(.choice(Backends.all.map { $0.name })) { $0 }
        private static let interval = Form<Nanoseconds>.duration(in: .milliseconds(1) ... .milliseconds(100))

        static let headKeys: [Key<Self>] = [
            .required("name", nameForm.unread, "the name, for rules and clients") { $0.name = $1 },
            .required("backend", backendForm, "the kind of device") { $0.backend = $1 },
        ]
        static let motorKeys: [Key<Self>] = [
            .optional(
                "motor", MotorReader.form, default: "the commonest motor of such a device",
                "the name of a known motor, or its figures; `none`: a relay or a solenoid, whose drive is the intensity"
            ) {
                ($0.engine.motor, $0.isMotorAssumed) = ($1.model, $1.isAssumed)
                ($0.engine.limits, $0.engine.thermal) = ($1.limits, $1.thermal)
            },
            .optional(
                "fit", .choice(of: Fit.self, "fitting"), default: "`\(Fit.auto.rawValue)`",
                "`auto`: patterns are fitted to the motor if the motor is known or assumed; `off`: the drive is the intensity"
            ) { $0.engine.isFitted = $1 == .auto },
        ]
        static let tailKeys: [Key<Self>] = [
            .optional(
                "minInterval", interval, default: shortestIntervals,
                "the average time of one actuation; faster levels are skipped except the last, and faster pulses are merged"
            ) { $0.minInterval = $1 },
            .optional(
                "fallback", Form<Text>.text.unread,
                "the substitute if the actuator is missing, or if the profile suppresses it"
            ) { $0.fallback = $1 },
        ]

        /// `1ms; 2ms for `evdev` and `led``.
        private static var shortestIntervals: String {
            let usual = SimulatedBackend.shortestInterval
            let others = Set(Backends.all.map { $0.shortestInterval }).subtracting([usual]).sorted().map { interval in
                let names = Backends.all.filter { $0.shortestInterval == interval }.map { "`\($0.name)`" }
                return "\(interval) for \(names.joined(separator: " and "))"
            }
            return (["\(usual)"] + others).joined(separator: "; ")
        }
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
}
