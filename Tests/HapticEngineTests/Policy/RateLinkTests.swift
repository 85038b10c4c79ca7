// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct RateLinkTests {
    @Test("What is over the limit of any second waits until that second has passed")
    func limit() {
        var limiter = RateLimiter(limit: 1)
        #expect(RateLink.objection(to: .play(), limiter, at: .zero) == nil)
        #expect(RateLink.objection(to: .play(), limiter, at: .zero) == nil, "to be asked costs nothing")
        limiter.record(at: .zero)
        #expect(RateLink.objection(to: .play(), limiter, at: .ms(999)) == .rateLimited)
        #expect(RateLink.objection(to: .play(), limiter, at: .ms(1000)) == nil)
    }

    @Test("Reaching 1 is felt however many were felt before")
    func completion() {
        var completion = Candidate.play()
        completion.isLimited = false
        #expect(RateLink.objection(to: completion, RateLimiter(limit: 0), at: .zero) == nil)
    }
}
