// SPDX-License-Identifier: MIT
import HapticCore
import HapticServer
import HapticService
import HapticWire
import Synchronization
import Testing

@Suite struct ServiceStateTests {
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

    @Test("The state says what is missing and what is being opened, who is connected, and the profile")
    func state() throws {
        let daemon = try TestDaemon()
        let main = ActuatorIndex(0)
        #expect(
            try daemon.onLoop { $0.state() } == ServiceState(actuators: 1, missing: [], clients: 0, profile: "full"))
        let client = try daemon.connect()
        _ = try client.ask("profile", #"{"set":"quiet"}"#)
        try daemon.onLoop { $0.setActuator(main, ActuatorFault("it is gone")) }
        #expect(
            try daemon.onLoop { $0.state() } == ServiceState(actuators: 1, missing: ["main"], clients: 1, profile: "quiet"))
        #expect(
            try daemon.onLoop { $0.state(opening: [main]) }
                == ServiceState(actuators: 1, missing: [], opening: ["main"], clients: 1, profile: "quiet"))
    }

    @Test("Changes are announced, events are not")
    func changes() throws {
        let daemon = try TestDaemon()
        let changes = Changes()
        try daemon.onLoop { server in server.stateChanged = { changes.count.add(1, ordering: .relaxed) } }
        let client = try daemon.connect()
        _ = try client.ask("play", #"{"pattern":"soft"}"#)
        let before = changes.count.load(ordering: .relaxed)
        #expect(before > 0, "a client has come")
        for step in 1...100 { _ = try client.ask("progress", #"{"id":"a","value":\#(Double(step) / 100)}"#) }
        #expect(changes.count.load(ordering: .relaxed) == before)
        _ = try client.ask("profile", #"{"set":"quiet"}"#)
        #expect(changes.count.load(ordering: .relaxed) == before + 1)
        _ = try client.ask("profile", #"{"set":"quiet"}"#)
        #expect(changes.count.load(ordering: .relaxed) == before + 1)
    }

    @Test("The engine is in time while nobody lets what it has planned go by")
    func inTime() throws {
        let daemon = try TestDaemon(now: { .zero + .seconds(100) })
        func isInTime(_ seconds: Int64) throws -> Bool {
            try daemon.onLoop { $0.isInTime(at: .zero + .seconds(seconds), tolerance: .seconds(1)) }
        }
        #expect(try isInTime(1_000_000), "nothing is planned")
        let client = try daemon.connect()
        _ = try client.ask("play", #"{"pattern":"minute"}"#)
        #expect(try isInTime(100))
        #expect(try !isInTime(200))
    }
}

private final class Changes: Sendable {
    let count = Atomic<Int>(0)
}
