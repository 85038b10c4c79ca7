// SPDX-License-Identifier: MIT
import HapticCore

/// No more is felt of a class in any second than its limit. What is played counts once it begins.
enum RateLink {
    /// `limiter`: that of the candidate's class.
    static func objection(to candidate: Candidate, _ limiter: RateLimiter, at now: MonotonicInstant) -> Reason? {
        candidate.traits.isLimited && !limiter.admits(at: now) ? .rateLimited : nil
    }
}
