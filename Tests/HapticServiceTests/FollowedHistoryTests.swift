// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("The history of values that are followed") struct FollowedHistoryTests {
    private func progress(_ value: Double, id: String = "copy") -> Call {
        .progress(ProgressParams(id: id, value: Progress(clamping: value)))
    }

    private static func following() throws -> Bench {
        try Bench { configuration in
            let engine = configuration.engine
            let rule = ProgressRule(
                match: Glob("*"), gate: GateConfiguration(step: 0.01), follow: FollowShape(detents: FollowShape.even(1)),
                feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
            configuration.engine = try EngineConfiguration(
                actuators: engine.actuators, progressRules: [rule], patterns: engine.patterns)
        }
    }

    @Test("Of a value that is followed the beginning is kept, and each detent with how all of it ended; the others are counted")
    func followed() throws {
        let bench = try Self.following()
        let client = try bench.connect()
        for value in [0.3, 0.4, 0.6, 0.7, 0.4] {
            _ = bench.ask(progress(value), of: client)
            bench.pass(.milliseconds(50))
        }
        bench.pass(.seconds(1))
        let result = try bench.history(of: client)
        #expect(result.entries.map(\.decision.seq) == [5, 3, 1])
        #expect(result.entries.map(\.decision.pattern) == ["soft", "soft", nil])
        #expect(result.entries.allSatisfy { $0.ending?.ended == "completed" })
        #expect((result.counted, result.newest) == (.init(followed: 2), 5))
        let decisions = try #require(bench.ask(.status, of: client)?.status?.decisions)
        #expect((decisions.map(\.outcome), decisions.map(\.count)) == (["played"], [5]))
    }
}
