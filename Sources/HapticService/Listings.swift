// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// Which actuators there are, and the lists that clients ask for: each is made once, for as long as it stays the same.
struct Listings {
    /// Why each of the actuators that are not there is not.
    private(set) var unavailable: [ActuatorIndex: String] = [:]
    private var patterns: PatternsResult?
    private var actuators: ActuatorsResult?

    /// `error`: nil where it is there.
    mutating func setUnavailable(_ index: ActuatorIndex, _ error: String?) {
        unavailable[index] = error
        actuators = nil
    }

    /// The actuators are others, which count as there.
    mutating func forgetActuators() {
        unavailable = [:]
        actuators = nil
    }

    /// There is another configuration.
    mutating func forget() { (patterns, actuators) = (nil, nil) }

    mutating func patterns(of configuration: ServiceConfiguration) -> PatternsResult {
        if let patterns { return patterns }
        let all = configuration.engine.patterns.sorted { $0.key < $1.key }.map(\.value)
        let made = PatternsResult(
            patterns: all.map {
                PatternResult(
                    name: $0.name, description: configuration.patternDescriptions[Text($0.name)] ?? "", timeline: $0.timeline)
            })
        patterns = made
        return made
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
            ActuatorResult(
                name: all[index].name, capabilities: all[index].capabilities, limits: all[index].limits,
                backend: configuration.backends[index], error: unavailable[ActuatorIndex(index)],
                fallback: all[index].fallback.map { all[$0.value].name })
        }
        let made = ActuatorsResult(actuators: results)
        actuators = made
        return made
    }
}
