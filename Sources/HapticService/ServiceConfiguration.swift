// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
public import HapticPatterns
internal import HapticWire

/// The engine's configuration, and with it all that the service decides by and says to clients.
public struct ServiceConfiguration: Equatable, Sendable {
    /// A value that the service only compares with another.
    public struct Part: Equatable, Sendable {
        private let value: any Equatable & Sendable
        private let equals: @Sendable (any Equatable & Sendable) -> Bool

        public init<Value: Equatable & Sendable>(_ value: Value) {
            self.value = value
            equals = { $0 as? Value == value }
        }

        public static func == (a: Part, b: Part) -> Bool { a.equals(b.value) }
    }

    /// One of several in a part of the configuration.
    public struct Entry: Equatable, Sendable {
        let name: Text
        let value: Part

        public init(_ name: String, _ value: Part) {
            self.name = Text(name)
            self.value = value
        }
    }

    public var engine: EngineConfiguration
    /// By the name of the pattern.
    public var patternDescriptions: [Text: String]
    /// By the name of the pattern: what inline patterns of clients may use.
    public var library: [Text: Pattern]
    /// What drives each actuator, in the order of `engine.actuators`.
    public var backends: [String]
    /// The actuators whose motors the configuration does not describe.
    public var assumedMotors: Set<ActuatorIndex>
    public var clientBounds: ClientBounds
    public var access: AccessRules
    // by characters: our own words.
    /// The patterns, and what only the daemon looks into, by their keys in the configuration file.
    public var parts: [String: Part]
    // by characters: our own words.
    /// The entries of these parts, by which a reload counts what is different.
    public var entries: [String: [Entry]] = [:]
    /// The file that it was read from, as an absolute path; nil: it is built in.
    public var file: String?

    // by characters: our own words.
    public init(
        engine: EngineConfiguration, patternDescriptions: [Text: String] = [:], library: [Text: Pattern] = [:],
        backends: [String], assumedMotors: Set<ActuatorIndex> = [],
        clientBounds: ClientBounds = .standard, access: AccessRules = AccessRules(), parts: [String: Part] = [:]
    ) {
        // trap: both lists are made of one list of actuators.
        precondition(backends.count == engine.actuators.count, "every actuator has a backend")
        self.engine = engine
        self.patternDescriptions = patternDescriptions
        self.library = library
        self.backends = backends
        self.assumedMotors = assumedMotors
        self.clientBounds = clientBounds
        self.access = access
        self.parts = parts
    }

    func assumesMotor(of actuator: ActuatorIndex) -> Bool { assumedMotors.contains(actuator) }

    /// The parts of `other` that only the next start takes up.
    func needsRestart(for other: ServiceConfiguration) -> [String] {
        parts["socket"] == other.parts["socket"] ? [] : ["socket"]
    }

    /// The parts in which `other` differs, by their keys in the configuration file.
    func changes(to other: ServiceConfiguration) -> [String] {
        let (old, new) = (engine, other.engine)
        func differs(_ part: String) -> Bool { parts[part] != other.parts[part] }
        let comparisons: [(String, Bool)] = [
            ("profile", old.profile != new.profile),
            ("settings", old.settings.withoutProfile != new.settings.withoutProfile),
            ("classes", old.classes != new.classes),
            ("meanings", old.meanings != new.meanings),
            ("actuators", old.actuators != new.actuators || backends != other.backends || differs("actuators")),
            ("realtime", differs("realtime")),
            ("progress", old.progressRules != new.progressRules),
            ("events", old.eventRules != new.eventRules),
            ("holds", old.holdRules != new.holdRules || differs("holds")),
            ("collections", old.collectionRules != new.collectionRules),
            ("tasks", old.taskRules != new.taskRules),
            ("conditions", old.conditionRules != new.conditionRules || differs("conditions")),
            ("patterns", differs("patterns")),
            ("bounds", old.bounds != new.bounds || clientBounds != other.clientBounds),
            ("access", access != other.access),
        ]
        return comparisons.filter(\.1).map(\.0)
    }

    /// How many rules, actuators and patterns differ.
    func differences(to other: ServiceConfiguration) -> [ReloadResult.Difference] {
        let (old, new) = (engine, other.engine)
        return [
            difference("progress", old.progressRules, new.progressRules, id: \.match),
            difference("events", old.eventRules, new.eventRules, id: \.match),
            difference("holds", old.holdRules, new.holdRules, id: \.match),
            difference("collections", old.collectionRules, new.collectionRules, id: \.match),
            difference("tasks", old.taskRules, new.taskRules, id: \.match),
            difference("conditions", old.conditionRules, new.conditionRules, id: \.name),
            difference("actuators", of: other),
            difference("patterns", of: other),
        ].compactMap(\.self)
    }

    private func difference(_ part: String, of other: ServiceConfiguration) -> ReloadResult.Difference? {
        difference(part, entries[part] ?? [], other.entries[part] ?? [], id: \.name)
    }

    /// Entries of the same id are the same one, in their order. Nil where nothing differs but, at most, the order.
    private func difference<Entry: Equatable, ID: Hashable>(
        _ part: String, _ old: [Entry], _ new: [Entry], id: (Entry) -> ID
    ) -> ReloadResult.Difference? {
        var left = Dictionary(grouping: old, by: id)
        var found = ReloadResult.Difference(part: part, added: 0, removed: 0, changed: 0)
        for entry in new {
            guard let former = left[id(entry)]?.first else {
                found.added += 1
                continue
            }
            left[id(entry)]?.removeFirst()
            if former != entry { found.changed += 1 }
        }
        found.removed = left.values.reduce(0) { $0 + $1.count }
        return found.added + found.removed + found.changed > 0 ? found : nil
    }
}

extension Settings {
    /// What the configuration has under `settings`.
    fileprivate var withoutProfile: Settings {
        var settings = self
        settings.profile = nil
        return settings
    }
}
