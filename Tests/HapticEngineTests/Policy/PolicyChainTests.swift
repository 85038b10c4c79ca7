// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
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

    private enum Cause { case feedbackOff, suspended, foreignAlarm, off, quietHours, late, noWork, noStrength }

    private func reason(
        _ feedbackClass: FeedbackClass, id: String, _ causes: Set<Cause> = [], in bench: inout Bench
    ) -> Reason? {
        func has(_ cause: Cause) -> Bool { causes.contains(cause) }
        bench.engine.arbiter.policy.conditions.suspension.end()
        if has(.suspended) { bench.engine.arbiter.policy.conditions.suspension.begin(at: bench.now) }
        bench.engine.arbiter.work = WorkBudget(has(.noWork) ? 0 : WorkBudget.line)
        // Not by an event, which would end what plays.
        bench.engine.arbiter.policy.personal.restore(
            Settings(
                strength: has(.noStrength) ? Strength(0) : nil, quietHours: has(.quietHours) ? [.always] : nil,
                off: has(.off) ? .forGood : nil), at: bench.now)
        bench.engine.arbiter.policy.personal.setClock(to: LocalTime(.mon, second: 0), at: bench.now)
        let client = ClientIdentity(connection: 1, user: Bench.ada.user, mayAlarm: !has(.foreignAlarm))
        var candidate = Candidate.play(
            "endless", feedbackClass, id: id, isOff: has(.feedbackOff), at: has(.late) ? .zero : bench.now,
            deadline: .milliseconds(100), client: client)
        candidate.namesClass = true
        var decision = Decision(sequence: 0, at: bench.now, input: .play, outcome: .suppressed)
        return bench.engine.arbiter.objection(to: &candidate, &decision, at: bench.now)
    }

    @Test("The first link that objects is the reason, and the links are asked in their order")
    func order() {
        var bench = bench()
        // From one line to the next there is one cause less to object.
        let most: Set<Cause> = [.off, .quietHours, .late, .noWork, .noStrength]
        let reasons = [
            reason(.alarm, id: "a", most.union([.feedbackOff, .suspended, .foreignAlarm]), in: &bench),
            reason(.alarm, id: "a", most.union([.suspended, .foreignAlarm]), in: &bench),
            reason(.alarm, id: "a", most.union([.foreignAlarm]), in: &bench),
            reason(.interaction, id: "a", most, in: &bench),
            reason(.interaction, id: "a", [.quietHours, .late, .noWork, .noStrength], in: &bench),
            reason(.interaction, id: "a", [.late, .noWork, .noStrength], in: &bench),
            reason(.interaction, id: "a", [.noWork, .noStrength], in: &bench),
            reason(.interaction, id: "a", [.noStrength], in: &bench),
            reason(.interaction, id: "b", [.noStrength], in: &bench),
            reason(.texture, id: "b", [.noStrength], in: &bench),
            reason(.texture, id: "b", in: &bench),
        ]
        #expect(
            reasons == [
                .feedbackOff, .suspended, .notAllowed, .off, .quietHours, .stale, .quota, .duplicate, .profile, .strength,
                .rateLimited,
            ])
        #expect(reasons.count == PolicyLink.chain.count, "a link that is new belongs here, too")
        let unopposed = reason(.alarm, id: "b", in: &bench)
        #expect(unopposed == nil)
    }

    @Test("A link that is left out does not object")
    func leftOut() {
        let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, feedbackClass: .alarm)
        for (links, reason) in [(PolicyLink.chain, Reason.off), (PolicyLink.chain.filter { $0 != .off }, nil)] {
            var loop = FeedbackLoop(.bench(), links: links)
            loop.take(.settings(Settings(off: .forGood)), at: .zero)
            while loop.proceed(at: .zero) {}
            loop.take(.batch([.input(Input(client: Bench.ada, at: .zero, kind: .play(play)))]), at: .zero)
            let outcome: Outcome = reason == nil ? .played : .suppressed
            #expect(loop.engine.count(of: outcome, reason: reason) == 1)
        }
    }

    @Test("A decision has the link that objected, and the changes of the links before it")
    func path() {
        var bench = Bench(.bench(profile: .quiet))
        #expect(bench.play("soft", .interaction).policy == PolicyPath(profile: .quiet, objection: .profile))
        let half = PolicyChange(.profile, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        #expect(bench.play("soft", .notification).policy == PolicyPath(profile: .quiet, changes: [half]))
        #expect(bench.event("nothing matches this").policy == nil)
    }
}
