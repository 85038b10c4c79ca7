// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine

/// What the service goes by: the engine's configuration and what clients are told of it.
public struct ServiceConfiguration: Hashable, Sendable {
    public var engine: EngineConfiguration
    /// By the name of the pattern.
    public var patternDescriptions: [Text: String]
    /// What drives each actuator, in the order of `engine.actuators`.
    public var backends: [String]
    public var clientBounds: ClientBounds
    public var access: AccessRules
    // by characters: our own words.
    /// Of the patterns, which are too much to compare while clients wait, and of the parts that only the daemon looks into, by their keys in the
    /// configuration file: another number where they differ.
    public var fingerprints: [String: Int]

    // by characters: our own words.
    public init(
        engine: EngineConfiguration, patternDescriptions: [Text: String] = [:], backends: [String],
        clientBounds: ClientBounds = .standard, access: AccessRules = AccessRules(), fingerprints: [String: Int] = [:]
    ) {
        // trap: both lists are made of one list of actuators.
        precondition(backends.count == engine.actuators.count, "every actuator has a backend")
        self.engine = engine
        self.patternDescriptions = patternDescriptions
        self.backends = backends
        self.clientBounds = clientBounds
        self.access = access
        self.fingerprints = fingerprints
    }

    /// The parts of `other` that only the next start takes up.
    func needsRestart(for other: ServiceConfiguration) -> [String] {
        fingerprints["socket"] == other.fingerprints["socket"] ? [] : ["socket"]
    }

    /// The parts in which `other` differs, by their keys in the configuration file.
    func changes(to other: ServiceConfiguration) -> [String] {
        let (old, new) = (engine, other.engine)
        func differs(_ part: String) -> Bool { fingerprints[part] != other.fingerprints[part] }
        let parts: [(String, Bool)] = [
            ("profile", old.profile != new.profile),
            ("classes", old.classes != new.classes),
            ("actuators", old.actuators != new.actuators || backends != other.backends || differs("actuators")),
            ("realtime", differs("realtime")),
            ("progress", old.progressRules != new.progressRules),
            ("events", old.eventRules != new.eventRules),
            ("patterns", differs("patterns")),
            ("bounds", old.bounds != new.bounds || clientBounds != other.clientBounds),
            ("access", access != other.access),
        ]
        return parts.filter(\.1).map(\.0)
    }
}
