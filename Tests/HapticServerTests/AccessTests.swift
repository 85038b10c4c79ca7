// SPDX-License-Identifier: MIT
import Glibc
import HapticEngine
import HapticJSON
import HapticWire
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("What is kept to some", .serialized) struct AccessTests {
    private static let admins = AccessList(users: [Account(name: "ada", id: 1001)], groups: [Account(name: "desk", id: 50)])

    /// A row: a user, their groups, and whether they may.
    @Test(
        "A named user, a member of a named group, root and the daemon's own user may; nobody else",
        arguments: [
            (1001, [100], true), (1002, [100], false), (1002, [50], true), (1002, [100, 7, 50], true), (0, [], true),
            (900, [], true), (1002, [], false), (50, [1001], false),
        ] as [(UInt32, [UInt32], Bool)],
        [
            ("reload", "{}"), ("cancel", #"{"all":true}"#), ("profile", #"{"set":"quiet"}"#),
            ("settings", #"{"set":{"strength":1}}"#),
        ])
    func access(who: (user: UInt32, groups: [UInt32], may: Bool), call: (method: String, params: String)) throws {
        let configuration = try TestDaemon.configured { configuration in
            for privilege in Privilege.allCases { configuration.access[privilege] = Self.admins }
        }
        let daemon = try TestDaemon(configuration, reloaded: .success(configuration), ownUser: 900)
        try daemon.onLoop { server in
            let visitor = try Visitor(server, user: who.user, groups: who.groups)
            let answer = visitor.ask(call.method, call.params)
            #expect((answer?["result"] != nil) == who.may, "\(answer ?? .null)")
            guard !who.may else { return }
            #expect(answer?["error"]?["code"] == notAllowed)
            guard case .string(let message)? = answer?["error"]?["message"] else { return #expect(Bool(false)) }
            for word in ["user \(who.user)", "user `ada`", "group `desk`", "sudo usermod -aG desk $USER"] {
                #expect(message.contains(word), "\(message)")
            }
            // What is not kept to anyone is everyone's.
            #expect(visitor.ask("profile")?["result"] != nil)
            #expect(visitor.ask("cancel", #"{"id":"mine"}"#)?["result"] != nil)
        }
    }

    @Test("Who may not cancel all may cancel their own playbacks by number, and no one else's")
    func mayNotCancel() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.access[.cancelAll] = Self.admins })
        try daemon.onLoop { server in
            let (ada, bob) = (try Visitor(server, user: 1001), try Visitor(server, user: 1002))
            guard case .number(let playback)? = ada.ask("play", #"{"pattern":"minute"}"#)?["result"]?["playback"] else {
                return #expect(Bool(false))
            }
            let params = #"{"playback":\#(Int(playback)),"mode":"immediate"}"#
            #expect(bob.ask("cancel", params)?["error"]?["code"] == notAllowed)
            #expect(bob.ask("cancel", #"{"playback":99}"#)?["result"]?["cancelled"] == .number(0))
            #expect(ada.ask("cancel", params)?["result"]?["cancelled"] == .number(1))
            guard case .number(let own)? = bob.ask("play", #"{"pattern":"minute"}"#)?["result"]?["playback"] else {
                return #expect(Bool(false))
            }
            #expect(bob.ask("cancel", #"{"playback":\#(Int(own)),"mode":"immediate"}"#)?["result"]?["cancelled"] == .number(1))
        }
    }

    @Test("Who may not cancel all does not end another's alarm with a faint one either, and learns why")
    func mayNotCancelAll() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.access[.cancelAll] = Self.admins })
        try daemon.onLoop { server in
            let (ada, bob) = (try Visitor(server, user: 1001), try Visitor(server, user: 1002))
            #expect(ada.ask("play", #"{"pattern":"minute","class":"alarm"}"#)?["result"]?["playback"] == .number(1))
            let faint = bob.ask("play", #"{"pattern":"soft","class":"alarm","intensity":0.01}"#)?["result"]
            #expect(faint?["decision"]?["reason"] == "notAllowed")
            #expect(bob.ask("status")?["result"]?["refused"] == [["by": "cancelAll", "count": .number(1)]])
            #expect(bob.ask("status")?["result"]?["playbacks"] == .number(1))
        }
    }

    @Test("In a batch only what is not allowed is refused")
    func batchOnlyWhatIsNotAllowed() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.access[.profile] = Self.admins })
        try daemon.onLoop { server in
            let output = RecordingOutput()
            let session = try server.open(Peer(user: 1002, groups: []), output: output)
            let items = [
                #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft"}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"profile","params":{"set":"silent"}}"#,
                #"{"jsonrpc":"2.0","method":"profile","params":{"set":"silent"}}"#,
                #"{"jsonrpc":"2.0","id":3,"method":"profile"}"#,
            ]
            server.say("[\(items.joined(separator: ","))]", from: session)
            guard case .array(let answers)? = output.last else { return #expect(Bool(false)) }
            #expect(answers[0]["result"]?["decision"]?["outcome"] == "played")
            #expect(answers[1]["error"]?["code"] == notAllowed)
            #expect(answers[2]["result"]?["profile"] == "full")
            #expect(server.service.refusals.rows == [.init(by: "profile", count: 2)])
        }
    }

    @Test("A thousand refused calls are one line of the log")
    func thousandRefusedCalls() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.access[.reload] = Self.admins })
        try daemon.onLoop { server in
            var notices: [RefusalNotice] = []
            server.onRefusal = { notices.append($0) }
            let visitor = try Visitor(server, user: 1002)
            for _ in 0..<1000 { _ = visitor.ask("reload") }
            #expect(notices.map(\.user) == [1002] && notices.map(\.refusal.cause) == [.access(.reload)])
        }
    }

    @Test("The kernel says who has connected, from which process, and in which groups they are")
    func kernelTellsWhoHasConnected() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("profile")
        let peer = try daemon.onLoop { $0.sessions.values.first?.client.peer }
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(CInt(groups.count), &groups))
        #expect(peer?.user == geteuid() && peer?.process == getpid())
        #expect(Set(peer?.groups ?? []) == Set([getegid()] + groups.prefix(count)))
    }
}
