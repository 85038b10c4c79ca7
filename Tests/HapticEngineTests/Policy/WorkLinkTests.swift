// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct WorkLinkTests {
    @Test(
        "An input costs its share and a look at each playback, or takes nothing of what is too little", arguments: [0, 1, 1024])
    func cost(playbacks: Int) {
        let cost = WorkBudget.Cost.input + playbacks * WorkBudget.Cost.playback
        var (enough, tooLittle) = (WorkBudget(cost), WorkBudget(cost - 1))
        let reasons = [
            WorkLink.objection(among: playbacks, leaving: &enough), WorkLink.objection(among: playbacks, leaving: &tooLittle),
        ]
        #expect(reasons == [nil, .quota])
        #expect((enough.left, tooLittle.left) == (0, cost - 1))
    }
}
