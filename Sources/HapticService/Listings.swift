// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// Which actuators there are, and the lists that clients ask for: each is made once, for as long as it stays the same.
struct Listings {
    /// Why each of the actuators that are not there is not.
    private(set) var unavailable: [ActuatorIndex: ActuatorFault] = [:]
    private var patterns: PatternsResult?
    /// All of them, in order.
    private var allPatterns: [PatternResult] = []
    private var actuators: ActuatorsResult?

    /// `fault`: nil where it is there.
    mutating func setUnavailable(_ index: ActuatorIndex, _ fault: ActuatorFault?) {
        unavailable[index] = fault
        actuators = nil
    }

    /// The actuators are others, which count as there.
    mutating func forgetActuators() {
        unavailable = [:]
        actuators = nil
    }

    /// There is another configuration.
    mutating func forget() { (patterns, allPatterns, actuators) = (nil, [], nil) }

    /// In one answer.
    static let mostPatterns = 500
    /// Bytes of a description in the list; a longer one is cut.
    static let mostOfDescription = 256

    /// The first of them.
    mutating func patterns(of configuration: ServiceConfiguration) -> PatternsResult {
        if let patterns { return patterns }
        allPatterns = configuration.engine.patterns.sorted { $0.key < $1.key }.map { name, pattern in
            let description = configuration.patternDescriptions[name] ?? ""
            return PatternResult(
                name: pattern.name, description: Text(description).prefix(bytes: Self.mostOfDescription),
                timeline: pattern.timeline)
        }
        let made = PatternsResult(
            patterns: Array(allPatterns.prefix(Self.mostPatterns)), more: allPatterns.count > Self.mostPatterns)
        patterns = made
        return made
    }

    /// Those behind `name`, whether there is one of that name or not.
    mutating func patterns(of configuration: ServiceConfiguration, after name: Text) -> PatternsResult {
        _ = patterns(of: configuration)
        let rest = allPatterns.drop { Text($0.name) <= name }
        return PatternsResult(patterns: Array(rest.prefix(Self.mostPatterns)), more: rest.count > Self.mostPatterns)
    }

    /// One of them with its outline.
    static func pattern(
        _ pattern: PlayablePattern, _ outline: Outline, of configuration: ServiceConfiguration
    ) -> PatternsResult {
        PatternsResult(patterns: [
            PatternResult(
                name: pattern.name, description: configuration.patternDescriptions[Text(pattern.name)] ?? "",
                timeline: pattern.timeline, outline: outline)
        ])
    }

    mutating func actuators(of configuration: ServiceConfiguration) -> ActuatorsResult {
        if let actuators { return actuators }
        let all = configuration.engine.actuators
        let results = all.indices.map { index in
            let motor = configuration.motors[index]
            return ActuatorResult(
                name: all[index].name, capabilities: all[index].capabilities, limits: all[index].limits,
                backend: configuration.backends[index], fault: unavailable[ActuatorIndex(index)],
                fallback: all[index].fallback.map { all[$0.value].name }, fit: motor.fit, motor: motor.model.map(MotorResult.init)
            )
        }
        let made = ActuatorsResult(actuators: results)
        actuators = made
        return made
    }
}
