// SPDX-License-Identifier: MIT
import HapticCore

/// An alarm goes before all else and through quiet hours, so to name that class oneself can be kept to some.
enum AccessLink {
    static func objection(to candidate: Candidate) -> Reason? {
        candidate.namesClass && candidate.feedbackClass == .alarm && !candidate.client.mayAlarm ? .notAllowed : nil
    }
}
