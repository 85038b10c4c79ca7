// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticService
import HapticWire
import Synchronization
import Testing

@testable import HapticServer

/// Each look at it takes a millisecond.
private final class SlowClock: Sendable {
    private let looks = Atomic<Int64>(1000)

    func now() -> MonotonicInstant { .zero + .milliseconds(looks.add(1, ordering: .relaxed).newValue) }
}

@Suite(.serialized) struct SessionTests {
    @Test("A play is answered with its decision and reaches the executor")
    func playIsAnswered() throws {
        let daemon = try TestDaemon()
        let answer = try daemon.connect().ask("play", #"{"pattern":"soft","steps":3,"durationMs":60}"#)
        #expect(answer?["result"]?["decision"]?["outcome"] == "played")
        #expect(answer?["result"]?["pulses"] == .number(3))
        #expect(answer?["result"]?["ending"] == .null)
        let first = try daemon.onLoop { _ in daemon.sink.actuations.first }
        #expect(first?.level.isOn == true)
    }

    @Test("A play that is waited for is answered when it has ended")
    func playThatIsWaited() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let answer = try client.ask("play", #"{"pattern":"soft","wait":true}"#)
        #expect(answer?["result"]?["ending"]?["ended"] == "completed")
    }

    @Test("After a half-close what is pending is still answered, and then the connection is closed")
    func afterAHalf() throws {
        let clock = HeldClock()
        let client = try TestDaemon(now: { clock.now() }).connect()
        client.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","wait":true}}"# + "\n")
        // Without its end: the end of the stream ends it.
        client.write(#"{"jsonrpc":"2.0","id":2,"method":"profile"}"#)
        client.closeHalf()
        #expect(try client.readLine()?["id"] == .number(2))
        clock.advance(.seconds(1))
        #expect(try client.readLine()?["result"]?["ending"]?["ended"] == "completed")
        #expect(try client.readLine() == nil)
    }

    @Test("A client that waits for the only playback there may be does not keep others from it")
    func waitsForTheOnlyPlayback() throws {
        var bounds = EngineBounds.standard
        bounds.playbacks = 1
        let client = try TestDaemon(TestDaemon.configuration(bounds: bounds)).connect()
        client.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"# + "\n")
        client.write(#"{"jsonrpc":"2.0","id":2,"method":"play","params":{"pattern":"soft","wait":true}}"# + "\n")
        #expect(try client.readLine()?["result"]?["ending"]?["reason"] == "superseded")
        #expect(try client.readLine()?["result"]?["ending"]?["ended"] == "completed")
    }

    @Test("A line that waits for its turn was read when its bytes came, and grows old meanwhile")
    func waitsForItsTurn() throws {
        let clock = SlowClock()
        let client = try TestDaemon(now: { clock.now() }).connect()
        let line = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","deadlineMs":10}}"# + "\n"
        client.write(String(repeating: line, count: 20))
        let reasons = try (0..<20).map { _ in try client.readLine()?["result"]?["decision"]?["reason"] }
        #expect(reasons[0] == .null)
        #expect(reasons[19] == "stale")
    }

    @Test(
        "A client that goes away takes along the playbacks that end with it, and those it waited for unless they end by themselves",
        arguments: [
            (#""wait":true"#, true), (#""ends":"client""#, true), (#""wait":true,"ends":"client""#, true),
            (#""ends":"itself""#, false), (#""wait":true,"ends":"itself""#, false),
        ])
    func clientThatGoes(params: String, isTaken: Bool) throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        _ = try watcher.ask("subscribe", #"{"topics":["playbacks"]}"#)
        var client: RawClient? = try daemon.connect()
        client?.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute",\#(params)}}"# + "\n")
        _ = try client?.ask("status")
        client = nil
        if !isTaken {
            while try watcher.ask("status")?["result"]?["clients"] == .number(2) {}
            _ = try daemon.connect().ask("cancel", #"{"all":true,"mode":"immediate"}"#)
        }
        let ending = try watcher.readLine()?["params"]
        #expect(ending?["ended"] == "cancelled")
        #expect(ending?["reason"] == (isTaken ? "clientGone" : "requested"))
    }

    @Test("A client that closed its half and then goes away takes what it waited for with it")
    func closedItsHalf() throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        _ = try watcher.ask("subscribe", #"{"topics":["playbacks"]}"#)
        var client: RawClient? = try daemon.connect()
        client?.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"# + "\n")
        _ = try client?.ask("status")
        client?.closeHalf()
        client = nil
        #expect(try watcher.readLine()?["params"]?["reason"] == "clientGone")
    }

    @Test("A playback that nobody waits for outlives its connection")
    func playbackThatNobody() throws {
        let daemon = try TestDaemon()
        _ = try daemon.connect().ask("play", #"{"pattern":"minute"}"#)
        let client = try daemon.connect()
        #expect(try client.ask("status")?["result"]?["playbacks"] == .number(1))
        #expect(try client.ask("cancel", #"{"all":true,"mode":"immediate"}"#)?["result"]?["cancelled"] == .number(1))
    }

    @Test("A batch is decided as one, in its order, and answered as one")
    func batchIsDecided() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let items = [
            #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","id":"a"}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"play","params":{"pattern":"sotf"}}"#,
            #"{"jsonrpc":"2.0","method":"progress","params":{"id":"b","value":0}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"play","params":{"pattern":"soft","id":"a"}}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"profile"}"#,
        ]
        client.write("[\(items.joined(separator: ","))]\n")
        guard case .array(let answers) = try client.readLine() else {
            Issue.record("not a batch")
            return
        }
        #expect(answers.map { $0["id"] } == [.number(1), .number(2), .number(3), .number(4)])
        #expect(answers[0]["result"]?["decision"]?["reason"] == "superseded")
        #expect(answers[1]["error"]?["data"]?["didYouMean"] == "soft")
        #expect(answers[2]["result"]?["decision"]?["outcome"] == "played")
    }

    @Test("A notification has no answer, and a wrong one is shown as a decision")
    func notificationHasNoAnswer() throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        _ = try watcher.ask("subscribe", #"{"topics":["decisions"]}"#)
        let client = try daemon.connect()
        client.write(#"{"jsonrpc":"2.0","method":"progress","params":{"value":7}}"# + "\n")
        let decision = try watcher.readLine()?["params"]
        #expect(decision?["outcome"] == "failed")
        #expect(decision?["reason"] == "invalidParams")
        #expect(decision?["input"] == "progress")
        #expect(try client.ask("status")?["result"]?["invalidNotifications"] == .number(1))
    }

    @Test("Subscribers are notified of their topics only")
    func subscribersAreTold() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(now: { clock.now() })
        let watcher = try daemon.connect()
        #expect(
            try watcher.ask("subscribe", #"{"topics":["actuations","playbacks"]}"#)?["result"]?["topics"] == [
                "actuations", "playbacks",
            ])
        _ = try daemon.connect().ask("play", #"{"pattern":"soft"}"#)
        try daemon.onLoop { server in
            server.applied(daemon.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        }
        let on = try watcher.readLine()
        #expect(on?["method"] == "actuation")
        #expect(on?["params"]?["actuator"] == "main")
        let off = try watcher.readLine()
        #expect(off?["params"]?["intensity"] == .number(0))
        clock.advance(.seconds(1))
        #expect(try watcher.readLine()?["method"] == "playback")
        let lateness = try watcher.ask("status")?["result"]?["lateness"]
        guard case .array(let actuators) = lateness else { return #expect(lateness != nil) }
        #expect(actuators.first?["count"] == .number(2))
        #expect(actuators.first?["maxNs"] == .number(5000))
    }

    @Test("The loss of an actuator is notified, and what it should play fails")
    func actuatorThatGoes() throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        _ = try watcher.ask("subscribe", #"{"topics":["actuators"]}"#)
        try daemon.onLoop { $0.setActuator(ActuatorIndex(0), ActuatorFault("unplugged")) }
        let notice = try watcher.readLine()?["params"]
        #expect(notice == ["actuator": "main", "available": false, "error": "unplugged"])
        let answer = try watcher.ask("play", #"{"pattern":"soft"}"#)
        #expect(answer?["result"]?["decision"]?["reason"] == "deviceLost")
    }

    @Test("A stop answers what waits and refuses what comes")
    func stopAnswersWhatWaits() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        client.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"# + "\n")
        _ = try client.ask("status", id: 2)
        try daemon.onLoop { $0.shutDown() }
        let ending = try client.readLine()?["result"]?["ending"]
        #expect(ending?["ended"] == "cancelled")
        #expect(ending?["reason"] == "shutdown")
        #expect(try client.ask("play", #"{"pattern":"soft"}"#)?["error"]?["code"] == .number(-32004))
    }

    @Test("One client's flood holds up another's request by no more than what is read of it at once")
    func flood() throws {
        let daemon = try TestDaemon()
        let (flooding, other) = (try daemon.connect(), try daemon.connect())
        _ = try flooding.ask("status")
        _ = try other.ask("status")
        let line = #"{"jsonrpc":"2.0","method":"progress","params":{"id":"a","value":0.001}}"# + "\n"
        let taken = try daemon.whileBusy {
            // All that the kernel takes for a daemon that does not read: several times what is read at once.
            let taken = flooding.write(String(repeating: line, count: 10_000), waits: false) / line.utf8.count
            other.write(#"{"jsonrpc":"2.0","id":2,"method":"status"}"# + "\n")
            return taken
        }
        guard case .array(let counts) = try other.readLine()?["result"]?["decisions"] else {
            Issue.record("no answer")
            return
        }
        let decided = counts.reduce(0.0) { if case .number(let count) = $1["count"] { $0 + count } else { $0 } }
        let readAtOnce = Double(16 * 1024 / line.utf8.count + 1)
        #expect(Double(taken) > 3 * readAtOnce)
        #expect(decided <= readAtOnce)
    }
}
