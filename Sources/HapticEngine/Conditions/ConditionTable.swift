// SPDX-License-Identifier: MIT
import HapticCore

/// The conditions in force, and the connections that assert them. A condition is in force while at least one connection asserts it.
struct ConditionTable {
    private struct Assertion {
        let name: Text
        let connection: UInt64
        /// Nil: a device's, which the configuration bounds.
        let user: UInt32?
    }

    var suspension = Suspension()
    /// The names of the conditions in force, in the order of their rules.
    private(set) var names: [String] = []
    /// Whether one of them has the profile `reduced`, which bounds the flashes of lights whatever the strictest effect is.
    private(set) var boundsFlashes = false
    private var assertions: [Assertion] = []
    /// The strictest demand on each class, by `FeedbackClass.index`; empty if there is none.
    private var demands: [ConditionDemand?] = []

    /// The strictest demand of the conditions in force.
    func demand(on feedbackClass: FeedbackClass) -> ConditionDemand? { demands.isEmpty ? nil : demands[feedbackClass.index] }

    mutating func take(_ request: ConditionRequest, _ configuration: EngineConfiguration) -> ConditionChange {
        let (name, client) = (Text(request.name), request.client)
        guard configuration.conditionRules.contains(where: { Text($0.name) == name }) else { return .unknown }
        let index = assertions.firstIndex { $0.name == name && $0.connection == client.connection }
        if request.isOn, index == nil {
            let user = client.isDevice ? nil : client.user
            guard user == nil || assertions.count(where: { $0.user == user }) < ConditionRule.mostPerUser else { return .tooMany }
            let wasInForce = isAsserted(name)
            assertions.append(Assertion(name: name, connection: client.connection, user: user))
            if !wasInForce { update(configuration) }
        } else if !request.isOn, let index {
            assertions.remove(at: index)
            if !isAsserted(name) { update(configuration) }
        }
        return .taken(request.name, isInForce: isAsserted(name))
    }

    /// Releases the conditions of a connection that is closed.
    mutating func release(ofConnection connection: UInt64, _ configuration: EngineConfiguration) {
        let released = assertions.filter { $0.connection == connection }
        assertions.removeAll { $0.connection == connection }
        if released.contains(where: { !isAsserted($0.name) }) { update(configuration) }
    }

    /// Applies other rules. Conditions whose rule has gone are dropped.
    mutating func configure(_ configuration: EngineConfiguration) {
        guard !assertions.isEmpty else { return }
        let known = Set(configuration.conditionRules.map { Text($0.name) })
        assertions.removeAll { !known.contains($0.name) }
        update(configuration)
    }

    private func isAsserted(_ name: Text) -> Bool { assertions.contains { $0.name == name } }

    private mutating func update(_ configuration: EngineConfiguration) {
        let asserted = Set(assertions.map(\.name))
        let rules = configuration.conditionRules.filter { asserted.contains(Text($0.name)) }
        names = rules.map(\.name)
        boundsFlashes = rules.contains { $0.profile == .reduced }
        guard !rules.isEmpty else {
            demands = []
            return
        }
        demands = FeedbackClass.allCases.map { feedbackClass in
            let all = rules.compactMap { ConditionDemand(of: $0, on: feedbackClass, configuration.classes) }
            // The first one of equal strictness: its name is the one that a decision shows.
            return all.reduce(nil) { strictest, next in
                strictest.map { $0.strictness >= next.strictness } ?? false ? strictest : next
            }
        }
    }
}

/// The effect that a condition demands on a class.
struct ConditionDemand: Hashable, Sendable {
    /// The name of the condition.
    let name: String
    let effect: ProfileEffect
    /// The profile that has the effect; `nil`: the condition itself.
    let profile: Profile?

    var strictness: Int { effect.strictness(of: profile) }

    /// The effect of the rule on the class, or else that of the rule's profile. `nil` for `alarm`, which no condition suppresses.
    init?(of rule: ConditionRule, on feedbackClass: FeedbackClass, _ classes: ClassTable) {
        guard feedbackClass != .alarm else { return nil }
        name = rule.name
        if let effect = rule.effects[feedbackClass] {
            (self.effect, profile) = (effect, nil)
        } else if let profile = rule.profile {
            (effect, self.profile) = (classes[feedbackClass].effect(of: profile), profile)
        } else {
            return nil
        }
    }
}

extension ProfileEffect {
    /// A rank: the higher, the less is felt. The profile `reduced` also bounds flashes, and keeps the meaning of a pattern that would
    /// be nothing.
    func strictness(of profile: Profile?) -> Int {
        let isReduced = profile == .reduced
        return switch self {
        case .full: isReduced ? 1 : 0
        case .half: isReduced ? 3 : 2
        case .pattern: isReduced ? 5 : 4
        case .nothing: isReduced ? 5 : 6
        }
    }
}
