// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticText
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("Requests over the rate") struct RateTests {
    private static let quota = JSONValue.number(-32000)

    private func rig(requestsPerClient: Int, now: (() -> MonotonicInstant)? = nil) throws -> Rig {
        try Rig(Rig.configuration { $0.clientBounds.requestsPerClient = requestsPerClient }, now: now)
    }

    @Test("In a batch only items over the rate are refused, and garbage and empty lines count as well")
    func garbage() throws {
        let rig = try rig(requestsPerClient: 6)
        let client = try rig.visit()
        client.say("garbage")
        #expect(client.receive()?["error"]?["code"] == .number(-32700))
        client.say("", "\r")
        client.say(batch((1...5).map { request("progress", #"{"id":"a","value":0}"#, id: $0) }))
        #expect(client.receive()?.items.map { $0["error"]?["code"] == Self.quota } == [false, false, false, true, true])
        rig.advance(.milliseconds(20))
        client.say("garbage")
        #expect(client.receive()?["error"]?["code"] == Self.quota)
    }

    @Test(
        "The connections of a user over the rate take less than a quarter of the event loop in all",
        arguments: [1, 10, 256, 1024], [0, 50_000, 2_000_000, 20_000_000] as [Int64])
    func connectionsOfAUser(connections: Int, took: Int64) {
        let rest = ServerLoop.throttleTime(took: Nanoseconds(took), connections: connections)
        #expect(took * Int64(connections) * 4 < took + rest.count || rest == ServerLoop.mostThrottleTime)
        #expect(rest <= .seconds(1), "nobody waits longer, whatever its turn took")
        #expect(rest >= .milliseconds(10), "a single one that sends little is not looked at all the time")
    }

    @Test("A client over its rate that has gone is forgotten immediately, also while it rests", arguments: [0, 30])
    func gone(milliseconds: Int64) throws {
        let clock = SlowClock()
        let rig = try rig(requestsPerClient: 1, now: clock.look)
        let channel = try rig.connect()
        let line = request("play", #"{"pattern":"minute","wait":true}"#)
        try rig.say(Array(repeating: line, count: 100).joined(separator: "\n"), to: channel)
        rig.advance(.milliseconds(milliseconds))
        channel.close(promise: nil)
        rig.advance(.milliseconds(1))
        #expect(rig.server.sessions.isEmpty)
        #expect(rig.server.service.pending.waits.isEmpty)
    }

    @Test("Lines that are read late of a client over its rate are refused, not forgotten")
    func readLate() throws {
        let rig = try rig(requestsPerClient: 1, now: { .zero + .seconds(5) })
        let client = try rig.visit()
        rig.server.say(Array(repeating: request("settings"), count: 300).joined(separator: "\n"), from: client.session)
        client.closeHalf()
        rig.advance(.seconds(10))
        let answers = (0..<300).map { _ in client.receive() }
        #expect(answers.count { $0?["result"] != nil } == 1)
        #expect(answers.count { $0?["error"]?["code"] == Self.quota } == 299)
        #expect(client.isClosed)
    }
}
