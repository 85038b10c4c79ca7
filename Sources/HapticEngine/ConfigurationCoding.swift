// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

// How a configuration is written into a journal.

extension EngineConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case settings, classes, meanings, actuators, progressRules, eventRules, collectionRules, holdRules, taskRules
        case conditions, patterns, bounds
    }

    /// One of its patterns with all that it is.
    private struct Whole: Encodable {
        let pattern: PlayablePattern
        func encode(to encoder: any Encoder) throws { try pattern.encodeWhole(to: encoder) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let patterns = try container.decode([PlayablePattern].self, forKey: .patterns)
        let named = patterns.map { (Text($0.name), $0) }
        try self.init(
            settings: container.decode(Settings.self, forKey: .settings),
            classes: container.decode(ClassTable.self, forKey: .classes),
            meanings: container.decodeIfPresent(KeptMeanings.self, forKey: .meanings),
            actuators: container.decode([EngineActuator].self, forKey: .actuators),
            progressRules: container.decode([ProgressRule].self, forKey: .progressRules),
            eventRules: container.decode([EventRule].self, forKey: .eventRules),
            collectionRules: container.decode([CollectionRule].self, forKey: .collectionRules),
            holdRules: container.decode([HoldRule].self, forKey: .holdRules),
            taskRules: container.decode([TaskRule].self, forKey: .taskRules),
            conditionRules: container.decodeIfPresent([ConditionRule].self, forKey: .conditions) ?? [],
            patterns: Dictionary(named) { _, last in last }, bounds: container.decode(EngineBounds.self, forKey: .bounds))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(settings, forKey: .settings)
        try container.encode(classes, forKey: .classes)
        try container.encodeIfPresent(meanings, forKey: .meanings)
        try container.encode(actuators, forKey: .actuators)
        try container.encode(progressRules, forKey: .progressRules)
        try container.encode(eventRules, forKey: .eventRules)
        try container.encode(collectionRules, forKey: .collectionRules)
        try container.encode(holdRules, forKey: .holdRules)
        try container.encode(taskRules, forKey: .taskRules)
        if !conditionRules.isEmpty { try container.encode(conditionRules, forKey: .conditions) }
        // trap: it holds every name of the list.
        let whole = patternNames.map { Whole(pattern: patterns[Text($0)]!) }
        try container.encode(whole, forKey: .patterns)
        try container.encode(bounds, forKey: .bounds)
    }
}
