// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct WorkLinkTests {
    @Test("An input costs its share, or takes nothing of what is too little")
    func cost() {
        let cost = WorkBudget.Cost.input
        var (enough, tooLittle) = (WorkBudget(cost), WorkBudget(cost - 1))
        let reasons = [
            WorkLink.objection(leaving: &enough), WorkLink.objection(leaving: &tooLittle),
        ]
        #expect(reasons == [nil, .quota])
        #expect((enough.left, tooLittle.left) == (0, cost - 1))
    }
}
