// SPDX-License-Identifier: MIT
import HapticCore

/// The effect of the conditions in force: that of the engine's own suspension on everything, and those of clients on all classes except
/// `alarm`. The profile in force is applied afterwards, to the rest, so no condition plays more than that profile would.
extension FeedbackEngine {
    func conditionObjection(to candidate: inout Candidate, noting path: inout PolicyPath, at now: MonotonicInstant) -> Reason? {
        if conditions.suspension.contains(now) { return .suspended }
        guard let demand = effectiveDemand(on: candidate.feedbackClass) else { return nil }
        path.condition = demand.name
        let objection = ProfileLink.objection(
            to: &candidate, demand.effect, of: demand.profile, configuration, scheduler, flashes, at: now)
        return objection == .profile ? .condition : objection
    }

    /// The strictest demand of the conditions on `feedbackClass`; `nil` if the profile in force is at least as strict.
    func effectiveDemand(on feedbackClass: FeedbackClass) -> ConditionDemand? {
        guard let demand = conditions.demand(on: feedbackClass) else { return nil }
        let ofProfile = configuration.classes[feedbackClass].effect(of: profile).strictness(of: profile)
        return demand.strictness > ofProfile ? demand : nil
    }
}
