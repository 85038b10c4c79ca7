// SPDX-License-Identifier: MIT
internal import HapticCore

/// Nothing is felt of what the client wants to be silent: its state has changed already.
enum FeedbackLink {
    static func objection(to candidate: Candidate) -> Reason? { candidate.isOff ? .feedbackOff : nil }
}
