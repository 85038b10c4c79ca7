// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The configuration in force, with the costs of finding a rule of it. Immutable, so the parts of the engine share it without a copy.
final class Rules: Sendable {
    let configuration: EngineConfiguration
    let costs: RuleCosts
    /// Another number for each configuration. A source that has found its rule in an older one looks for it again at its next input.
    let generation: UInt64

    init(_ configuration: EngineConfiguration, generation: UInt64 = 1) {
        self.configuration = configuration
        costs = RuleCosts(configuration)
        self.generation = generation
    }

    /// The feedback that a rule wants for `input`.
    func candidate(
        _ feedback: RuleFeedback, for input: borrowing Input, source: SourceKey?, intensity: Intensity? = nil
    ) -> Candidate {
        let policy = configuration.classes[feedback.feedbackClass]
        // trap: a configuration is refused where a rule names a pattern that is not there.
        var pattern = configuration.patterns[Text(feedback.pattern)]!
        if case .pattern(let replacement) = input.feedback { pattern = replacement }
        return Candidate(
            client: input.client, at: input.at, app: input.app, isOff: input.feedback == .off, pattern: pattern,
            feedbackClass: feedback.feedbackClass, intensity: intensity ?? feedback.intensity,
            priority: feedback.priority ?? policy.priority, deadline: input.deadline ?? feedback.deadline ?? policy.deadline,
            actuators: feedback.actuators, spread: feedback.spread, source: source)
    }

    /// The index of the first rule, from `start` on, for an event of this name. No rule is copied: all of them are looked at.
    func eventRule(for name: String, from start: Int = 0) -> Int? {
        configuration.eventRules.indices[start...].first { configuration.eventRules[$0].match.matches(name) }
    }

    /// The first rule for an event of this name that wants this change. `first`: the index of the first rule for the name.
    func eventRule(for name: String, startingWith first: Int, old: Scalar, new: Scalar) -> Int? {
        var index = Optional(first)
        while let rule = index {
            guard let change = configuration.eventRules[rule].when, !(change.from.matches(old) && change.to.matches(new)) else {
                return rule
            }
            index = eventRule(for: name, from: rule + 1)
        }
        return nil
    }

    /// Whether no rule is for an event of this name. The search is charged; false if the budget does not allow it.
    func hasNoEventRule(for name: String, work: inout WorkBudget) -> Bool {
        work.take(costs.names.units(name.utf8.count)) && eventRule(for: name) == nil
    }

    func taskRule(for key: OwnedID) -> Int? {
        configuration.taskRules.firstIndex { $0.match.matches(key.id.string) }
    }
}
