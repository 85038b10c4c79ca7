// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The class `alarm`, kept to some")
struct AccessLinkTests {
    private static let child = ClientIdentity(connection: 7, user: 7, mayAlarm: false)

    @Test(
        "Only naming `alarm` oneself is refused, and only to those who may not",
        arguments: [
            (FeedbackClass.alarm, true, false, true), (.alarm, true, true, false), (.alarm, false, false, false),
            (.notification, true, false, false),
        ])
    func table(feedbackClass: FeedbackClass, isNamed: Bool, mayAlarm: Bool, isRefused: Bool) {
        var candidate = Candidate.play("soft", feedbackClass, client: mayAlarm ? Bench.ada : Self.child)
        candidate.namesClass = isNamed
        #expect(AccessLink.objection(to: candidate) == (isRefused ? .notAllowed : nil))
    }

    @Test("An event whose class is its own is refused, the same event with its rule's class is not")
    func events() {
        var configuration = EngineConfiguration.bench()
        configuration.eventRules[0].feedback.feedbackClass = .alarm
        var bench = Bench(configuration)
        func event(_ feedbackClass: FeedbackClass?, _ name: String) -> BatchItem {
            .input(
                Input(
                    client: Self.child, at: .zero, kind: .event(EventInput(name: name, feedbackClass: feedbackClass))))
        }
        let named = bench.send(event(.alarm, "payment.succeeded"))
        #expect((named.outcome, named.reason, named.policy?.objection) == (.suppressed, .notAllowed, .access))
        #expect(bench.send(event(nil, "payment.succeeded")).outcome == .played)
        #expect(bench.send(event(.interaction, "payment.succeeded")).reason == .lowerPriority)
    }
}
