// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Each link of the policy has a file and is a pure function: of the candidate, which it may change for the links after it, and
/// of what else it must know.
extension FeedbackEngine {
    /// Why nothing may be felt of `candidate`: what the first link says that objects. Nil: none does. `path` gets what each link
    /// has changed, and which one has objected.
    mutating func objection(to candidate: inout Candidate, noting path: inout PolicyPath, at now: MonotonicInstant) -> Reason? {
        // By index: in a debug build an array's iterator is an allocation a turn.
        for index in links.indices {
            let link = links[index]
            let (pattern, intensity, actuators, wait) = (
                candidate.pattern, candidate.intensity, candidate.actuators, candidate.wait
            )
            if let reason = objection(of: link, to: &candidate, noting: &path, at: now) {
                path.objection = link
                return reason
            }
            if candidate.pattern !== pattern {
                // Others may see it, and the name of an inline pattern is the client's own.
                let former = pattern.isInline ? "inline" : pattern.name
                path.changes.append(.init(link, .pattern(from: former, to: candidate.pattern.name)))
            }
            if candidate.intensity != intensity {
                path.changes.append(.init(link, .intensity(from: intensity, to: candidate.intensity)))
            }
            if candidate.actuators != actuators {
                path.changes.append(.init(link, .actuators(from: names(of: actuators), to: names(of: candidate.actuators))))
            }
            if candidate.wait != wait { path.changes.append(.init(link, .delay(from: wait, to: candidate.wait))) }
        }
        return nil
    }

    private func names(of actuators: [ActuatorIndex]?) -> [String] { scheduler.names(of: actuators ?? scheduler.ordinary) }

    private mutating func objection(
        of link: PolicyLink, to candidate: inout Candidate, noting path: inout PolicyPath, at now: MonotonicInstant
    ) -> Reason? {
        switch link {
        case .feedback: FeedbackLink.objection(to: candidate)
        case .condition: conditionObjection(to: &candidate, noting: &path, at: now)
        case .access: AccessLink.objection(to: candidate)
        case .off: OffLink.objection(personal, noting: &path)
        case .quietHours: quietHoursObjection(to: candidate, noting: &path, at: now)
        case .deadline: DeadlineLink.objection(to: &candidate, at: now)
        case .work: WorkLink.objection(leaving: &work)
        case .duplicate: DuplicateLink.objection(to: candidate, among: scheduler.playbacks)
        case .profile: profileObjection(to: &candidate, at: now)
        case .strength: StrengthLink.objection(to: &candidate, personal.settings, noting: &path)
        case .rate: RateLink.objection(to: candidate, limiters[candidate.feedbackClass.index], at: now)
        }
    }

    private mutating func quietHoursObjection(
        to candidate: Candidate, noting path: inout PolicyPath, at now: MonotonicInstant
    ) -> Reason? {
        guard let time = personal.quietTime(at: now) else { return nil }
        guard work.take(personal.repetitionCost) else { return .quota }
        let isRepeated = personal.isRepeated(candidate, at: now)
        return QuietHoursLink.objection(to: candidate, personal, isRepeated: isRepeated, at: time, noting: &path)
    }
}
