// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticText
import HapticWire
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("Sessions") struct SessionTests {
    private static let minute = #"{"pattern":"minute","wait":true}"#

    @Test("A play is answered with its decision and reaches the executor; one that is waited for, when it has ended")
    func plays() throws {
        let rig = try Rig()
        let client = try rig.visit()
        let result = client.ask("play", #"{"pattern":"soft","steps":3,"durationMs":60}"#)?["result"]
        #expect(result?["decision"]?["outcome"] == "played")
        #expect(result?["pulses"] == .number(3))
        #expect(result?["ending"] == .null)
        #expect(rig.sink.actuations.first?.level.isOn == true)
        client.say(request("play", #"{"pattern":"soft","wait":true}"#))
        #expect(client.receive() == nil)
        rig.advance(.seconds(1))
        #expect(client.receive()?["result"]?["ending"]?["ended"] == "completed")
    }

    @Test("After a half-close pending requests are still answered, and then the connection is closed")
    func afterAHalf() throws {
        let rig = try Rig()
        let client = try rig.visit()
        client.say(request("play", #"{"pattern":"soft","wait":true}"#))
        // Without its end: the end of the stream ends it.
        client.session.received(Array(request("settings", id: 2).utf8), at: rig.server.now())
        client.closeHalf()
        #expect(client.receive()?["id"] == .number(2))
        #expect(!client.isClosed)
        rig.advance(.seconds(1))
        #expect(client.receive()?["result"]?["ending"]?["ended"] == "completed")
        #expect(client.isClosed)
    }

    @Test("A client that waits for the only playback there may be does not keep others from it")
    func waitsForTheOnlyPlayback() throws {
        var bounds = EngineBounds.standard
        bounds.playbacks = 1
        let rig = try Rig(Rig.configuration(bounds: bounds))
        let client = try rig.visit()
        client.say(request("play", Self.minute), request("play", #"{"pattern":"soft","wait":true}"#))
        #expect(client.receive()?["result"]?["ending"]?["reason"] == "superseded")
        rig.advance(.seconds(1))
        #expect(client.receive()?["result"]?["ending"]?["ended"] == "completed")
    }

    @Test("A line that waits for its turn was read when its bytes came, and grows old meanwhile")
    func waitsForItsTurn() throws {
        let clock = SlowClock()
        let rig = try Rig(now: clock.look)
        let client = try rig.visit()
        let line = request("play", #"{"pattern":"soft","deadlineMs":10}"#)
        rig.server.say(Array(repeating: line, count: 20).joined(separator: "\n"), from: client.session)
        for _ in 0..<50 { rig.turn() }
        let reasons = (0..<20).map { _ in client.receive()?["result"]?["decision"]?["reason"] }
        #expect(reasons[0] == .null)
        #expect(reasons[19] == "stale")
    }

    @Test(
        "A client that goes cancels playbacks that end with it, and those it waited for unless they end by themselves",
        arguments: [
            (#""wait":true"#, true), (#""ends":"client""#, true), (#""wait":true,"ends":"client""#, true),
            (#""ends":"itself""#, false), (#""wait":true,"ends":"itself""#, false),
        ], [false, true])
    func clientThatGoes(play: (params: String, isTaken: Bool), closesHalf: Bool) throws {
        let rig = try Rig()
        let watcher = try rig.visit()
        watcher.ask("subscribe", #"{"topics":["playbacks"]}"#)
        let client = try rig.visit()
        client.say(request("play", #"{"pattern":"minute",\#(play.params)}"#))
        if closesHalf { client.closeHalf() }
        client.close()
        rig.advance(.seconds(1))
        #expect(watcher.receive()?["params"]?["reason"] == (play.isTaken ? "clientGone" : nil))
        #expect(watcher.ask("status")?["result"]?["playbacks"] == .number(play.isTaken ? 0 : 1))
    }

    @Test("A batch is decided as one, in its order, and answered as one; a notification has no answer")
    func batchIsDecided() throws {
        let rig = try Rig()
        let (client, watcher) = (try rig.visit(), try rig.visit())
        watcher.ask("subscribe", #"{"topics":["decisions"]}"#)
        client.say(
            batch([
                request("play", #"{"pattern":"minute","id":"a"}"#), request("play", #"{"pattern":"sotf"}"#, id: 2),
                request("progress", #"{"value":7}"#, id: nil), request("play", #"{"pattern":"soft","id":"a"}"#, id: 3),
            ]))
        let answers = client.receive()?.items ?? []
        #expect(answers.map { $0["id"] } == [.number(1), .number(2), .number(3)])
        #expect(answers[0]["result"]?["decision"]?["reason"] == "superseded")
        #expect(answers[1]["error"]?["data"]?["didYouMean"] == "soft")
        #expect(answers[2]["result"]?["decision"]?["outcome"] == "played")
        let reasons = (0..<3).map { _ in watcher.receive()?["params"]?["reason"] }
        #expect(Set(reasons) == ["superseded", "invalidParams", .null], "a wrong notification is shown as a decision")
    }

    @Test("Subscribers are notified of their topics only")
    func subscribersAreTold() throws {
        let rig = try Rig()
        let watcher = try rig.visit()
        watcher.ask("subscribe", #"{"topics":["actuations","playbacks","actuators"]}"#)
        try rig.visit().ask("play", #"{"pattern":"soft"}"#)
        rig.server.applied(rig.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        rig.advance(.seconds(1))
        rig.server.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")))
        let notices = (0..<5).map { _ in watcher.receive() }
        #expect(notices.map { $0?["method"] } == ["actuation", "actuation", "playback", "actuator", nil])
        #expect(notices[0]?["params"]?["actuator"] == "main")
        #expect(notices[1]?["params"]?["intensity"] == .number(0))
        #expect(notices[3]?["params"] == ["actuator": "main", "available": false, "error": "unplugged"])
        let lateness = watcher.ask("status")?["result"]?["lateness"]?.items.first
        #expect(lateness?["count"] == .number(2))
        #expect(lateness?["maxNs"] == .number(5000))
    }

    private static func holds() throws -> ServiceConfiguration {
        try Rig.configuration { configuration in
            let (step, confirmed) = (
                RuleFeedback(pattern: "soft", feedbackClass: .texture),
                RuleFeedback(pattern: "tick", feedbackClass: .notification)
            )
            configuration.engine = try EngineConfiguration(
                actuators: configuration.engine.actuators, eventRules: [EventRule(match: Glob("pin-*"), feedback: confirmed)],
                holdRules: [HoldRule(match: .clients(Glob("*")), feedback: step)], patterns: configuration.engine.patterns)
        }
    }

    @Test(
        "Another user's subscriber gets a hold and its event without id, name and values, as does a reader of the history",
        arguments: [(1001, "pin-4711", "pin-4711.confirmed", .number(1)), (1002, .null, .null, .null)]
            as [(UInt32, JSONValue, JSONValue, JSONValue)])
    func holdOfAnother(user: UInt32, id: JSONValue, name: JSONValue, last: JSONValue) throws {
        let rig = try Rig(Self.holds())
        let watcher = try rig.visit(user: user)
        watcher.ask("subscribe", #"{"topics":["decisions","holds"]}"#)
        try rig.visit(user: 1001).say(request("hold", #"{"id":"pin-4711","state":"down"}"#))
        rig.advance(.seconds(4))
        var notices: [JSONValue] = []
        while let notice = watcher.receive() { notices.append(notice) }
        let holds = notices.filter { $0["method"] == "hold" }.map { $0["params"] }
        #expect(holds.last??["state"] == "confirmed")
        #expect(holds.last??["value"] == last)
        #expect(Set(holds.map { $0?["id"] }) == [id])
        let heard = notices.filter { $0["method"] == "decision" }.map { $0["params"] }
        let kept = watcher.ask("history", #"{"last":100}"#)?["result"]?["entries"]?.items.map { $0["decision"] } ?? []
        for decisions in [heard, kept] {
            #expect(Set(decisions.map { $0?["source"] }) == [id])
            #expect(decisions.first { $0?["input"] == "event" }??["name"] == name)
            #expect(decisions.contains { $0?["value"] == .number(1) } == (last == .number(1)))
        }
    }

    @Test("A stop answers waiting requests, and refuses new requests and connections")
    func stopAnswersWhatWaits() throws {
        let rig = try Rig()
        let client = try rig.visit()
        client.say(request("play", Self.minute))
        rig.server.shutDown()
        #expect(client.receive()?["result"]?["ending"]?["reason"] == "shutdown")
        #expect(client.ask("play", #"{"pattern":"soft"}"#)?["error"]?["code"] == .number(-32004))
        let error = #expect(throws: WireError.self) { try rig.visit() }
        #expect(error?.code == ErrorCode.shuttingDown.rawValue)
    }

    // MARK: Answers that wait until settings are stored

    @Test("A line that changes settings is answered as a whole once they are stored; later lines are answered meanwhile")
    func stored() throws {
        let rig = try Rig(keeps: true)
        let client = try rig.visit()
        client.say(
            batch([
                request("play", #"{"pattern":"soft"}"#), request("settings", #"{"set":{"profile":"quiet"}}"#, id: 2),
                request("settings", #"{"set":{"strength":0.5}}"#, id: nil), request("settings", id: 3),
            ]))
        #expect(client.ask("settings", id: 9)?["id"] == .number(9))
        rig.keeper.answer(SettingsFailure("the disk is full; make room"))
        let answers = client.receive()?.items ?? []
        #expect(answers.map { $0["id"] } == [.number(1), .number(2), .number(3)])
        #expect(answers[0]["result"] != nil)
        #expect(answers[1]["error"]?["code"] == .number(-32006))
        #expect(answers[2]["result"]?["strength"] == ["value": .number(0.5), "by": "settings"])
    }

    @Test("A half-closed client still gets its answer, and no answer waits for a client that has gone")
    func comeAndGo() throws {
        let rig = try Rig(keeps: true)
        let (first, gone) = (try rig.visit(), try rig.visit())
        first.say(request("settings", #"{"set":{"profile":"quiet"}}"#))
        first.closeHalf()
        gone.say(request("settings", #"{"set":{"profile":"reduced"}}"#))
        gone.close()
        rig.keeper.answer()
        #expect(first.receive()?["result"]?["profile"]?["value"] == "quiet")
        #expect(first.isClosed)
        first.close()
        rig.advance(.seconds(1))
        #expect(rig.keeper.stored.map(\.profile) == [.quiet, .reduced])
        #expect(rig.server.sessions.isEmpty)
    }

    @Test("Held answers count as unread, so they are bounded as those are")
    func heldBytes() throws {
        let rig = try Rig(keeps: true)
        let client = try rig.visit()
        // Each answer is as long as the description of all methods.
        let line = batch([request("settings", #"{"set":{"profile":"quiet"}}"#), request("rpc.discover", id: 2)])
        for _ in 0..<100 where !client.session.hasUnread { client.say(line) }
        let held = rig.server.backlog.bytes
        #expect((Backlog.mostOfOne..<2 * Backlog.mostOfOne).contains(held))
        #expect(client.session.hasUnread)
        while rig.keeper.isAsked {
            rig.keeper.answer()
            rig.advance(.seconds(1))
        }
        #expect(rig.server.backlog.bytes < held)
    }

    // MARK: A reload

    @Test("A reload of the executor's parts ends all playbacks and replaces the executor", arguments: ["actuators", "realtime"])
    func reloadOfWhatOnlyTheExecutor(part: String) throws {
        let rig = try Rig(reloaded: Rig.configuration { $0.parts[part] = .init(1) })
        let client = try rig.visit()
        client.say(request("play", Self.minute), request("reload", id: 2))
        #expect(client.receive()?["result"]?["ending"]?["reason"] == "reload")
        #expect(client.receive()?["result"]?["changed"] == [.string(part)])
        #expect(rig.sink.replacements == 1)
        #expect(client.ask("play", #"{"pattern":"soft"}"#)?["result"]?["decision"]?["outcome"] == "played")
    }

    @Test("Parts that differ have changed, even if their hashes are equal")
    func partsThatDiffer() throws {
        struct Colliding: Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        func configuration(_ number: Int) throws -> ServiceConfiguration {
            try Rig.configuration { for part in ["actuators", "patterns"] { $0.parts[part] = .init(Colliding(number: number)) } }
        }
        #expect(Colliding(number: 1).hashValue == Colliding(number: 2).hashValue)
        #expect(try configuration(1).changes(to: configuration(2)) == ["actuators", "patterns"])
        #expect(try configuration(1).changes(to: configuration(1)).isEmpty)
        #expect(ServiceConfiguration.Part(1) != ServiceConfiguration.Part("1"))
    }
}
