// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The chain of the policy")
struct PolicyChainTests {
    /// An engine in which each link can object: `silent` wants nothing of interactions, neither they nor textures may be
    /// played in any second, and `endless` plays for `a`.
    private func bench() -> Bench {
        var classes = ClassTable.standard
        (classes.alarm.silent, classes.texture.silent) = (.full, .full)
        (classes.interaction.limitPerSecond, classes.texture.limitPerSecond) = (0, 0)
        var bench = Bench(.bench(profile: .silent, classes: classes))
        bench.play("endless", .alarm, id: "a")
        bench.run(until: .ms(1000))
        return bench
    }

    private func reason(
        _ candidate: Candidate, work: Int = WorkBudget.line, isSuspended: Bool = false, in bench: inout Bench
    ) -> Reason? {
        var candidate = candidate
        if isSuspended { bench.engine.suspension.begin(at: bench.now) } else { bench.engine.suspension.end() }
        bench.engine.work = WorkBudget(work)
        var path = PolicyPath(profile: .full)
        return bench.engine.objection(to: &candidate, noting: &path, at: bench.now)
    }

    @Test("The first link that objects is the reason, and the links are asked in their order")
    func order() {
        var bench = bench()
        let (old, now) = (MonotonicInstant.zero, bench.now)
        let deadline = Nanoseconds.milliseconds(100)
        // From one line to the next there is one cause less to object.
        let reasons = [
            reason(
                .play("endless", .interaction, id: "a", isOff: true, at: old, deadline: deadline), work: 0, isSuspended: true,
                in: &bench),
            reason(
                .play("endless", .interaction, id: "a", at: old, deadline: deadline), work: 0, isSuspended: true, in: &bench),
            reason(.play("endless", .interaction, id: "a", at: old, deadline: deadline), work: 0, in: &bench),
            reason(.play("endless", .interaction, id: "a", at: now, deadline: deadline), work: 0, in: &bench),
            reason(.play("endless", .interaction, id: "a", at: now, deadline: deadline), in: &bench),
            reason(.play("endless", .interaction, id: "b", at: now, deadline: deadline), in: &bench),
            reason(.play("endless", .texture, id: "b", at: now, deadline: deadline), in: &bench),
        ]
        #expect(reasons == [.feedbackOff, .suspended, .stale, .quota, .duplicate, .profile, .rateLimited])
        #expect(reasons.count == PolicyLink.chain.count, "a link that is new belongs here, too")
        let unopposed = reason(.play("endless", .alarm, id: "b", at: now, deadline: deadline), in: &bench)
        #expect(unopposed == nil)
    }

    @Test("What a decision says comes from the link that objected, and from those before it")
    func decision() {
        var bench = bench()
        let stale = bench.send(.play("soft", .interaction, at: .zero))
        #expect((stale.outcome, stale.reason, stale.pattern) == (.suppressed, .stale, "soft"))
        #expect(stale.deadline == .ms(100))
        let unfelt = bench.play("soft", .interaction, steps: 3)
        #expect((unfelt.reason, unfelt.deadline) == (.profile, .ms(1100)))
        #expect(bench.summaries.last == PlaySummary(steps: 3, pulses: 0, mergedByMinGap: 0))
    }

    @Test("A decision knows which link objected, and what those before it changed")
    func path() {
        var bench = Bench(.bench(profile: .quiet))
        #expect(bench.play("soft", .interaction).policy == PolicyPath(profile: .quiet, objection: .profile))
        let half = PolicyChange(.profile, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        #expect(bench.play("soft", .notification).policy == PolicyPath(profile: .quiet, changes: [half]))
        #expect(bench.event("nothing matches this").policy == nil)
    }

    @Test("What the profile puts in its place is what the rate limit refuses")
    func changed() {
        var classes = ClassTable.standard
        classes.interaction.limitPerSecond = 1
        var bench = Bench(.bench(profile: .reduced, classes: classes))
        #expect(bench.play("success", .interaction).pattern == "tick")
        let second = bench.play("success", .interaction)
        #expect((second.reason, second.pattern) == (.rateLimited, "tick"))
    }
}
