// SPDX-License-Identifier: MIT
import HapticCore

/// The links of the chain between what should be felt and its playback, in the order in which they are asked.
///
/// Each has a file and is a pure function: of the candidate, which it may change for the links after it, and of what else it
/// must know. It returns why nothing may be felt, or nil. The first that objects gives the decision its reason, and those after
/// it are not asked.
enum PolicyLink: CaseIterable {
    case feedback, deadline, work, duplicate, profile, rate

    /// `allCases`, which the compiler makes as an array each time.
    static let chain = allCases
}

extension FeedbackEngine {
    /// Why nothing may be felt of `candidate`: what the first link says that objects. Nil: none does.
    mutating func objection(to candidate: inout Candidate, at now: MonotonicInstant) -> Reason? {
        // By index: in a debug build an array's iterator is an allocation a turn.
        for index in PolicyLink.chain.indices {
            if let reason = objection(of: PolicyLink.chain[index], to: &candidate, at: now) { return reason }
        }
        return nil
    }

    private mutating func objection(of link: PolicyLink, to candidate: inout Candidate, at now: MonotonicInstant) -> Reason? {
        switch link {
        case .feedback: FeedbackLink.objection(to: candidate)
        case .deadline: DeadlineLink.objection(to: &candidate, at: now)
        case .work: WorkLink.objection(among: scheduler.playbacks.count, leaving: &work)
        case .duplicate: DuplicateLink.objection(to: candidate, among: scheduler.playbacks)
        case .profile: ProfileLink.objection(to: &candidate, profile, configuration, scheduler)
        case .rate: RateLink.objection(to: candidate, limiters[candidate.feedbackClass.index], at: now)
        }
    }
}
