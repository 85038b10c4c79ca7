// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Decisions")
struct DecisionTests {
    @Test("The counters hold the number of decisions by outcome and reason, and each decision has the next number")
    func counters() {
        var bench = Bench()
        for value in [0.1, 0.101, 0.102, 0.2] { bench.progress("a", value) }
        bench.take(.refusal(.event))
        #expect(bench.engine.count(of: .played, reason: nil) == 2)
        #expect(bench.engine.count(of: .suppressed, reason: .belowStep) == 2)
        #expect(bench.engine.count(of: .failed, reason: .invalidParams) == 1)
        #expect(bench.decisions.map(\.sequence) == [1, 2, 3, 4, 5])
    }

    @Test("An event whose rules want another change names the first of them")
    func otherChange() {
        var bench = Bench()
        bench.event("sync.state", .string("running"))
        #expect(bench.event("sync.state", .string("done")).circumstance == .otherChange(rule: "sync.*"))
        #expect(bench.event("payment.failed").circumstance == nil)
    }

    @Test("Once all sources are forgotten the engine waits for nothing")
    func forgotten() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .milliseconds(59_999))
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .milliseconds(1))
        #expect(bench.engine.sourceCount == 0)
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test("A second has at most 10 notifications and 50 interactions")
    func standardLimits() {
        let classes = ClassTable.standard
        #expect(classes.notification.limitPerSecond == 10)
        #expect(classes.interaction.limitPerSecond == 50)
    }
}
