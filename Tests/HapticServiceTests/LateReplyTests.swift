// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticWire
import Testing

@testable import HapticService

@Suite("Replies that come later") struct LateReplyTests {
    @Test("A play that is waited for is answered when it has ended, after the notice of that")
    func wait() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.playbacks), of: client)
        let ticket = try #require(bench.ask(.play("soft", wait: true), of: client)?.ticket)
        #expect(ticket.connection == client.connection)
        #expect(bench.outputs().isEmpty)
        bench.pass(.seconds(1))
        let outputs = bench.outputs()
        #expect((outputs.map(\.name), outputs.last?.lateTicket) == (["playback", "reply"], ticket))
        guard let result: PlayResult = outputs.last?.late?.result() else {
            Issue.record("not the end of a play")
            return
        }
        #expect((result.ending?.ended, result.decision.outcome) == (.completed, .played))
    }

    @Test("A play that replaces a waiting one answers that one in the same step")
    func superseded() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let tickets = (0..<3).map { _ in bench.ask(.play("minute", wait: true), of: client)?.ticket }
        #expect(Set(tickets).count == 3)
        #expect(!tickets.contains(nil))
        #expect(bench.outputs().map(\.lateTicket) == [tickets[0], tickets[1]])
    }

    @Test("The waits of a client that goes are dropped, and its playbacks are cancelled")
    func gone() throws {
        let bench = try Bench()
        let (client, watcher) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.playbacks), of: watcher)
        _ = bench.ask(.play("minute", wait: true), of: client)
        bench.service.disconnect(client, at: bench.now)
        bench.pass(.seconds(1))
        let outputs = bench.outputs()
        #expect(outputs.map(\.name) == ["playback"])
        let ending = try #require(outputs.first?.notice?.playback)
        #expect((ending.ended, ending.reason) == (.cancelled, .clientGone))
        #expect(bench.service.pending.waits.isEmpty)
    }

    @Test(
        "A pattern is ready on the devices that report it ready",
        arguments: [(true, ["soft", "tick"], ["main"]), (false, [], ["main"]), (nil, [], [])]
            as [(Bool?, [String], [String])])
    func prepare(isReady: Bool?, patterns: [String], actuators: [String]) throws {
        let bench = try Bench()
        let call = Call.prepare(PrepareParams(patterns: ["soft", "tick"]))
        let ticket = bench.ask(call, of: try bench.connect())?.ticket
        guard case .prepare(let timelines, let asked, let same)? = bench.outputs().first else {
            Issue.record("nobody is asked")
            return
        }
        #expect((timelines.count, asked) == (2, [ActuatorIndex(0)]))
        #expect(same == ticket)
        for _ in 0..<2 { bench.service.prepared(same, asked.map { _ in isReady.map { [$0, $0] } }) }
        let replies = bench.outputs().map(\.late)
        #expect(replies == [.prepare(PrepareResult(patterns: patterns, actuators: actuators, readyForMs: nil))])
    }

    @Test("A bounded number of clients may wait for prepared patterns, and each answer makes room for one")
    func manyPreparations() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let call = Call.prepare(PrepareParams(patterns: ["soft"]))
        let tickets = (0..<64).compactMap { _ in bench.ask(call, of: client)?.ticket }
        #expect((tickets.count, bench.ask(call, of: client)?.error?.code) == (64, ErrorCode.quota.rawValue))
        bench.service.prepared(tickets[3], [[true]])
        #expect(bench.ask(call, of: client)?.ticket != nil)
        #expect(bench.ask(call, of: client)?.error != nil)
        #expect(bench.ask(.play("soft"), of: client)?.decision?.outcome == .played)
    }

    @Test("A cancel of all until the machine has slept is answered once every output is off", arguments: [true, false])
    func rest(isOff: Bool) throws {
        let bench = try Bench()
        let client = try bench.connect(user: 0)
        _ = bench.ask(.play("minute"), of: client)
        bench.service.removeOutputs()
        let ticket = bench.ask(.cancel(.untilResumed), of: client)?.ticket
        let planned = bench.sink.actuations.filter { $0.planned > bench.now }
        #expect(planned.allSatisfy { $0.level.intensity == .zero })
        guard case .awaitOff(let same)? = bench.outputs().first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(same == ticket)
        for _ in 0..<2 { bench.service.offAwaited(same, isOff: isOff) }
        let replies = bench.outputs().compactMap(\.late)
        #expect(replies.count == 1)
        #expect(isOff ? replies[0] == .cancel(CancelResult(cancelled: 1)) : replies[0].error?.message.contains("is off") == true)
    }

    @Test("One reload runs at a time; requests that come meanwhile share the next one")
    func reloads() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let inForce = bench.service.configuration
        let tickets = (0..<3).map { _ in bench.ask(.reload, of: client)?.ticket }
        #expect(bench.outputs().map(\.name) == ["reload"])
        var other = inForce
        other.parts["patterns"] = .init(1)
        bench.service.reloaded(.success(.init(other, replacing: inForce)), at: bench.now)
        let first = bench.outputs()
        #expect((first.map(\.name), first[0].lateTicket) == (["reply", "reload"], tickets[0]))
        #expect(first[0].late == .reload(ReloadResult(changed: ["patterns"], needsRestart: [], isBuiltIn: true)))
        let error = WireError(.invalidConfiguration, "it is bad")
        bench.service.reloaded(.failure(error), at: bench.now)
        let second = bench.outputs()
        #expect(second.map(\.lateTicket) == [tickets[1], tickets[2]])
        #expect(second.allSatisfy { $0.late == .error(error) })
        #expect(bench.service.configuration == other)
    }

    @Test("A notification starts a reload without a reply, and the daemon may ask for one, too")
    func reloadWithoutReply() throws {
        let bench = try Bench()
        #expect(bench.say([Request(.reload, wantsReply: false)], of: try bench.connect()) == [nil])
        let ticket = bench.service.requestReload()
        #expect(ticket.connection == nil)
        #expect(bench.outputs().map(\.name) == ["reload"])
        let error = WireError(.invalidConfiguration, "it is bad")
        bench.service.reloaded(.failure(error), at: bench.now)
        #expect(bench.outputs().map(\.name) == ["reload"])
        bench.service.reloaded(.failure(error), at: bench.now)
        #expect(bench.outputs().map(\.lateTicket) == [ticket])
    }

    /// One reload runs, and the others wait for the next one.
    @Test(
        "A bounded number of clients may wait for every output to be off, or for a reload",
        arguments: [(Call.cancel(.untilResumed), 8), (.reload, 257)])
    func manyWait(call: Call, most: Int) throws {
        let bench = try Bench()
        let client = try bench.connect(user: 0)
        let replies = (0...most).map { _ in bench.ask(call, of: client) }
        #expect(replies.prefix(most).allSatisfy { $0?.ticket != nil })
        #expect(replies.last??.error?.code == ErrorCode.quota.rawValue)
    }

    @Test("A reload with other actuators ends all playbacks before the sink gets them, and answers waiting clients first")
    func otherActuators() throws {
        let bench = try Bench()
        let client = try bench.connect()
        bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now)
        bench.service.setActuator(ActuatorIndex(0), .there(), at: bench.now)
        let play = bench.ask(.play("minute", wait: true), of: client)?.ticket
        let reload = bench.ask(.reload, of: client)?.ticket
        bench.service.removeOutputs()
        let other = try Bench.configuration(actuators: ["left", "right"])
        bench.reload(other)
        #expect(bench.outputs().map(\.lateTicket) == [play, reload])
        #expect(bench.sink.replacements == [["left", "right"]])
        #expect(bench.ask(.play("soft"), of: client)?.decision?.actuators == ["left", "right"])
    }

    @Test("Each reload names a part that only a restart takes up, for as long as it differs")
    func needsRestart() throws {
        func configuration(_ socket: String) throws -> ServiceConfiguration {
            try Bench.configuration { $0.parts["socket"] = .init(socket) }
        }
        let bench = try Bench { $0 = try configuration("/a") }
        let client = try bench.connect()
        for (socket, named) in [("/b", ["socket"]), ("/b", ["socket"]), ("/a", [])] as [(String, [String])] {
            _ = bench.ask(.reload, of: client)
            bench.service.removeOutputs()
            bench.reload(try configuration(socket))
            let reply = bench.outputs().first?.late
            #expect(reply == .reload(ReloadResult(changed: [], needsRestart: named, isBuiltIn: true)))
        }
    }

    @Test("Changed bounds and rights apply to connected clients")
    func changedRights() throws {
        let bench = try Bench()
        let (ada, bob) = (try bench.connect(user: 1001), try bench.connect(user: 1002))
        let strict = try Bench.configuration {
            $0.clientBounds = ClientBounds(clients: 1024, clientsPerUser: 1, requestsPerClient: 1)
            $0.access[.profile] = AccessList(users: [Account(name: "ada", id: 1001)])
        }
        _ = bench.ask(.reload, of: ada)
        bench.reload(strict)
        #expect(bench.ask(.set(.quiet), of: bob)?.error?.code == ErrorCode.notAllowed.rawValue)
        #expect(bench.ask(.askSettings, of: bob)?.error?.data?.limit == "requestsPerClient")
        #expect(throws: WireError.self) { try bench.connect(user: 1002) }
    }
}
