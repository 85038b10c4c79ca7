// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("What becomes of progress and events")
struct DecisionTests {
    @Test("A step is played, and what is below it is not")
    func step() {
        var bench = Bench()
        let first = bench.progress("upload", 0.004)
        let second = bench.progress("upload", 0.012)
        #expect((first.outcome, first.reason) == (.suppressed, .belowStep))
        #expect((second.outcome, second.pattern, second.rule, second.actuators) == (.played, "soft", "*", ["main"]))
        #expect(second.intensity == Intensity(0.5))
        #expect((first.sequence, second.sequence) == (1, 2))
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end) == [.ms(8)])
        #expect(bench.ends == [PlaybackEnd(playback: second.playback!, ending: .completed, reason: nil, at: .ms(8))])
    }

    @Test("Reaching 1 is one decision, felt as the completion's pattern, with its class")
    func completion() {
        var bench = Bench(.bench(complete: "success"))
        let complete = bench.progress("a", 1)
        #expect((complete.outcome, complete.pattern, complete.feedbackClass) == (.played, "success", .notification))
        #expect(bench.progress("a", 1).reason == .belowStep)
    }

    @Test("Reaching 1 is felt even where the class has used up its limit")
    func completionIsNotLimited() {
        var classes = ClassTable.standard
        classes.texture.limitPerSecond = 1
        var bench = Bench(.bench(classes: classes))
        bench.progress("a", 0.5)
        #expect(bench.progress("a", 0.6).reason == .rateLimited)
        #expect(bench.progress("a", 1).outcome == .played)
    }

    @Test("Release goes back to 0 without a pulse, and the way up is felt again")
    func release() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .milliseconds(20))
        let release = bench.send(.release("a", at: bench.now))
        #expect((release.outcome, release.reason) == (.suppressed, .released))
        #expect(bench.progress("a", 0.02).outcome == .played)
    }

    @Test("Sources of different users and connections are different, an id of one user is the same on every connection")
    func identity() {
        var bench = Bench()
        let (other, otherUser) = (ClientIdentity(connection: 2, user: 1000), ClientIdentity(connection: 3, user: 1001))
        bench.progress("a", 0.5)
        #expect(bench.progress("a", 0.5, client: other).reason == .belowStep)
        #expect(bench.progress("a", 0.5, client: otherUser).outcome == .played)
        bench.progress(nil, 0.5)
        #expect(bench.progress(nil, 0.5, client: other).outcome == .played)
        #expect(bench.engine.sourceCount == 4)
        bench.take(.connectionClosed(1))
        #expect(bench.engine.sourceCount == 3)
    }

    @Test("A source is forgotten 60 s after its last input")
    func timeout() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .seconds(59))
        #expect(bench.progress("a", 0.5).reason == .belowStep)
        bench.run(for: .milliseconds(59_999))
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .milliseconds(1))
        #expect(bench.engine.sourceCount == 0)
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test("Past a bound on sources the newest is refused, the others go on")
    func sourceQuota() {
        let bounds = EngineBounds(sources: 3, sourcesPerUser: 2, playbacks: 10, sourceTimeout: .seconds(60))
        var bench = Bench(.bench(bounds: bounds))
        let (second, third) = (ClientIdentity(connection: 2, user: 2), ClientIdentity(connection: 3, user: 3))
        bench.progress("a", 0.1)
        bench.progress("b", 0.1)
        #expect(bench.progress("c", 0.1).reason == .quota)
        #expect(bench.progress("a", 0.5).outcome == .played)
        #expect(bench.progress("a", 0.1, client: second).outcome == .played)
        #expect(bench.progress("a", 0.1, client: third).reason == .quota)
        bench.run(for: .seconds(61))
        #expect(bench.progress("c", 0.1).outcome == .played)
    }

    @Test("An event follows a change of its value, never the count of reports")
    func changes() {
        var bench = Bench()
        #expect(bench.event("sync.state", .string("running")).pattern == "light")
        #expect(bench.event("sync.state", .string("running")).reason == .unchanged)
        let near = bench.event("sync.state", .string("done"))
        #expect(near.reason == .noRule && near.circumstance == .otherChange(rule: "sync.*"))
        #expect(bench.event("sync.state", .string("failed")).pattern == "long")
        #expect(bench.event("sync.state", .string("failed")).reason == .unchanged)
        #expect(bench.event("sync.state", .string("failed"), id: "other").pattern == "long")
    }

    @Test("An event without a value always fires, one without a rule never")
    func withoutValue() {
        var bench = Bench()
        for _ in 1...3 {
            #expect(bench.event("payment.succeeded").outcome == .played)
            bench.run(for: .milliseconds(200))
        }
        let unknown = bench.event("payment.failed")
        #expect((unknown.outcome, unknown.reason, unknown.name) == (.suppressed, .noRule, "payment.failed"))
        #expect(unknown.circumstance == nil, "no rule has its name")
    }

    @Test("An event without a value leaves the value that is kept as it is")
    func valueIsKept() {
        var bench = Bench()
        #expect(bench.event("sync.state", .string("failed")).pattern == "long")
        bench.event("sync.state")
        #expect(bench.event("sync.state", .string("failed")).reason == .unchanged)
    }

    @Test("What is older than its deadline is dropped as stale, and a step it crossed counts as crossed")
    func stale() {
        var bench = Bench()
        bench.run(for: .seconds(2))
        let old = bench.now - .milliseconds(101)
        #expect(bench.send(.progress("a", 0.5, at: old)).reason == .stale)
        #expect(bench.progress("a", 0.5).reason == .belowStep)
        #expect(bench.send(.progress("b", 0.5, at: bench.now - .milliseconds(100))).outcome == .played)
        #expect(bench.send(.progress("c", 0.5, at: bench.now + .seconds(9))).outcome == .played, "the future counts as now")
        #expect(bench.send(.event("payment.succeeded", at: bench.now - .milliseconds(1001))).reason == .stale)
    }

    @Test("A decision says until when it is to be felt: by the input's own deadline, else the class's, from when it happened")
    func deadline() {
        var bench = Bench()
        bench.run(for: .seconds(2))
        let before = bench.now - .milliseconds(30)
        #expect(bench.send(.progress("a", 0.5, at: before)).deadline == before + .milliseconds(100))
        #expect(bench.send(.progress("b", 0.5, at: bench.now + .seconds(9))).deadline == bench.now + .milliseconds(100))
        #expect(bench.play("light", .alarm).deadline == nil)
        var input = Input(client: Bench.ada, at: before, kind: .progress(ProgressInput(value: Progress(0.5)!)))
        input.deadline = .seconds(5)
        #expect(bench.send(.input(input)).deadline == before + .seconds(5))
    }

    @Test("Feedback off changes the state and is not felt, a pattern replaces the rule's")
    func feedbackOverride() {
        var bench = Bench()
        #expect(bench.send(.progress("a", 0.5, at: bench.now, feedback: .off)).reason == .feedbackOff)
        #expect(bench.progress("a", 0.5).reason == .belowStep)
        let replaced = bench.send(.progress("a", 0.6, at: bench.now, feedback: .pattern(PlayablePattern.bench["light"]!)))
        #expect(replaced.pattern == "light")
    }

    @Test("Each class has a limit of its own in any second", arguments: [(FeedbackClass.notification, 10), (.interaction, 50)])
    func rateLimit(feedbackClass: FeedbackClass, limit: Int) {
        var bench = Bench()
        for _ in 1...limit { #expect(bench.play("soft", feedbackClass).outcome == .played) }
        #expect(bench.play("soft", feedbackClass).reason == .rateLimited)
        #expect(bench.play("soft", .alarm).outcome == .played)
        bench.run(for: .milliseconds(999))
        #expect(bench.play("soft", feedbackClass).reason == .rateLimited)
        bench.run(for: .milliseconds(1))
        #expect(bench.play("soft", feedbackClass).outcome == .played)
    }

    /// The table of the contract, "Classes and profiles": the pattern and the intensity of a `success` at 1, or nothing.
    @Test(
        "A profile makes of each class what the contract says",
        arguments: [
            (Profile.full, FeedbackClass.alarm, "success", 1.0), (.reduced, .alarm, "success", 1),
            (.quiet, .alarm, "success", 0.5),
            (.silent, .alarm, nil, 0), (.reduced, .notification, "light", 0.6), (.quiet, .notification, "success", 0.5),
            (.silent, .notification, nil, 0), (.reduced, .interaction, "tick", 0.4), (.quiet, .interaction, nil, 0),
            (.silent, .interaction, nil, 0), (.full, .texture, "success", 1), (.reduced, .texture, nil, 0),
            (.quiet, .texture, nil, 0), (.silent, .texture, nil, 0),
        ] as [(Profile, FeedbackClass, String?, Double)])
    func profiles(profile: Profile, feedbackClass: FeedbackClass, pattern: String?, intensity: Double) {
        var bench = Bench(.bench(profile: profile))
        let decision = bench.play("success", feedbackClass, steps: 3)
        if let pattern {
            #expect((decision.outcome, decision.pattern) == (.played, pattern))
            #expect(decision.intensity == Intensity(intensity))
        } else {
            #expect((decision.outcome, decision.reason) == (.suppressed, .profile))
        }
    }

    @Test("The counters say how many decisions ended how")
    func counters() {
        var bench = Bench()
        for value in [0.1, 0.101, 0.102, 0.2] { bench.progress("a", value) }
        bench.take(.refusal(.event))
        #expect(bench.engine.count(of: .played, reason: nil) == 2)
        #expect(bench.engine.count(of: .suppressed, reason: .belowStep) == 2)
        #expect(bench.engine.count(of: .failed, reason: .invalidParams) == 1)
        #expect(bench.decisions.last?.outcome == .failed)
    }
}
