// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticService
import HapticText
import Testing

@testable import HapticServer

@Suite("The state of the service") struct ServiceStateTests {
    @Test(
        "The state is one line of plain words",
        arguments: [
            (
                ServiceState(actuators: 3, missing: ["pad"], clients: 2, profile: "full"),
                "3 actuators, 1 missing (pad); 2 clients; profile full"
            ),
            (
                ServiceState(actuators: 1, missing: [], opening: ["main"], clients: 1, profile: "quiet"),
                "1 actuator, 1 still being opened (main); 1 client; profile quiet"
            ),
            (
                ServiceState(actuators: 64, missing: (1...64).map { "a\($0)" }, clients: 0, profile: "full"),
                "64 actuators, 64 missing (a1, a2, a3, a4, a5 and 59 more); 0 clients; profile full"
            ),
            (
                ServiceState(actuators: 1, missing: [], clients: 1, profile: "full", isQuiet: true),
                "1 actuator; 1 client; profile full; quiet hours"
            ),
            (
                ServiceState(actuators: 1, missing: [], clients: 1, profile: "full", isOff: true, isQuiet: true),
                "1 actuator; 1 client; profile full; feedback is off"
            ),
        ])
    func text(state: ServiceState, text: String) { #expect("\(state)" == text) }

    @Test("The state has missing and opening actuators, clients and the profile; its changes are announced, events are not")
    func state() throws {
        let rig = try Rig()
        var changes = 0
        rig.server.stateChanged = { changes += 1 }
        let client = try rig.visit()
        #expect(changes > 0, "a client has come")
        var before = changes
        client.ask("play", #"{"pattern":"soft"}"#)
        for step in 1...20 { client.ask("progress", #"{"id":"a","value":\#(Double(step) / 20)}"#) }
        #expect(changes == before)
        for _ in 1...2 { client.ask("settings", #"{"set":{"profile":"quiet"}}"#) }
        #expect(changes == before + 1)
        before = changes
        rig.server.setActuator(ActuatorIndex(0), .missing(ActuatorFault("it is gone")))
        #expect(changes > before)
        #expect(rig.server.state() == ServiceState(actuators: 1, missing: ["main"], clients: 1, profile: "quiet"))
        #expect(
            rig.server.state(opening: [ActuatorIndex(0)])
                == ServiceState(actuators: 1, missing: [], opening: ["main"], clients: 1, profile: "quiet"))
    }

    @Test("The status counts missed deadlines by class and left-out actuations by actuator, and has percentiles")
    func missedDeadlines() throws {
        let rig = try Rig()
        let client = try rig.visit()
        client.ask("play", #"{"pattern":"soft","class":"notification","atNs":1}"#)
        client.ask("play", #"{"pattern":"soft","class":"alarm","deadlineMs":60000}"#)
        let first = try #require(rig.sink.actuations.first)
        for (lateness, count) in [(61_000_000_000, 1), (10, 500), (20, 400), (30, 90), (40, 9)] as [(Int64, Int)] {
            let applied = AppliedActuation(first, at: first.planned + Nanoseconds(lateness))
            rig.server.applied(Array(repeating: applied, count: count))
        }
        rig.advance(.seconds(1))
        client.ask("play", #"{"pattern":"minute"}"#)
        rig.server.missedActuation(try #require(rig.sink.actuations.last { $0.level.isOn }))
        let status = try #require(client.ask("status")?["result"])
        let rows: [(String, Double, Double, Double)] = [
            ("alarm", 0, 1, 0), ("notification", 1, 0, 0), ("interaction", 0, 0, 1), ("texture", 0, 0, 0),
        ]
        let missed: [JSONValue] = rows.map { name, stale, late, leftOut in
            ["class": .string(name), "stale": .number(stale), "late": .number(late), "leftOut": .number(leftOut)]
        }
        #expect(status["missedDeadlines"] == .array(missed))
        #expect(status["missedByActuator"] == [["actuator": "main", "count": .number(1)]])
        #expect(status["missedActuations"] == .number(1))
        let lateness: JSONValue = [
            "of": "main", "count": .number(1000), "sumNs": .number(61_000_016_060), "p50Ns": .number(10), "p90Ns": .number(20),
            "p99Ns": .number(30), "p999Ns": .number(40), "maxNs": .number(61_000_000_000),
        ]
        #expect(status["lateness"] == [lateness])
        #expect(status["latency"]?.items.map { $0["of"] } == rows.map { .string($0.0) })
        #expect(status["latency"]?.items.map { $0["count"] } == [.number(1), .number(0), .number(0), .number(0)])
    }

    @Test("The engine counts as in time until its deadline has passed unnoticed")
    func inTime() throws {
        let rig = try Rig(now: { .zero + .seconds(100) })
        func isInTime(_ seconds: Int64) -> Bool { rig.server.isInTime(at: .zero + .seconds(seconds), tolerance: .seconds(1)) }
        #expect(isInTime(1_000_000), "nothing is planned")
        try rig.visit().ask("play", #"{"pattern":"minute"}"#)
        #expect(isInTime(100))
        #expect(!isInTime(200))
    }
}
