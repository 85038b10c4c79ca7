// SPDX-License-Identifier: MIT
import HapticCore
import HapticJSON
import HapticService
import HapticWire
import Testing

@testable import HapticServer

@Suite("What people set, over a socket", .serialized) struct KeeperTests {
    private let keeper = HeldKeeper()
    private let clock = HeldClock()

    private func daemon() throws -> TestDaemon { try TestDaemon(keeper: keeper, now: { [clock] in clock.now() }) }

    /// The next state may be stored.
    private func wait(_ daemon: TestDaemon) throws {
        clock.advance(.seconds(1))
        try daemon.onLoop { $0.enter(.timer) }
    }

    /// Answers what the daemon has asked for, once it has.
    private func answer(_ daemon: TestDaemon, _ failure: SettingsFailure? = nil) throws {
        let keeper = keeper
        while try !daemon.onLoop({ _ in keeper.isAsked }) {}
        try daemon.onLoop { _ in keeper.answer(failure) }
    }

    private static func request(_ id: Int?, _ method: String, _ params: String) -> String {
        let id = id.map { #""id":\#($0),"# } ?? ""
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
    }

    @Test("Who sets something is answered once it is stored; what comes after it is answered meanwhile")
    func waits() throws {
        let daemon = try daemon()
        let client = try daemon.connect()
        client.write(Self.request(1, "settings", #"{"set":{"off":true}}"#) + "\n")
        let play = try client.ask("play", #"{"pattern":"soft"}"#, id: 2)
        #expect(play?["id"] == .number(2) && play?["result"]?["decision"]?["reason"] == "off")
        try answer(daemon)
        let settings = try client.readLine()
        #expect(settings?["id"] == .number(1) && settings?["result"]?["deciding"] == "off")
        #expect(settings?["result"]?["kept"] == true && settings?["result"]?["off"] == ["remainingMs": .null])
    }

    @Test("A batch that sets something is answered as one, once that is stored")
    func batch() throws {
        let daemon = try daemon()
        let client = try daemon.connect()
        let items = [
            Self.request(1, "play", #"{"pattern":"soft"}"#), Self.request(2, "profile", #"{"set":"quiet"}"#),
            Self.request(nil, "settings", #"{"set":{"strength":0.5}}"#), Self.request(3, "settings", "{}"),
        ]
        client.write("[\(items.joined(separator: ","))]\n")
        #expect(try client.ask("profile", id: 9)?["id"] == .number(9))
        try answer(daemon)
        guard case .array(let answers)? = try client.readLine() else { return #expect(Bool(false)) }
        #expect(answers.map { $0["id"] } == [.number(1), .number(2), .number(3)])
        #expect(answers[1]["result"] == ["profile": "quiet"])
        #expect(answers[2]["result"]?["strength"] == ["value": .number(0.5), "by": "settings"])
    }

    @Test("Where it cannot be stored, the error says so in the place of what was set, and the rest is answered")
    func failure() throws {
        let daemon = try daemon()
        let client = try daemon.connect()
        client.write("[\(Self.request(1, "play", #"{"pattern":"soft"}"#)),\(Self.request(2, "profile", #"{"set":"quiet"}"#))]\n")
        try answer(daemon, SettingsFailure("the disk is full; make room"))
        guard case .array(let answers)? = try client.readLine() else { return #expect(Bool(false)) }
        #expect(answers[0]["result"] != nil && answers[1]["id"] == .number(2))
        #expect(answers[1]["error"]?["code"] == .number(-32006))
        guard case .string(let message)? = answers[1]["error"]?["message"] else { return #expect(Bool(false)) }
        #expect(message.hasSuffix("it could not be stored: the disk is full; make room"))
        #expect(try client.ask("profile")?["result"]?["profile"] == "quiet")
    }

    @Test("One is stored at a time; who has closed its half still gets its answer, and who has gone keeps nobody")
    func comeAndGo() throws {
        let daemon = try daemon()
        let (first, second) = (try daemon.connect(), try daemon.connect())
        first.write(Self.request(1, "profile", #"{"set":"quiet"}"#) + "\n")
        first.closeHalf()
        second.write(Self.request(1, "profile", #"{"set":"silent"}"#) + "\n")
        var gone: RawClient? = try daemon.connect()
        gone?.write(Self.request(1, "profile", #"{"set":"reduced"}"#) + "\n")
        #expect(try gone?.ask("status")?["result"]?["profile"] == "reduced")
        gone = nil
        try answer(daemon)
        #expect(try first.readLine()?["result"]?["profile"] == "quiet")
        #expect(try first.readLine() == nil)
        try wait(daemon)
        try answer(daemon)
        #expect(try second.readLine()?["result"]?["profile"] == "silent")
        let keeper = keeper
        let stored = try daemon.onLoop { _ in keeper.stored.map(\.profile) }
        #expect(stored == [.quiet, .reduced])
    }

    @Test("What was stored is restored before anyone is served, and so are the clocks")
    func restored() throws {
        let daemon = try daemon()
        let keeper = keeper
        try daemon.onLoop { server in
            let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
            server.restore(Settings(strength: Strength(0.5)!, quietHours: [night]))
            server.setClock(LocalTime(.wed, second: 23 * 3600))
        }
        let result = try daemon.connect().ask("settings")?["result"]
        #expect(result?["strength"] == ["value": .number(0.5), "by": "settings"])
        #expect(result?["deciding"] == "quietHours" && result?["quietUntil"] == "07:00")
        #expect(try daemon.onLoop { _ in keeper.stored.isEmpty })
    }

    @Test("A daemon that keeps nothing says so, and answers at once")
    func nothingKept() throws {
        let client = try TestDaemon().connect()
        #expect(try client.ask("settings", #"{"set":{"strength":0.5}}"#)?["result"]?["kept"] == false)
    }

    @Test("Answers that are held count as unread, so nobody has the daemon keep more of them than it may")
    func heldBytes() throws {
        let daemon = try daemon()
        let (keeper, clock) = (keeper, clock)
        let backlog = try daemon.onLoop { server in
            let visitor = try Visitor(server, user: 1001)
            // Each answer is as long as the list of patterns, some of which are described at length.
            let items = [Self.request(1, "profile", #"{"set":"quiet"}"#), Self.request(2, "rpc.discover", "{}")]
            for _ in 0..<100 {
                (server.turns.worked, server.turns.isRunScheduled) = (.zero, false)
                server.say("[\(items.joined(separator: ","))]", from: visitor.session)
            }
            let held = server.backlog.bytes
            while keeper.isAsked {
                keeper.answer()
                clock.advance(.seconds(1))
                server.enter(.timer)
            }
            return (held: held, hasUnread: visitor.session.hasUnread, after: server.backlog.bytes)
        }
        #expect(backlog.held > Backlog.mostOfOne && backlog.held < 2 * Backlog.mostOfOne && backlog.hasUnread)
        #expect(backlog.after < backlog.held)
    }
}
