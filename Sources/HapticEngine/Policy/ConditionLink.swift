// SPDX-License-Identifier: MIT
import HapticCore

/// The effect of the conditions in force: that of the engine's own suspension on everything, and those of clients on all classes except
/// `alarm`. The profile in force is applied afterwards, to the rest, so no condition plays more than that profile would.
extension Policy {
    func conditionObjection(
        to candidate: inout Candidate, noting path: inout PolicyPath, _ configuration: EngineConfiguration,
        _ scheduler: Scheduler, at now: MonotonicInstant
    ) -> Reason? {
        if conditions.suspension.contains(now) { return .suspended }
        guard let demand = effectiveDemand(on: candidate.feedbackClass, configuration.classes) else { return nil }
        path.condition = demand.name
        let objection = ProfileLink.objection(
            to: &candidate, demand.effect, of: demand.profile, configuration, scheduler, flashes, at: now)
        return objection == .profile ? .condition : objection
    }

    /// The profile in force. While a condition has the profile `reduced`, lights flash no more often than under that profile, whatever
    /// the strictest effect leaves to them.
    func profileObjection(
        to candidate: inout Candidate, _ configuration: EngineConfiguration, _ scheduler: Scheduler, at now: MonotonicInstant
    ) -> Reason? {
        let objection = ProfileLink.objection(to: &candidate, profile, configuration, scheduler, flashes, at: now)
        guard objection == nil, conditions.boundsFlashes, !candidate.traits.countsFlashes, candidate.feedbackClass != .alarm
        else {
            return objection
        }
        return ReducedProfile(configuration: configuration, scheduler: scheduler, flashes: flashes, now: now)
            .keepFromFlashing(&candidate)
    }

    /// The strictest demand of the conditions on `feedbackClass`; `nil` if the profile in force is at least as strict.
    private func effectiveDemand(on feedbackClass: FeedbackClass, _ classes: ClassTable) -> ConditionDemand? {
        guard let demand = conditions.demand(on: feedbackClass) else { return nil }
        let ofProfile = classes[feedbackClass].effect(of: profile).strictness(of: profile)
        return demand.strictness > ofProfile ? demand : nil
    }

    /// The reason why the values of a class are not followed; `nil` if they are. Under `reduced` a meaning is kept and a detent is a light
    /// tick, but nothing continuous is felt; likewise if a profile or a condition replaces all patterns of the class by another one.
    func obstacleToFollowing(_ feedbackClass: FeedbackClass, _ classes: ClassTable) -> Reason? {
        if profile == .reduced { return .profile }
        if case .pattern = classes[feedbackClass].effect(of: profile) { return .profile }
        guard let demand = effectiveDemand(on: feedbackClass, classes) else { return nil }
        if demand.profile == .reduced { return .condition }
        if case .pattern = demand.effect { return .condition }
        return nil
    }
}
