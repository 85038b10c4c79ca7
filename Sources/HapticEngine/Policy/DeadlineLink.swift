// SPDX-License-Identifier: MIT
import HapticCore

/// A late answer is worse than none: what is older than its deadline is not felt.
enum DeadlineLink {
    /// Notes in `candidate` until when it may begin to be felt.
    static func objection(to candidate: inout Candidate, at now: MonotonicInstant) -> Reason? {
        guard let deadline = candidate.deadline else { return nil }
        let happened = Canary.is("deadline-from-receipt") ? now : min(candidate.at, now)
        let latest = happened + deadline
        // A condition that asks for `reduced` may have set a wait until lights may flash again.
        candidate.latest = candidate.wait > .zero ? max(latest, now + candidate.wait) : latest
        return now - happened > deadline ? .stale : nil
    }
}

extension Decision {
    /// Notes how old the input was, if that is the objection.
    mutating func noteAge(of candidate: Candidate, _ objection: Reason, at now: MonotonicInstant) {
        if objection == .stale, circumstance == nil { circumstance = .late(age: now - candidate.at) }
    }
}
