// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning

/// A rule's pattern that no motor of its actuators makes felt.
public struct WeakFeedback: Hashable, Sendable {
    /// The kind of the rule and its `match`, such as `progress *`.
    public let rule: String
    public let pattern: String
    /// The names of the motors that were judged.
    public let actuators: [String]
    /// The best peak among them, as a share of the acceleration at rated drive.
    public let peak: Double
}

extension EngineActuator {
    /// Predicts the feel of `pattern`, from rest and within the motor's limits. `train` plays it in steps. `nil` if nothing is known of the motor.
    public func feel(
        of pattern: PlayablePattern, train: StepTrain? = nil, intensity: Intensity = .one
    ) -> Decision.Feel? {
        let plan = PlaybackPlan(pattern: pattern, train: train, repetitions: 1, gain: Gain(intensity), sharpness: nil)
        var prospect = Prospect(steps: plan.steps)
        // A plan that is played once takes nothing.
        var work = WorkBudget(0)
        let channel = Channel(index: ActuatorIndex(0), actuator: self)
        guard let preview = channel.preview(plan, Entry(), at: .zero, work: &work) else { return nil }
        prospect.add(preview, isLight: capabilities.isLight)
        return prospect.feel
    }
}

extension EngineConfiguration {
    /// The patterns of the rules that the configured motors cannot convey, rule by rule. A rule with a motor that nothing is known of is not
    /// judged.
    public var weakFeedback: [WeakFeedback] { requests.compactMap { weakness(of: $0.feedback, $0.rule) } }

    private func weakness(of feedback: RuleFeedback, _ rule: String) -> WeakFeedback? {
        guard let pattern = patterns[Text(feedback.pattern)] else { return nil }
        let standIns = Set(actuators.compactMap(\.fallback))
        let wanted = feedback.actuators ?? actuators.indices.map { ActuatorIndex($0) }.filter { !standIns.contains($0) }
        let motors = wanted.map { actuators[$0.value] }.filter { !$0.capabilities.isLight }
        let peaks = motors.compactMap { motor in
            motor.motor == nil ? nil : motor.feel(of: pattern, intensity: feedback.intensity)?.peak ?? 0
        }
        guard let best = peaks.max(), peaks.count == motors.count, best < Decision.Feel.least else { return nil }
        return WeakFeedback(rule: rule, pattern: feedback.pattern, actuators: motors.map(\.name), peak: best)
    }

    /// The feedback of all rules. A followed value without detents has no pattern of its own.
    private var requests: [(rule: String, feedback: RuleFeedback)] {
        var requests: [(rule: String, feedback: RuleFeedback)] = []
        func add(_ rule: String, _ feedback: RuleFeedback?, _ pattern: String? = nil) {
            guard var feedback else { return }
            if let pattern { feedback.pattern = pattern }
            requests.append((rule, feedback))
        }
        for rule in progressRules {
            let name = "progress \(rule.match.text)"
            if rule.follow.map({ !$0.detents.isEmpty }) ?? true { add(name, rule.feedback) }
            for pattern in [rule.complete, rule.follow?.endStop] where pattern != nil { add(name, rule.feedback, pattern) }
        }
        for rule in eventRules {
            let name = "events \(rule.match.text)"
            guard let transition = rule.transition else {
                add(name, rule.feedback)
                continue
            }
            for pattern in transition.names { add(name, rule.feedback, pattern) }
        }
        for rule in collectionRules {
            for pattern in rule.patterns.names { add("collections \(rule.match.text)", rule.feedback, pattern) }
        }
        for rule in holdRules {
            add("holds \(rule.text)", rule.feedback)
            for pattern in [rule.pressed, rule.complete] where pattern != nil {
                add("holds \(rule.text)", rule.feedback, pattern)
            }
        }
        for rule in taskRules {
            for feedback in [rule.began, rule.succeeded, rule.failed, rule.cancelled, rule.working?.feedback] {
                add("tasks \(rule.match.text)", feedback)
            }
        }
        return requests
    }
}
