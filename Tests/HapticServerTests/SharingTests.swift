// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticService
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

@Suite("The daemon's time is shared by user") struct SharingTests {
    /// Each look at it takes a millisecond, so a turn is one line.
    private final class SlowClock {
        private var now = MonotonicInstant.zero + .seconds(5)
        private(set) var looks = 0
        func look() -> MonotonicInstant {
            looks += 1
            now = now + .milliseconds(1)
            return now
        }
    }

    private static func line(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"progress","params":{"value":0.5}}"# }

    @Test("Of 240 connections of one user with lines waiting, one line at most is taken before another user's")
    func connectionsOfOneUser() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let flooding = try (0..<240).map { _ in try bench.connect() }
        let other = try bench.connect(user: 1002)
        for channel in flooding { try bench.say(Array(repeating: Self.line(1), count: 100).joined(separator: "\n"), to: channel) }
        for round in 1...20 {
            let before = bench.decisions.count
            try bench.say(Self.line(2), to: other)
            var passes = 0
            var answer = ""
            while answer.isEmpty, passes < 10 {
                bench.loop.advanceTime(by: .microseconds(50))
                passes += 1
                answer = try bench.heard(other)
            }
            #expect(answer.contains(#""id":2"#), "round \(round)")
            #expect(bench.decisions.count - before <= 2, "its own and one other")
            #expect(passes <= 2)
        }
    }

    @Test("While pending input is read, lines are taken with each read only, so that the event loop polls the sockets in between")
    func pendingInput() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let channels = try (0..<4).map { _ in try bench.connect() }
        for channel in channels { try bench.say(Array(repeating: Self.line(1), count: 100).joined(separator: "\n"), to: channel) }
        bench.server.readPendingInput()
        let before = bench.decisions.count
        for _ in 0..<10 { bench.loop.advanceTime(by: .microseconds(50)) }
        #expect(bench.decisions.count == before)
        bench.loop.advanceTime(by: .microseconds(500))
        #expect(bench.decisions.count > before)
    }

    @Test("Of 32 clients that send without pause while their holds would end, few lines are taken before another user's")
    func holders() throws {
        let clock = SlowClock()
        let bench = try Bench(StallTests.configuration(), now: clock.look)
        let holders = try (0..<32).map { _ in try bench.connect() }
        for (number, channel) in holders.enumerated() {
            try bench.say(#"{"jsonrpc":"2.0","method":"hold","params":{"id":"h\#(number)","state":"down"}}"#, to: channel)
            bench.loop.advanceTime(by: .microseconds(50))
        }
        let other = try bench.connect(user: 1002)
        for channel in holders { try bench.say(Array(repeating: Self.line(1), count: 100).joined(separator: "\n"), to: channel) }
        // The clock goes on by itself: all holds would end now.
        for _ in 0..<200 { _ = clock.look() }
        bench.loop.advanceTime(by: .milliseconds(1))
        #expect(bench.server.turns.isReading)
        let before = bench.decisions.count
        try bench.say(Self.line(2), to: other)
        var reads = 0
        while try !bench.heard(other).contains(#""id":2"#), reads < 20 {
            bench.loop.advanceTime(by: .milliseconds(1))
            reads += 1
        }
        #expect(reads <= 2)
        #expect(bench.decisions.count - before <= 6)
    }

    @Test("Connections of one user take turns, and all are answered")
    func connectionsOfOneUserTake() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let channels = try (0..<20).map { _ in try bench.connect() }
        for channel in channels { try bench.say(Array(repeating: Self.line(1), count: 10).joined(separator: "\n"), to: channel) }
        var answers = [Int](repeating: 0, count: channels.count)
        var passes = 0
        while answers.reduce(0, +) < 200, passes < 1000 {
            bench.loop.advanceTime(by: .microseconds(50))
            passes += 1
            for (index, channel) in channels.enumerated() {
                answers[index] += try bench.heard(channel).split(separator: "\n").count
            }
            // The first one had its first turn before the others were there.
            #expect(answers.max()! - answers.min()! <= 2)
        }
        #expect(answers.allSatisfy { $0 == 10 })
    }

    @Test("Sockets and timers have their turn after each slice")
    func socketsAndTimers() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let flooding = try bench.connect()
        try bench.say(Array(repeating: Self.line(1), count: 100).joined(separator: "\n"), to: flooding)
        var looks = 0
        for _ in 0..<10 {
            bench.loop.scheduleTask(in: .microseconds(50)) { looks += 1 }
            let before = bench.decisions.count
            bench.loop.advanceTime(by: .microseconds(50))
            #expect(bench.decisions.count - before == 1)
        }
        #expect(looks == 10)
    }

    @Test("However many sockets are readable at once, the event loop goes on after one slice")
    func howeverManySockets() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let channels = try (0..<240).map { _ in try bench.connect() }
        for channel in channels { try bench.say(Self.line(1), to: channel) }
        #expect(bench.decisions.count <= 2, "the others wait for their turns")
        for _ in 0..<480 where bench.decisions.count < 240 { bench.loop.advanceTime(by: .microseconds(50)) }
        #expect(bench.decisions.count == 240)
    }

    @Test("Empty lines take turns, as others do")
    func emptyLinesTake() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let flooding = try bench.connect()
        let other = try bench.connect(user: 1002)
        let before = clock.looks
        try bench.say(String(repeating: "\n", count: 1000), to: flooding)
        #expect(clock.looks - before < 20, "a turn is a line")
        try bench.say(Self.line(2), to: other)
        for _ in 0..<2 { bench.loop.advanceTime(by: .microseconds(50)) }
        #expect(try bench.heard(other).contains(#""id":2"#))
        for _ in 0..<1010 { bench.loop.advanceTime(by: .microseconds(50)) }
        #expect(clock.looks - before > 1000, "each has been looked at")
    }

    @Test("Empty lines count against the rate")
    func emptyLinesCount() throws {
        var configuration = try TestDaemon.configuration()
        configuration.clientBounds.requestsPerClient = 20
        let bench = try Bench(configuration)
        let channel = try bench.connect()
        try bench.say(String(repeating: "\r\n", count: 20) + Self.line(1), to: channel)
        #expect(try bench.heard(channel).contains("requestsPerClient"))
    }

    @Test("A client that has gone is not answered, and what it said is done")
    func goneIsNotAnswered() throws {
        let clock = SlowClock()
        let bench = try Bench(now: clock.look)
        let channel = try bench.connect()
        let status = #"{"jsonrpc":"2.0","id":3,"method":"status"}"#
        try bench.say([Self.line(1), status, Self.line(2), status].joined(separator: "\n"), to: channel)
        #expect(bench.decisions.count == 1, "the first line, and then it is gone")
        _ = channel.close()
        for _ in 0..<20 { bench.loop.advanceTime(by: .microseconds(50)) }
        #expect(bench.decisions.count == 2)
        #expect(bench.server.sessions.isEmpty)
        #expect(bench.server.writer.status.value == nil, "made for nobody")
    }
}
