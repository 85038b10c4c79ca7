// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import HapticService

@Suite("Results that are written once")
struct WrittenResultTests {
    private func written(_ reply: Reply?) -> WrittenResult? { if case .written(let result)? = reply { result } else { nil } }

    @Test("256 `actuators` and `patterns` of a line are answered with one text each, and so is the next line")
    func lists() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for call in [Call.actuators, .patterns(PatternsParams()), .discover] {
            let replies = bench.say((0..<256).map { _ in Request(call) }, of: client) + [bench.ask(call, of: client)]
            let first = try #require(written(replies[0]))
            #expect(replies.allSatisfy { written($0) === first })
            #expect(first.text == WireWriter.result(first.result))
        }
    }

    @Test("The `status` of a line are one, unless a subscription stands between them")
    func status() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let calls = [Call.status, .status, .subscribe(.decisions), .status]
        let replies = bench.say(calls.map { Request($0) }, of: client)
        let first = try #require(written(replies[0]))
        #expect(written(replies[1]) === first)
        #expect(replies[3]?.status?.subscribers == 1)
        #expect(first.result as? StatusResult != replies[3]?.status)
    }
}
