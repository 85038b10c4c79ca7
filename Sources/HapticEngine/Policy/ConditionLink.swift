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

    /// Takes the request of a client or a switch.
    mutating func take(
        _ request: ConditionRequest, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> ConditionChange {
        let configuration = configuration
        return changeConditions(at: now, into: &actions) { $0.take(request, configuration) }
    }

    /// Lights whose flashes are not counted go out when the first condition with the profile `reduced` begins. All else plays on.
    mutating func changeConditions<Result>(
        at now: MonotonicInstant, into actions: inout ActionBuffer, _ change: (inout ConditionTable) -> Result
    ) -> Result {
        let boundedFlashes = conditions.boundsFlashes
        defer { if conditions.boundsFlashes, !boundedFlashes { darken(for: .condition, at: now, into: &actions) } }
        return change(&conditions)
    }

    /// The profile in force. While a condition has the profile `reduced`, lights flash no more often than under that profile, whatever
    /// the strictest effect leaves to them.
    func profileObjection(to candidate: inout Candidate, at now: MonotonicInstant) -> Reason? {
        let objection = ProfileLink.objection(to: &candidate, profile, configuration, scheduler, flashes, at: now)
        guard objection == nil, conditions.boundsFlashes, !candidate.countsFlashes, candidate.feedbackClass != .alarm else {
            return objection
        }
        return ReducedProfile(configuration: configuration, scheduler: scheduler, flashes: flashes, now: now)
            .keepFromFlashing(&candidate)
    }

    /// The strictest demand of the conditions on `feedbackClass`; `nil` if the profile in force is at least as strict.
    func effectiveDemand(on feedbackClass: FeedbackClass) -> ConditionDemand? {
        guard let demand = conditions.demand(on: feedbackClass) else { return nil }
        let ofProfile = configuration.classes[feedbackClass].effect(of: profile).strictness(of: profile)
        return demand.strictness > ofProfile ? demand : nil
    }
}
