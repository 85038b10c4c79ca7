// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// The exact edges of links. Golden traces show the effect of each.
@Suite("The links of the policy")
struct LinkTests {
    @Test(
        "An input that is older than its deadline is stale, one that is just as old is not, and the future counts as now",
        arguments: [
            (MonotonicInstant.ms(400), 100, .ms(500), nil),
            (MonotonicInstant(nanoseconds: 399_999_999), 100, MonotonicInstant(nanoseconds: 499_999_999), .stale),
            (.ms(500), 100, .ms(600), nil), (.zero, 100, .ms(100), .stale), (.ms(900), 100, .ms(600), nil),
            (.zero, nil, nil, nil),
        ] as [(MonotonicInstant, Int64?, MonotonicInstant?, Reason?)])
    func deadline(at: MonotonicInstant, deadline: Int64?, latest: MonotonicInstant?, reason: Reason?) {
        var candidate = Candidate.play(at: at, deadline: deadline.map { .milliseconds($0) })
        let objection = DeadlineLink.objection(to: &candidate, at: .ms(500))
        #expect(objection == reason)
        #expect(candidate.latest == latest)
    }

    @Test("A wait of the conditions before the deadline counts as in time")
    func wait() {
        var candidate = Candidate.play(at: .ms(500), deadline: .milliseconds(100))
        candidate.wait = .milliseconds(300)
        #expect(DeadlineLink.objection(to: &candidate, at: .ms(500)) == nil)
        #expect(candidate.latest == .ms(800))
    }

    @Test("Nothing is felt from the beginning of a suspension up to its end, or for its longest time")
    func suspended() {
        var suspension = Suspension()
        let begin = MonotonicInstant.zero + .seconds(5)
        #expect(!suspension.contains(begin))
        suspension.begin(at: begin)
        #expect(suspension.contains(begin))
        #expect(suspension.contains(begin + Suspension.longest - Nanoseconds(1)))
        #expect(!suspension.contains(begin + Suspension.longest))
        suspension.end()
        #expect(!suspension.contains(begin))
    }

    @Test("An input takes its cost from the budget, and nothing if too little is left")
    func work() {
        let cost = WorkBudget.Cost.input
        var (enough, tooLittle) = (WorkBudget(cost), WorkBudget(cost - 1))
        let reasons = [WorkLink.objection(leaving: &enough), WorkLink.objection(leaving: &tooLittle)]
        #expect(reasons == [nil, .quota])
        #expect((enough.left, tooLittle.left) == (0, cost - 1))
    }
}
