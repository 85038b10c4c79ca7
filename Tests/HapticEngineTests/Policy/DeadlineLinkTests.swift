// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct DeadlineLinkTests {
    @Test(
        "What is older than its deadline is stale, and what is just as old is not",
        arguments: [
            (.ms(400), nil), (MonotonicInstant(nanoseconds: 399_999_999), .stale), (.ms(500), nil), (.zero, .stale),
        ] as [(MonotonicInstant, Reason?)])
    func age(at: MonotonicInstant, reason: Reason?) {
        var candidate = Candidate.play(at: at, deadline: .milliseconds(100))
        let objection = DeadlineLink.objection(to: &candidate, at: .ms(500))
        #expect(objection == reason)
        #expect(candidate.latest == at + .milliseconds(100))
    }

    @Test("What claims to come from the future happens now")
    func future() {
        var candidate = Candidate.play(at: .ms(900), deadline: .milliseconds(100))
        let objection = DeadlineLink.objection(to: &candidate, at: .ms(500))
        #expect(objection == nil)
        #expect(candidate.latest == .ms(600))
    }

    @Test("Without a deadline nothing is too old")
    func none() {
        var candidate = Candidate.play(at: .zero)
        let objection = DeadlineLink.objection(to: &candidate, at: .ms(3_600_000))
        #expect(objection == nil)
        #expect(candidate.latest == nil)
    }
}
