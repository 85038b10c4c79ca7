// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("How much a client may ask for", .serialized) struct RateTests {
    @Test("Past its rate a client learns which bound it is, how much, and when to try again")
    func pastItsRate() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds.requestsPerClient = 10 }, now: { clock.now() })
        let client = try daemon.connect()
        for _ in 0..<10 { #expect(try client.ask("profile")?["result"] != nil) }
        let error = try client.ask("progress", #"{"value":0.5}"#, id: 7)
        #expect(error?["id"] == .number(7) && error?["error"]?["code"] == quota)
        #expect(error?["error"]?["data"] == ["limit": "requestsPerClient", "most": .number(10), "retryAfterMs": .number(100)])
        // Another one of the same user has a rate of its own.
        #expect(try daemon.connect().ask("profile")?["result"] != nil)
        clock.advance(.milliseconds(100))
        #expect(try client.ask("profile")?["result"] != nil)
        #expect(try client.ask("profile")?["error"]?["code"] == quota)
    }

    @Test("The clients of one user share the user's rate, and hanging up does not win it back")
    func clientsOfOneUser() throws {
        let daemon = try TestDaemon(
            TestDaemon.configured { $0.clientBounds.requestsPerUser = 4 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { server in
            let first = try Visitor(server, user: 1001)
            for _ in 0..<2 { _ = first.ask("profile") }
            first.close()
            let second = try Visitor(server, user: 1001)
            for _ in 0..<2 { #expect(second.ask("profile")?["result"] != nil) }
            #expect(second.ask("profile")?["error"]?["data"]?["limit"] == "requestsPerUser")
            #expect(try Visitor(server, user: 1001).ask("profile")?["error"] != nil)
            #expect(try Visitor(server, user: 1002).ask("profile")?["result"] != nil)
        }
    }

    @Test("What one bound refuses is not taken from the other")
    func boundRefusesIsNotTaken() throws {
        let daemon = try TestDaemon(
            TestDaemon.configured { ($0.clientBounds.requestsPerClient, $0.clientBounds.requestsPerUser) = (1, 3) },
            now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { server in
            let greedy = try Visitor(server, user: 1001)
            for _ in 0..<10 { _ = greedy.ask("profile") }
            let others = try (0..<3).map { _ in try Visitor(server, user: 1001).ask("profile")?["result"] != nil }
            #expect(others == [true, true, false])
        }
    }

    @Test("A notification over the rate becomes a decision, is counted, and is logged once")
    func notificationOverTheRate() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds.requestsPerClient = 3 }, now: { clock.now() })
        let lines = Lines()
        try daemon.onLoop { server in server.onRefusal = { lines.add($0.text(user: "user 7")) } }
        let watcher = try daemon.connect()
        _ = try watcher.ask("subscribe", #"{"topics":["decisions"]}"#)
        let client = try daemon.connect()
        let event = #"{"jsonrpc":"2.0","method":"event","params":{"name":"a.b","id":"till","app":"kiosk"}}"# + "\n"
        client.write(String(repeating: event, count: 1003))
        let decisions = try (0..<1003).map { _ in try watcher.readLine()?["params"] }
        #expect(decisions[..<3].allSatisfy { $0?["reason"] == "noRule" })
        let refused = decisions[3...]
        #expect(refused.allSatisfy { $0?["outcome"] == "failed" && $0?["reason"] == "quota" && $0?["input"] == "event" })
        #expect(refused.last??["source"] == "till" && refused.last??["name"] == "a.b")
        #expect(decisions.allSatisfy { $0?["app"] == "kiosk" })
        let status = try watcher.ask("status")?["result"]
        #expect(status?["refused"] == [["by": "requestsPerClient", "count": .number(1000)]])
        #expect(status?["invalidNotifications"] == .number(0))
        #expect(lines.all.count == 1 && lines.all[0].contains("`bounds: requestsPerClient`"), "\(lines.all)")
    }

    @Test("In a batch only what is over the rate is refused, and garbage counts as well")
    func batchOnlyWhatIsOverTheRate() throws {
        let daemon = try TestDaemon(
            TestDaemon.configured { $0.clientBounds.requestsPerClient = 4 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) }
        )
        let client = try daemon.connect()
        client.write("garbage\n")
        #expect(try client.readLine()?["error"]?["code"] == .number(-32700))
        let items = (1...5).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"progress","params":{"id":"a","value":0}}"# }
        client.write("[\(items.joined(separator: ","))]\n")
        guard case .array(let answers) = try client.readLine() else { return #expect(Bool(false)) }
        #expect(answers.map { $0["error"]?["code"] == quota } == [false, false, false, true, true])
        client.write("garbage\n")
        #expect(try client.readLine()?["error"]?["code"] == quota)
    }

    @Test(
        "The connections of a user over the rate take less than a quarter of the event loop in all",
        arguments: [1, 10, 256, 1024], [0, 50_000, 2_000_000, 20_000_000] as [Int64])
    func connectionsOfAUser(
        connections: Int, took: Int64
    ) {
        let rest = FeedbackServer.restOverRate(took: Nanoseconds(took), connections: connections)
        #expect(took * Int64(connections) * 4 < took + rest.count || rest == FeedbackServer.mostRestOverRate)
        #expect(rest <= .seconds(1), "and nobody is kept waiting longer, whatever its turn took")
        #expect(rest >= .milliseconds(10), "and a single one that sends little is not looked at all the time")
    }

    @Test("A client over its rate that has gone is forgotten at once, also while it rests", arguments: [0, 30])
    func clientOverItsRate(milliseconds: Int64) throws {
        let configuration = try TestDaemon.configured { $0.clientBounds.requestsPerClient = 1 }
        // So that a turn is one line.
        var asked: Int64 = 0
        let bench = try Bench(
            configuration,
            now: {
                asked += 1
                return .zero + .seconds(5) + .milliseconds(asked)
            })
        let channel = try bench.connect()
        let line = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"#
        try bench.say(Array(repeating: line, count: 1000).joined(separator: "\n"), to: channel)
        bench.loop.advanceTime(by: .milliseconds(milliseconds))
        channel.close(promise: nil)
        bench.loop.advanceTime(by: .milliseconds(1))
        #expect(bench.server.sessions.isEmpty && bench.server.service.pending.waits.isEmpty)
    }

    @Test("What is read late of a client over its rate is refused, not forgotten")
    func readLateOfOneOverItsRate() throws {
        let daemon = try TestDaemon(
            TestDaemon.configured { $0.clientBounds.requestsPerClient = 1 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) }
        )
        let client = try daemon.connect()
        let line = #"{"jsonrpc":"2.0","id":1,"method":"profile"}"# + "\n"
        client.write(String(repeating: line, count: 3000))
        let answers = try (0..<3000).map { _ in try client.readLine() }
        #expect(answers.count { $0?["result"] != nil } == 1 && answers.count { $0?["error"]?["code"] == quota } == 2999)
        client.closeHalf()
        #expect(try client.readLine() == nil)
    }

    @Test("Changed bounds count for who is connected already")
    func changedBoundsCount() throws {
        var bounds = EngineBounds.standard
        bounds.sourcesPerClient = 1
        let strict = try TestDaemon.configured(bounds: bounds) {
            $0.clientBounds = ClientBounds(clients: 1024, clientsPerUser: 1, requestsPerClient: 1)
            $0.access[.profile] = AccessList(users: [Account(name: "ada", id: 1001)])
        }
        let daemon = try TestDaemon(reloaded: .success(strict), now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { server in
            let ada = try Visitor(server, user: 1001)
            let bob = try Visitor(server, user: 1002)
            let second = try Visitor(server, user: 1002)
            for _ in 0..<10 { #expect(bob.ask("profile")?["result"] != nil) }
            #expect(ada.ask("reload")?["result"]?["changed"] == ["bounds", "access"])
            #expect(bob.ask("profile", #"{"set":"quiet"}"#)?["error"]?["code"] == notAllowed)
            #expect(bob.ask("profile")?["error"]?["data"]?["limit"] == "requestsPerClient")
            #expect(second.ask("profile")?["result"] != nil)
            #expect(throws: WireError.self) { try Visitor(server, user: 1002) }
        }
    }

    @Test("What the engine's bounds refuse is counted and reported, too")
    func enginesBoundsRefuse() throws {
        var bounds = EngineBounds.standard
        bounds.sourcesPerClient = 1
        let daemon = try TestDaemon(TestDaemon.configuration(bounds: bounds))
        let lines = Lines()
        try daemon.onLoop { server in
            server.onRefusal = { lines.add($0.text(user: "user \($0.user ?? 0)")) }
            let visitor = try Visitor(server, user: 1001)
            for id in ["a", "b", "c"] { _ = visitor.ask("progress", #"{"id":"\#(id)","value":0.5}"#) }
            #expect(visitor.ask("status")?["result"]?["refused"] == [["by": "sourcesPerClient", "count": .number(2)]])
        }
        #expect(lines.all.count == 1 && lines.all[0].contains("user 1001"), "\(lines.all)")
    }
}
