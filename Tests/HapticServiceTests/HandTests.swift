// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("What a hand does, and who hears of it") struct HandTests {
    private static func bench() throws -> Bench {
        try Bench { configuration in
            let rule = HoldRule(
                match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "tick")
            configuration.engine = try EngineConfiguration(
                actuators: configuration.engine.actuators, holdRules: [rule], patterns: configuration.engine.patterns)
        }
    }

    @Test("A line that comes when a step of a hold is due has its own answers, and the step is counted and notified")
    func besideLine() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.decisions, .holds), of: client)
        _ = bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)
        bench.stall(.milliseconds(1000))
        _ = bench.outputs()
        let replies = bench.say(
            [Request(.task(TaskParams(id: "t", state: .began))), Request(.hold(HoldParams(id: "pay", state: .down)))], of: client)
        #expect(replies.compactMap { $0?.decision?.reason } == ["noRule", "duplicate"])
        #expect(bench.outputs().map(\.name) == ["decision", "decision", "decision", "hold", "hold"])
        #expect(bench.service.statistics.history.count == 4)
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        #expect(bench.service.statistics[.texture].latency.count == 1)
        // And the next one.
        #expect(bench.ask(.hold(HoldParams(id: "pay", state: .up)), of: client)?.decision?.reason == "released")
    }

    @Test("What a hold costs by itself is not what a line may cost")
    func work() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)
        bench.stall(.milliseconds(1000))
        bench.service.read(
            [Request(.hold(HoldParams(id: "two", state: .down)))], bytes: 100, of: client, readAt: bench.now, at: bench.now)
        var replies: [Reply?] = []
        bench.service.decide(at: bench.now, into: &replies)
        #expect(bench.service.loop.engine.work != WorkBudget())
    }
}
