// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
import HapticPlanning

/// Why the engine refuses a configuration.
public enum ConfigurationMistake: Error, Hashable, Sendable {
    /// `holder`: who names it, such as `event rule 3`, counted from 1.
    case noPattern(named: String, holder: String)
    case noActuator(at: ActuatorIndex, holder: String)
    /// The fallback of an actuator has a fallback itself, or is the actuator.
    case chainedFallback(actuator: String)
    /// It is handed over to an actuator on which it begins.
    case handedToItself(holder: String)
    /// Lights that show this pattern would flash more often than `FlashBound` says.
    case flashes(of: String, holder: String)
    /// A time is outside the range that its place allows.
    case time(Nanoseconds, holder: String, range: ClosedRange<Nanoseconds>)
    /// No motor gets hot like this.
    case thermal(ThermalModel.Mistake, actuator: String)
    /// The detents are not in order, not between 0 and 1, or too many; or the hysteresis is none.
    case detents(holder: String)
    /// A number is below zero or above `most`.
    case count(Int, holder: String, most: Int)
}

extension ConfigurationMistake: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPattern(let name, let holder):
            "\(holder) names the pattern `\(name)`, which is not among the patterns; add it, or name another"
        case .noActuator(let index, let holder):
            "\(holder) names actuator \(index.value), but there is none; they are counted from 0"
        case .chainedFallback(let actuator):
            "the fallback of the actuator `\(actuator)` is that actuator, or has a fallback itself; name another one"
        case .handedToItself(let holder):
            "\(holder) is handed over to an actuator on which it begins; name another one, or leave it out of the actuators"
        case .flashes(let pattern, let holder):
            "\(holder) names the pattern `\(pattern)`, which flashes more than \(FlashBound.most) times in a second, or has an open phase; name another one"
        case .time(let time, let holder, let range):
            "the time \(time) of \(holder) is not possible; it has to be from \(range.lowerBound) to \(range.upperBound)"
        case .thermal(let mistake, let actuator): "the `thermal` of the actuator `\(actuator)` is not possible: \(mistake)"
        case .detents(let holder):
            "the detents of \(holder) are not possible; they have to be ascending, between 0 and 1, and \(FollowShape.mostDetents) at most, and the hysteresis from 0 to 1"
        case .count(let count, let holder, let most):
            "the number \(count) of \(holder) is not possible; it has to be from 0 to \(most)"
        }
    }
}

extension EngineConfiguration {
    /// A year: instants and their sums stay far within what they can hold.
    public static let longestTime = Nanoseconds.seconds(365 * 86_400)
    /// Of a class, in any second; each takes eight bytes.
    public static let largestLimit = 1_000_000
    /// At a time; each has its place in the action buffer.
    public static let mostPlaybacks = 1_000_000

    func validate() throws(ConfigurationMistake) {
        for name in FeedbackClass.allCases { try validate(classes[name], "the class `\(name.rawValue)`") }
        if let meanings { try validate(meanings) }
        for actuator in actuators { try validate(actuator) }
        for (index, rule) in progressRules.enumerated() {
            try validate(rule.feedback, "progress rule \(index + 1)")
            if let complete = rule.complete { try needPattern(complete, "progress rule \(index + 1)") }
            if let follow = rule.follow { try validate(follow, "progress rule \(index + 1)") }
        }
        for (index, rule) in eventRules.enumerated() {
            try validate(rule.feedback, "event rule \(index + 1)")
            if let transition = rule.transition { try validate(transition, "event rule \(index + 1)") }
        }
        for (index, rule) in collectionRules.enumerated() { try validate(rule, "collection \(index + 1)") }
        for (index, rule) in holdRules.enumerated() { try validate(rule, "hold \(index + 1)") }
        for (index, rule) in taskRules.enumerated() { try validate(rule, "task \(index + 1)") }
        try need(conditionRules.count, atMost: ConditionRule.most, "the conditions")
        for rule in conditionRules { try validate(rule, "the condition `\(rule.name)`") }
        try need(bounds.playbacks, atMost: Self.mostPlaybacks, "the playbacks in `bounds`")
        try need(bounds.sourceTimeout, "the source timeout in `bounds`")
    }

    private func validate(_ policy: ClassPolicy, _ holder: String) throws(ConfigurationMistake) {
        for effect in [policy.quiet, policy.reduced, policy.silent] {
            if case .pattern(let name) = effect { try needPattern(name, holder) }
        }
        try need(policy.deadline, holder)
        if let limit = policy.limitPerSecond { try need(limit, atMost: Self.largestLimit, holder) }
    }

    private func validate(_ meanings: KeptMeanings) throws(ConfigurationMistake) {
        for meaning in Meaning.allCases {
            let (name, holder) = (meanings[meaning], "the meaning `\(meaning.rawValue)`")
            try needPattern(name, holder)
            guard let flashes = patterns[Text(name)]?.flashes, FlashBound.firstTooMany(in: flashes) == nil else {
                throw .flashes(of: name, holder: holder)
            }
        }
        try needPattern(meanings.touch, "the touch of `meanings`")
    }

    private func validate(_ actuator: EngineActuator) throws(ConfigurationMistake) {
        let holder = "the actuator `\(actuator.name)`"
        for time in [actuator.limits.minInterval, actuator.limits.minGap, actuator.limits.maxOn] { try need(time, holder) }
        if let mistake = actuator.thermal?.mistakes.first { throw .thermal(mistake, actuator: actuator.name) }
        guard let fallback = actuator.fallback else { return }
        try needActuator(fallback, holder)
        guard actuators[fallback.value].fallback == nil else { throw .chainedFallback(actuator: actuator.name) }
    }

    private func validate(_ feedback: RuleFeedback, _ holder: String) throws(ConfigurationMistake) {
        try needPattern(feedback.pattern, holder)
        for actuator in feedback.actuators ?? [] { try needActuator(actuator, holder) }
        try need(feedback.deadline, holder)
        switch feedback.spread {
        case nil: break
        case .stagger(let stagger):
            try need(stagger.interval, in: Nanoseconds(1)...Self.longestTime, holder)
            let length = stagger.length(over: feedback.actuators?.count ?? actuators.count)
            try need(length, in: .zero...Stagger.longest, holder)
        case .handOver(let handOver):
            try needActuator(handOver.to, holder)
            guard feedback.actuators?.contains(handOver.to) != true else { throw .handedToItself(holder: holder) }
            try need(handOver.duration, in: Nanoseconds(1)...HandOver.longest, holder)
        }
    }

    private func validate(_ shape: FollowShape, _ holder: String) throws(ConfigurationMistake) {
        if let stop = shape.endStop { try needPattern(stop, holder) }
        let isAscending = zip(shape.detents, shape.detents.dropFirst()).allSatisfy { $0 < $1 }
        let isBetween = shape.detents.allSatisfy { $0 > .zero && $0 < .one }
        guard isAscending, isBetween, shape.detents.count <= FollowShape.mostDetents, (0...1).contains(shape.hysteresis) else {
            throw .detents(holder: holder)
        }
    }

    private func validate(_ patterns: ThingPatterns, _ holder: String) throws(ConfigurationMistake) {
        for name in [patterns.inserted, patterns.removed, patterns.both] {
            if let name { try needPattern(name, holder) }
        }
    }

    private func validate(_ rule: CollectionRule, _ holder: String) throws(ConfigurationMistake) {
        try validate(rule.patterns, holder)
        try validate(rule.feedback, holder)
        try need(rule.interval, in: Nanoseconds(1)...Stagger.longest, holder)
    }

    private func validate(_ rule: HoldRule, _ holder: String) throws(ConfigurationMistake) {
        try validate(rule.feedback, holder)
        for case .some(let name) in [rule.pressed, rule.complete] { try needPattern(name, holder) }
        try need(rule.shape.press, in: .zero...HoldShape.longestPress, holder)
        // A tick is a whole number of nanoseconds at least.
        try need(rule.shape.duration, in: Nanoseconds(Int64(HoldShape.tickCount))...HoldShape.longestDuration, holder)
        try need(rule.shape.fall, in: .zero...HoldShape.longestFall, holder)
    }

    private func validate(_ rule: TaskRule, _ holder: String) throws(ConfigurationMistake) {
        for feedback in [rule.began, rule.succeeded, rule.failed, rule.cancelled, rule.working?.feedback] {
            if let feedback { try validate(feedback, holder) }
        }
        try need(rule.timeout, in: Nanoseconds(1)...Self.longestTime, holder)
        guard let working = rule.working else { return }
        // A faint texture, and no source of ceaseless work.
        try need(working.interval, in: TaskRule.Working.shortestInterval...Self.longestTime, holder)
        try need(working.upTo, holder)
    }

    private func validate(_ rule: ConditionRule, _ holder: String) throws(ConfigurationMistake) {
        for feedbackClass in FeedbackClass.allCases {
            if case .pattern(let name) = rule.effects[feedbackClass] { try needPattern(name, holder) }
        }
    }

    private func need(
        _ time: Nanoseconds?, in range: ClosedRange<Nanoseconds> = .zero...Self.longestTime, _ holder: String
    ) throws(ConfigurationMistake) {
        guard let time, !range.contains(time) else { return }
        throw .time(time, holder: holder, range: range)
    }

    private func needPattern(_ name: String, _ holder: String) throws(ConfigurationMistake) {
        guard patterns[Text(name)] != nil else { throw .noPattern(named: name, holder: holder) }
    }

    private func needActuator(_ index: ActuatorIndex, _ holder: String) throws(ConfigurationMistake) {
        guard actuators.indices.contains(index.value) else { throw .noActuator(at: index, holder: holder) }
    }

    private func need(_ count: Int, atMost most: Int, _ holder: String) throws(ConfigurationMistake) {
        guard (0...most).contains(count) else { throw .count(count, holder: holder, most: most) }
    }
}
