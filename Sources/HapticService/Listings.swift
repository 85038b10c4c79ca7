// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticMotors
internal import HapticPlanning
internal import HapticWire

/// Which actuators there are, and the lists that clients ask for: each is made once, for as long as it stays the same.
struct Listings {
    /// Why each of the actuators that are not there is not.
    private(set) var unavailable: [ActuatorIndex: ActuatorFault] = [:]
    /// The motors that open devices have turned out to have.
    private var found: [ActuatorIndex: FoundMotor] = [:]
    private var patterns: WrittenResult?
    /// All of them, in order.
    private var allPatterns: [PatternResult] = []
    private var actuators: WrittenResult?
    private var document: WrittenResult?

    /// `fault`: `nil` if it is there; `motor`: what it then has turned out to have. Returns whether that is news.
    mutating func set(_ index: ActuatorIndex, _ fault: ActuatorFault?, _ motor: FoundMotor?) -> Bool {
        let motor = fault == nil ? motor : found[index]
        guard unavailable[index] != fault || found[index] != motor else { return false }
        (unavailable[index], found[index]) = (fault, motor)
        actuators = nil
        return true
    }

    /// The actuators are others, which count as there.
    mutating func forgetActuators() {
        (unavailable, found) = ([:], [:])
        actuators = nil
    }

    /// There is another configuration.
    mutating func forget() { (patterns, allPatterns, actuators) = (nil, [], nil) }

    /// In one answer.
    static let mostPatterns = 500
    /// Bytes of a description in the list; a longer one is cut.
    static let mostOfDescription = 256

    /// The first of them.
    mutating func patterns(of configuration: ServiceConfiguration) -> WrittenResult {
        if let patterns { return patterns }
        allPatterns = configuration.engine.patterns.sorted { $0.key < $1.key }.map { name, pattern in
            let description = configuration.patternDescriptions[name] ?? ""
            return PatternResult(
                name: pattern.name, description: Text(description).prefix(bytes: Self.mostOfDescription),
                timeline: pattern.timeline)
        }
        let made = WrittenResult(
            PatternsResult(
                patterns: Array(allPatterns.prefix(Self.mostPatterns)), more: allPatterns.count > Self.mostPatterns))
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

    mutating func actuators(of configuration: ServiceConfiguration) -> WrittenResult {
        if let actuators { return actuators }
        let all = configuration.engine.actuators.enumerated().map { $1.with(found[ActuatorIndex($0)]) }
        let results = all.indices.map { index in
            let number = ActuatorIndex(index)
            return ActuatorResult(
                index, of: all, backend: configuration.backends[index],
                isMotorAssumed: configuration.assumesMotor(of: number), fault: unavailable[number])
        }
        let made = WrittenResult(ActuatorsResult(actuators: results))
        actuators = made
        return made
    }

    /// The description of the interface. `version`: of the daemon.
    mutating func document(version: String) -> WrittenResult {
        if let document { return document }
        let made = WrittenResult(OpenRPC.document(version: version))
        document = made
        return made
    }
}
