// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticService
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

@Suite("The sharing of the daemon's time") struct SharingTests {
    private let clock = SlowClock()

    private func rig() throws -> Rig { try Rig(now: clock.look) }
    private static func lines(_ count: Int) -> String { Array(repeating: line(1), count: count).joined(separator: "\n") }
    private static func line(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"progress","params":{"value":0.5}}"# }

    @Test("At most one line of 60 waiting connections of one user is taken before another user's")
    func connectionsOfOneUser() throws {
        let rig = try rig()
        let flooding = try (0..<60).map { _ in try rig.connect() }
        let other = try rig.connect(user: 1002)
        for channel in flooding { try rig.say(Self.lines(30), to: channel) }
        for round in 1...8 {
            let before = rig.decisions.count
            try rig.say(Self.line(2), to: other)
            var passes = 0
            var answer = ""
            while answer.isEmpty, passes < 10 {
                rig.turn()
                passes += 1
                answer = try rig.received(other)
            }
            #expect(answer.contains(#""id":2"#), "round \(round)")
            #expect(rig.decisions.count - before <= 2, "its own and one other")
            #expect(passes <= 2)
        }
    }

    @Test("While pending input is read, lines are taken with each read only, so that the event loop polls the sockets in between")
    func pendingInput() throws {
        let rig = try rig()
        let channels = try (0..<4).map { _ in try rig.connect() }
        for channel in channels { try rig.say(Self.lines(30), to: channel) }
        rig.server.loop.readPendingInput(of: rig.server)
        let before = rig.decisions.count
        for _ in 0..<10 { rig.turn() }
        #expect(rig.decisions.count == before)
        rig.advance(.microseconds(500))
        #expect(rig.decisions.count > before)
    }

    @Test("Few lines of 32 clients that send without pause while their holds would end are taken before another user's")
    func holders() throws {
        let rig = try Rig(StallTests.configuration(), now: clock.look)
        let holders = try (0..<32).map { _ in try rig.connect() }
        for (number, channel) in holders.enumerated() {
            try rig.say(#"{"jsonrpc":"2.0","method":"hold","params":{"id":"h\#(number)","state":"down"}}"#, to: channel)
            rig.turn()
        }
        let other = try rig.connect(user: 1002)
        for channel in holders { try rig.say(Self.lines(30), to: channel) }
        // The clock goes on by itself: all holds would end now.
        for _ in 0..<200 { _ = clock.look() }
        rig.advance(.milliseconds(1))
        #expect(rig.server.loop.isReading)
        let before = rig.decisions.count
        try rig.say(Self.line(2), to: other)
        var reads = 0
        while try !rig.received(other).contains(#""id":2"#), reads < 20 {
            rig.advance(.milliseconds(1))
            reads += 1
        }
        #expect(reads <= 2)
        #expect(rig.decisions.count - before <= 6)
    }

    @Test("Connections of one user take turns, and all are answered")
    func connectionsOfOneUserTake() throws {
        let rig = try rig()
        let channels = try (0..<20).map { _ in try rig.connect() }
        for channel in channels { try rig.say(Self.lines(10), to: channel) }
        var answers = [Int](repeating: 0, count: channels.count)
        var passes = 0
        while answers.reduce(0, +) < 200, passes < 1000 {
            rig.turn()
            passes += 1
            for (index, channel) in channels.enumerated() {
                answers[index] += try rig.received(channel).split(separator: "\n").count
            }
            // The first one had its first turn before the others were there.
            #expect(answers.max()! - answers.min()! <= 2)
        }
        #expect(answers.allSatisfy { $0 == 10 })
    }

    @Test("Sockets and timers have their turn after each slice")
    func socketsAndTimers() throws {
        let rig = try rig()
        let flooding = try rig.connect()
        try rig.say(Self.lines(30), to: flooding)
        var looks = 0
        for _ in 0..<10 {
            rig.loop.scheduleTask(in: .microseconds(50)) { looks += 1 }
            let before = rig.decisions.count
            rig.turn()
            #expect(rig.decisions.count - before == 1)
        }
        #expect(looks == 10)
    }

    @Test("However many sockets are readable at once, the event loop goes on after one slice")
    func howeverManySockets() throws {
        let rig = try rig()
        let channels = try (0..<60).map { _ in try rig.connect() }
        for channel in channels { try rig.say(Self.line(1), to: channel) }
        #expect(rig.decisions.count <= 2, "the others wait for their turns")
        for _ in 0..<120 where rig.decisions.count < 60 { rig.turn() }
        #expect(rig.decisions.count == 60)
    }

    @Test("Empty lines take turns, as others do")
    func emptyLinesTake() throws {
        let rig = try rig()
        let flooding = try rig.connect()
        let other = try rig.connect(user: 1002)
        let before = clock.looks
        try rig.say(String(repeating: "\n", count: 200), to: flooding)
        #expect(clock.looks - before < 20, "a turn is a line")
        try rig.say(Self.line(2), to: other)
        for _ in 0..<2 { rig.turn() }
        #expect(try rig.received(other).contains(#""id":2"#))
        for _ in 0..<210 { rig.turn() }
        #expect(clock.looks - before > 200, "each has been looked at")
    }

    @Test("A client that has gone is not answered, and its requests are carried out")
    func goneIsNotAnswered() throws {
        let rig = try rig()
        let channel = try rig.connect()
        let status = #"{"jsonrpc":"2.0","id":3,"method":"status"}"#
        try rig.say([Self.line(1), status, Self.line(2), status].joined(separator: "\n"), to: channel)
        #expect(rig.decisions.count == 1, "the first line, and then it is gone")
        _ = channel.close()
        for _ in 0..<20 { rig.turn() }
        #expect(rig.decisions.count == 2)
        #expect(rig.server.sessions.isEmpty)
    }
}
