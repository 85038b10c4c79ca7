// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticWire
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("The status") struct StatusTests {
    private func rows(_ status: JSONValue?, _ member: String) throws -> [JSONValue] {
        guard case .array(let rows) = try #require(status?["result"]?[member]) else { return [] }
        return rows
    }

    @Test("The status says which inputs were not felt in time, and of which actuator something was left out")
    func missedDeadlines() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let stale = try client.ask("play", #"{"pattern":"soft","class":"notification","atNs":1}"#)
        #expect(stale?["result"]?["decision"]?["reason"] == "stale")
        _ = try client.ask("play", #"{"pattern":"soft","class":"alarm","deadlineMs":60000}"#)
        try daemon.onLoop { server in
            server.applied(daemon.sink.actuations.map { AppliedActuation($0, at: $0.planned + .seconds(61)) })
        }
        _ = try client.ask("cancel", #"{"all":true,"mode":"immediate"}"#)
        _ = try client.ask("play", #"{"pattern":"minute"}"#)
        try daemon.onLoop { server in
            for actuation in daemon.sink.actuations.filter(\.level.isOn).suffix(1) { server.missedActuation(actuation) }
        }
        let status = try client.ask("status")
        #expect(
            try rows(status, "missedDeadlines") == [
                ["class": "alarm", "stale": .number(0), "late": .number(1), "leftOut": .number(0)],
                ["class": "notification", "stale": .number(1), "late": .number(0), "leftOut": .number(0)],
                ["class": "interaction", "stale": .number(0), "late": .number(0), "leftOut": .number(1)],
                ["class": "texture", "stale": .number(0), "late": .number(0), "leftOut": .number(0)],
            ])
        #expect(try rows(status, "missedByActuator") == [["actuator": "main", "count": .number(1)]])
        #expect(status?["result"]?["missedActuations"] == .number(1))
    }

    @Test("The status has percentiles, the worst and the sum")
    func percentiles() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("play", #"{"pattern":"soft"}"#)
        try daemon.onLoop { server in
            server.applied(daemon.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        }
        let status = try client.ask("status")
        let lateness = try #require(try rows(status, "lateness").first)
        #expect(lateness["count"] == .number(2))
        #expect(lateness["sumNs"] == .number(10_000))
        for member in ["p50Ns", "p90Ns", "p99Ns", "p999Ns", "maxNs"] { #expect(lateness[member] == .number(5000)) }
        let latency = try rows(status, "latency")
        #expect(latency.map { $0["of"] } == ["alarm", "notification", "interaction", "texture"])
        #expect(latency.map { $0["count"] } == [.number(0), .number(0), .number(1), .number(0)])
    }

    @Test("The status says what the executor asked for and was given; null is what it did not ask for")
    func realtime() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let none: JSONValue = [
            "priority": .null, "lockMemory": .bool(false), "cpu": .null, "remedies": [],
            "granted": ["priority": .null, "lockMemory": .null, "cpu": .null],
        ]
        #expect(try client.ask("status")?["result"]?["realtime"] == none)
        try daemon.onLoop { server in
            server.realtime = StatusResult.Realtime(
                priority: 40, lockMemory: true, granted: .init(priority: false, lockMemory: true), remedies: ["do this"])
        }
        let refused: JSONValue = [
            "priority": .number(40), "lockMemory": .bool(true), "cpu": .null, "remedies": ["do this"],
            "granted": ["priority": .bool(false), "lockMemory": .bool(true), "cpu": .null],
        ]
        #expect(try client.ask("status")?["result"]?["realtime"] == refused)
    }

    @Test("However a playback ends, nothing waits for its first actuation for good")
    func nothingIsKept() throws {
        var bounds = EngineBounds.standard
        bounds.playbacks = 4
        let other = try TestDaemon.configuration(actuators: ["other"], bounds: bounds)
        let daemon = try TestDaemon(TestDaemon.configuration(bounds: bounds), reloaded: .success(other))
        let client = try daemon.connect()
        let endings: [(method: String, params: String)] = [
            ("cancel", #"{"all":true}"#), ("cancel", #"{"all":true,"mode":"immediate"}"#), ("profile", #"{"set":"silent"}"#),
            ("profile", #"{"set":"full"}"#), ("play", #"{"pattern":"minute","class":"alarm"}"#), ("reload", "{}"),
        ]
        for _ in 0..<100 {
            for (method, params) in endings {
                let batch = ["a", "a", "b"].map {
                    #"{"jsonrpc":"2.0","method":"play","params":{"pattern":"minute","class":"alarm","id":"\#($0)"}}"#
                }
                client.write("[\(batch.joined(separator: ","))]\n")
                _ = try client.ask(method, params)
            }
            try daemon.onLoop { server in
                server.setActuator(ActuatorIndex(0), ActuatorFault("gone"))
                server.setActuator(ActuatorIndex(0), nil)
            }
        }
        let (awaited, playing) = try daemon.onLoop { ($0.service.statistics.awaitedCount, $0.service.loop.engine.playbackCount) }
        #expect(playing == 0)
        #expect(awaited == ServiceStatistics.mostEnded)
    }
}
