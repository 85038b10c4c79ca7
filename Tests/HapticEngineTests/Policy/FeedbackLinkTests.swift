// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct FeedbackLinkTests {
    @Test("With feedback off nothing is felt")
    func off() {
        #expect(FeedbackLink.objection(to: .play(isOff: true)) == .feedbackOff)
        #expect(FeedbackLink.objection(to: .play()) == nil)
    }
}
