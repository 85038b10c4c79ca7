// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticClient
import HapticCore
import HapticEngine
import HapticWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HapticServer

/// Keeps what a session is told.
private final class RecordingOutput: SessionOutput {
    private(set) var lines: [[UInt8]] = []
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) {
        self.lines += lines
        sent()
    }
    func resumeReading() {}
    func close(_ way: SessionClosing) {}

    var last: JSONValue? { lines.last.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) } }
}

/// Someone connected without a socket, so that it may be anyone. On the event loop only.
private final class Visitor {
    let session: Session
    private let output = RecordingOutput()
    private let service: FeedbackService

    init(_ service: FeedbackService, user: UInt32, groups: [UInt32] = []) throws {
        self.service = service
        session = try service.open(Peer(user: user, groups: groups), output: output)
    }

    func ask(_ method: String, _ params: String = "{}") -> JSONValue? {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
        // Whoever waits for each answer has the event loop go around between two lines.
        (service.worked, service.isRunScheduled) = (.zero, false)
        service.say(line, from: session)
        return output.last
    }

    func close() {
        (service.worked, service.isRunScheduled) = (.zero, false)
        service.close(session)
    }
}

private let notAllowed = JSONValue.number(-32005)
private let quota = JSONValue.number(-32000)

@Suite("Who may speak, and how much", .serialized) struct LimitTests {
    private static func configuration(
        bounds: EngineBounds = .standard, _ change: (inout ServiceConfiguration) -> Void
    ) throws -> ServiceConfiguration {
        var configuration = try TestDaemon.configuration(bounds: bounds)
        change(&configuration)
        return configuration
    }

    // MARK: Connections

    @Test("A user who opens more connections than there are leaves room for others, and is told of once")
    func userWhoOpens() throws {
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds = .standard })
        try daemon.onLoop { service in
            var notices: [RefusalNotice] = []
            service.onRefusal = { notices.append($0) }
            var (kept, errors) = ([Visitor](), [WireError]())
            for _ in 0..<1030 {
                do { kept.append(try Visitor(service, user: 1001)) } catch { errors.append(error as! WireError) }
            }
            #expect(kept.count == 256 && errors.count == 774)
            #expect(errors[0].code == -32000 && errors[0].data?.limit == "clientsPerUser" && errors[0].data?.most == 256)
            #expect(notices.map(\.refusal.cause) == [.bound(.clientsPerUser)])
            let other = try Visitor(service, user: 1002)
            #expect(other.ask("progress", #"{"value":0.5}"#)?["result"]?["outcome"] == "played")
            let refused = other.ask("status")?["result"]?["refused"]
            #expect(refused == [["by": "clientsPerUser", "count": .number(774)]])
            // One that goes makes room for another one.
            kept.removeLast().close()
            _ = try Visitor(service, user: 1001)
        }
    }

    @Test("Where a bound is on all clients it names that one")
    func boundIsOnAll() throws {
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds = ClientBounds(clients: 2, clientsPerUser: 2) })
        try daemon.onLoop { service in
            let visitors = try [1001, 1002].map { try Visitor(service, user: $0) }
            let error = #expect(throws: WireError.self) { try Visitor(service, user: 1001) }
            #expect(error?.data?.limit == "clients" && error?.message.contains("2 clients") == true)
            visitors[0].close()
        }
    }

    @Test("Those who are refused and do not hang up take no descriptors from those who are served")
    func refusedAndDoNotHang() throws {
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds.clientsPerUser = 1 })
        let served = try daemon.connect()
        _ = try served.ask("profile")
        let refused = try (0..<100).map { _ in try daemon.connect() }
        for client in refused { #expect(try client.readLine()?["error"]?["data"]?["limit"] == "clientsPerUser") }
        for client in refused { #expect(try client.readLine() == nil) }
        #expect(try served.ask("profile")?["result"] != nil)
    }

    @Test("A client of the library is told why it is refused, also where it is closed at once")
    func clientOfTheLibrary() throws {
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds.clientsPerUser = 1 })
        let served = try daemon.connect()
        _ = try served.ask("profile")
        let clients = try (0..<100).map { _ in try HapticClient(paths: [daemon.path]) }
        // All have been accepted, refused, and those past the bound closed.
        #expect(try served.ask("profile")?["result"] != nil)
        for client in clients {
            let error = #expect(throws: ClientError.self) { try client.call(.status, as: StatusResult.self) }
            guard case .refused(let refusal)? = error else { return #expect(error == nil) }
            #expect(refusal.data?.limit == "clientsPerUser")
        }
    }

    @Test("One who connects while it stops is told so")
    func connectsWhileItStops() throws {
        try TestDaemon().onLoop { service in
            service.shutDown()
            let error = #expect(throws: WireError.self) { try Visitor(service, user: 1001) }
            #expect(error?.code == ErrorCode.shuttingDown.rawValue)
        }
    }

    // MARK: Requests a second

    @Test("Past its rate a client is told which bound, how much, and when to try again")
    func pastItsRate() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds.requestsPerClient = 10 }, now: { clock.now() })
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
            Self.configuration { $0.clientBounds.requestsPerUser = 4 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { service in
            let first = try Visitor(service, user: 1001)
            for _ in 0..<2 { _ = first.ask("profile") }
            first.close()
            let second = try Visitor(service, user: 1001)
            for _ in 0..<2 { #expect(second.ask("profile")?["result"] != nil) }
            #expect(second.ask("profile")?["error"]?["data"]?["limit"] == "requestsPerUser")
            #expect(try Visitor(service, user: 1001).ask("profile")?["error"] != nil)
            #expect(try Visitor(service, user: 1002).ask("profile")?["result"] != nil)
        }
    }

    @Test("What one bound refuses is not taken from the other")
    func boundRefusesIsNotTaken() throws {
        let daemon = try TestDaemon(
            Self.configuration { ($0.clientBounds.requestsPerClient, $0.clientBounds.requestsPerUser) = (1, 3) },
            now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { service in
            let greedy = try Visitor(service, user: 1001)
            for _ in 0..<10 { _ = greedy.ask("profile") }
            let others = try (0..<3).map { _ in try Visitor(service, user: 1001).ask("profile")?["result"] != nil }
            #expect(others == [true, true, false])
        }
    }

    @Test("A notification over the rate becomes a decision, is counted, and is logged once")
    func notificationOverTheRate() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(Self.configuration { $0.clientBounds.requestsPerClient = 3 }, now: { clock.now() })
        let lines = Lines()
        try daemon.onLoop { service in service.onRefusal = { lines.add($0.text(user: "user 7")) } }
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
            Self.configuration { $0.clientBounds.requestsPerClient = 4 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
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
        let rest = FeedbackService.restOverRate(took: Nanoseconds(took), connections: connections)
        #expect(took * Int64(connections) * 4 < took + rest.count || rest == FeedbackService.mostRestOverRate)
        #expect(rest <= .seconds(1), "and nobody is kept waiting longer, whatever its turn took")
        #expect(rest >= .milliseconds(10), "and a single one that sends little is not looked at all the time")
    }

    @Test("A client over its rate that has gone is forgotten at once, also while it rests", arguments: [0, 30])
    func clientOverItsRate(milliseconds: Int64) throws {
        let configuration = try Self.configuration { $0.clientBounds.requestsPerClient = 1 }
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
        #expect(bench.service.sessions.isEmpty && bench.service.waits.isEmpty)
    }

    @Test("What is read late of one over its rate is refused, not forgotten")
    func readLateOfOneOverItsRate() throws {
        let daemon = try TestDaemon(
            Self.configuration { $0.clientBounds.requestsPerClient = 1 }, now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
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
        let strict = try Self.configuration(bounds: bounds) {
            $0.clientBounds = ClientBounds(clients: 1024, clientsPerUser: 1, requestsPerClient: 1)
            $0.access[.profile] = AccessList(users: [Account(name: "ada", id: 1001)])
        }
        let daemon = try TestDaemon(reloaded: .success(strict), now: { MonotonicInstant(nanoseconds: 5_000_000_000) })
        try daemon.onLoop { service in
            let ada = try Visitor(service, user: 1001)
            let bob = try Visitor(service, user: 1002)
            let second = try Visitor(service, user: 1002)
            for _ in 0..<10 { #expect(bob.ask("profile")?["result"] != nil) }
            #expect(ada.ask("reload")?["result"]?["changed"] == ["bounds", "access"])
            #expect(bob.ask("profile", #"{"set":"quiet"}"#)?["error"]?["code"] == notAllowed)
            #expect(bob.ask("profile")?["error"]?["data"]?["limit"] == "requestsPerClient")
            #expect(second.ask("profile")?["result"] != nil)
            #expect(throws: WireError.self) { try Visitor(service, user: 1002) }
        }
    }

    @Test("What the engine's bounds refuse is counted and told of, too")
    func enginesBoundsRefuse() throws {
        var bounds = EngineBounds.standard
        bounds.sourcesPerClient = 1
        let daemon = try TestDaemon(TestDaemon.configuration(bounds: bounds))
        let lines = Lines()
        try daemon.onLoop { service in
            service.onRefusal = { lines.add($0.text(user: "user \($0.user ?? 0)")) }
            let visitor = try Visitor(service, user: 1001)
            for id in ["a", "b", "c"] { _ = visitor.ask("progress", #"{"id":"\#(id)","value":0.5}"#) }
            #expect(visitor.ask("status")?["result"]?["refused"] == [["by": "sourcesPerClient", "count": .number(2)]])
        }
        #expect(lines.all.count == 1 && lines.all[0].contains("user 1001"), "\(lines.all)")
    }

    // MARK: What is kept to some

    private static let reloadable = Result<ServiceConfiguration, WireError>.failure(WireError(.invalidConfiguration, "read"))
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
        ])
    func access(who: (user: UInt32, groups: [UInt32], may: Bool), call: (method: String, params: String)) throws {
        let configuration = try Self.configuration { configuration in
            for privilege in Privilege.allCases { configuration.access[privilege] = Self.admins }
        }
        let daemon = try TestDaemon(configuration, reloaded: .success(configuration), ownUser: 900)
        try daemon.onLoop { service in
            let visitor = try Visitor(service, user: who.user, groups: who.groups)
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
        let daemon = try TestDaemon(Self.configuration { $0.access[.cancelAll] = Self.admins })
        try daemon.onLoop { service in
            let (ada, bob) = (try Visitor(service, user: 1001), try Visitor(service, user: 1002))
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

    @Test("Who may not cancel all does not end another's alarm with a faint one either, and is told so")
    func mayNotCancelAll() throws {
        let daemon = try TestDaemon(Self.configuration { $0.access[.cancelAll] = Self.admins })
        try daemon.onLoop { service in
            let (ada, bob) = (try Visitor(service, user: 1001), try Visitor(service, user: 1002))
            #expect(ada.ask("play", #"{"pattern":"minute","class":"alarm"}"#)?["result"]?["playback"] == .number(1))
            let faint = bob.ask("play", #"{"pattern":"soft","class":"alarm","intensity":0.01}"#)?["result"]
            #expect(faint?["decision"]?["reason"] == "notAllowed")
            #expect(bob.ask("status")?["result"]?["refused"] == [["by": "cancelAll", "count": .number(1)]])
            #expect(bob.ask("status")?["result"]?["playbacks"] == .number(1))
        }
    }

    @Test("In a batch only what is not allowed is refused")
    func batchOnlyWhatIsNotAllowed() throws {
        let daemon = try TestDaemon(Self.configuration { $0.access[.profile] = Self.admins })
        try daemon.onLoop { service in
            let output = RecordingOutput()
            let session = try service.open(Peer(user: 1002, groups: []), output: output)
            let items = [
                #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft"}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"profile","params":{"set":"silent"}}"#,
                #"{"jsonrpc":"2.0","method":"profile","params":{"set":"silent"}}"#,
                #"{"jsonrpc":"2.0","id":3,"method":"profile"}"#,
            ]
            service.say("[\(items.joined(separator: ","))]", from: session)
            guard case .array(let answers)? = output.last else { return #expect(Bool(false)) }
            #expect(answers[0]["result"]?["decision"]?["outcome"] == "played")
            #expect(answers[1]["error"]?["code"] == notAllowed)
            #expect(answers[2]["result"]?["profile"] == "full")
            #expect(service.refusedCounts() == [.init(by: "profile", count: 2)])
        }
    }

    @Test("A thousand refused calls are one line of the log")
    func thousandRefusedCalls() throws {
        let daemon = try TestDaemon(Self.configuration { $0.access[.reload] = Self.admins })
        try daemon.onLoop { service in
            var notices: [RefusalNotice] = []
            service.onRefusal = { notices.append($0) }
            let visitor = try Visitor(service, user: 1002)
            for _ in 0..<1000 { _ = visitor.ask("reload") }
            #expect(notices.map(\.user) == [1002] && notices.map(\.refusal.cause) == [.access(.reload)])
        }
    }

    @Test("The kernel tells who has connected, and in which groups they are")
    func kernelTellsWhoHasConnected() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("profile")
        let peer = try daemon.onLoop { $0.sessions.values.first?.peer }
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(CInt(groups.count), &groups))
        #expect(peer?.user == geteuid())
        #expect(Set(peer?.groups ?? []) == Set([getegid()] + groups.prefix(count)))
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
