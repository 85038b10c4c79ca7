// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

/// The user 1001 is a door.
@Suite("The clients of a door") struct HelloTests {
    private static let methods = ["event", "play", "progress", "hold", "task", "present", "cancel", "subscribe", "history"]

    private let bench: Bench

    init() throws {
        bench = try Bench {
            $0.access[.speakFor] = AccessList(users: [Account(name: "door", id: 1001)])
            try $0.addHolds()
        }
    }

    private static func hello(
        _ scope: String = "a", app: String = "shop", methods: [String] = Self.methods
    ) -> Call { Call(HelloParams(app: app, scope: scope, methods: methods)) }

    private func enter(
        _ scope: String, user: UInt32 = 1001, methods: [String] = Self.methods
    ) throws -> Client {
        let client = try bench.connect(user: user)
        #expect(bench.ask(Self.hello(scope, methods: methods), of: client)?.error == nil)
        return client
    }

    // MARK: Two clients of one door

    @Test("Two clients of one door with one id: neither sees nor ends the other's hold")
    func holds() throws {
        let (anna, bert) = (try enter("anna"), try enter("bert"))
        bench.subscribe(anna, to: .holds, .decisions)
        bench.subscribe(bert, to: .holds, .decisions)
        #expect(bench.ask(.hold("pay", .down), of: anna)?.decision?.reason == .pressed)
        #expect(bench.ask(.hold("pay", .up), of: bert)?.decision?.reason == .unchanged)
        _ = bench.ask(.cancelAll(), of: bert)
        #expect(bench.ask(.hold("pay", .down), of: bert)?.decision?.reason == .pressed)
        bench.service.disconnect(bert, at: bench.now)
        _ = bench.outputs()
        bench.pass(.seconds(3))
        let holds = bench.notices().compactMap(\.hold)
        #expect(holds.last?.state == .confirmed)
        for hold in holds {
            #expect(hold.owner == anna.owner)
            #expect(hold.masked.id == nil)
        }
        #expect(anna.owner != bert.owner)
    }

    @Test("A scope sees its own ids and values in the history, and null for those of others, also of its door")
    func history() throws {
        let (anna, bert, door) = (try enter("anna"), try enter("bert"), try bench.connect(user: 1001))
        _ = bench.ask(.event(EventParams(name: "a.b", id: "till", value: .number(3))), of: anna)
        for (reader, sees) in [(anna, true), (bert, false), (door, false), (try enter("anna"), true)] {
            let decision = try bench.history(of: reader).entries[0].decision
            #expect(decision.source == (sees ? "till" : nil))
            #expect(decision.value == (sees ? .number(3) : nil))
            #expect((decision.user, decision.app) == (1001, "shop"))
        }
        #expect(try bench.history(of: try bench.connect(user: 0)).entries[0].decision.source == "till")
    }

    @Test("A scope cancels what it plays, and nothing else")
    func cancel() throws {
        let (anna, bert) = (try enter("anna"), try enter("bert"))
        let playback = try #require(bench.ask(.play("minute", id: "x"), of: anna)?.decision?.playback)
        let targets: [CancelTarget] = [.all, .playback(PlaybackID(playback)), .source(id: "x")]
        for target in targets { #expect(bench.ask(.cancel(CancelParams(target)), of: bert) == .cancel(.init(cancelled: 0))) }
        #expect(bench.ask(.cancelAll(), of: anna) == .cancel(.init(cancelled: 1)))
        #expect(bench.ask(.cancel(.untilResumed), of: anna)?.error?.code == ErrorCode.notAllowed.rawValue)
    }

    @Test("A scope goes on when it connects again, and begins anew once too many others have gone after it")
    func remembered() throws {
        let step = Call.progress(ProgressParams(id: "copy", value: Progress(0.5)!))
        let anna = try enter("anna")
        #expect(bench.ask(step, of: anna)?.decision?.reason != .belowStep)
        bench.service.disconnect(anna, at: bench.now)
        let again = try enter("anna")
        #expect(bench.ask(step, of: again)?.decision?.reason == .belowStep)
        bench.service.disconnect(again, at: bench.now)
        for number in 0..<ScopeTable.mostGone { bench.service.disconnect(try enter("\(number)"), at: bench.now) }
        #expect(bench.ask(step, of: try enter("anna"))?.decision?.reason != .belowStep)
    }

    // MARK: The app

    @Test("The app of the connection outranks that of an input and of a transaction, and is believed")
    func app() throws {
        _ = bench.ask(.settings { $0.apps = .set(["shop": .set(.most)]) }, of: try bench.connect(user: 0))
        let anna = try enter("anna", methods: ["play", "transaction"])
        var params = PlayParams(pattern: .named("soft"))
        (params.app, params.intensity) = ("bank", Intensity(clamping: 0.5))
        let decision = bench.ask(.play(params), of: anna)?.decision
        #expect((decision?.app, decision?.intensity) == ("shop", 0.75))
        let transaction = Request(.transaction(TransactionParams(app: "bank")))
        let replies = bench.say([transaction, Request(.play(params))], of: anna)
        #expect(replies[0]?.result(as: TransactionResult.self)?.app == "shop")
        #expect(replies[1]?.decision?.app == "shop")
        bench.subscribe(try bench.connect(), to: .decisions)
        _ = bench.say([try .unusable("play", #"{"app":"bank"}"#, wantsReply: false)], of: anna)
        #expect(bench.decisions().map(\.app) == ["shop"])
    }

    // MARK: Methods and rights

    @Test("Only the named methods are answered, and an error names them")
    func methods() throws {
        let anna = try enter("anna", methods: ["cancel", "event", "event"])
        #expect(bench.ask(.event(EventParams(name: "a.b")), of: anna)?.decision != nil)
        for call in [.discover, .status, .play("soft"), .transaction(TransactionParams())] as [Call] {
            let error = bench.ask(call, of: anna)?.error
            #expect((error?.code, error?.data) == (ErrorCode.notAllowed.rawValue, .init(limit: "methods")))
            #expect(error?.message.contains("names (`event`, `cancel`)") == true)
        }
        #expect(bench.ask(Call(CancelParams(.all)), of: anna)?.error == nil)
        #expect(bench.say([try .unusable("evnt")], of: anna)[0]?.error?.data?.didYouMean == "event")
    }

    @Test("A notification of an input that is not named becomes a decision")
    func refusedNotification() throws {
        let anna = try enter("anna", methods: ["event"])
        bench.subscribe(try bench.connect(), to: .decisions)
        _ = bench.say([Request(.play("soft", id: "x"), wantsReply: false)], of: anna)
        let decision = try #require(bench.decisions().first)
        #expect((decision.outcome, decision.reason) == (.failed, .notAllowed))
        #expect((decision.source, decision.app) == ("x", "shop"))
        #expect(decision.owner == anna.owner)
    }

    @Test(
        "A scope has the rights of a user whom the configuration does not name, whoever its door is",
        arguments: [1001, 0, 900] as [UInt32])
    func rights(user: UInt32) throws {
        let bench = try Bench {
            for privilege in Privilege.allCases { $0.access[privilege] = AccessList(users: [Account(name: "door", id: 1001)]) }
        }
        let (door, client) = (try bench.connect(user: user), try bench.connect(user: user))
        #expect(bench.ask(Self.hello(methods: ["reload", "settings", "play", "history"]), of: client)?.error == nil)
        for call in [.reload, .set(.full)] as [Call] {
            let error = bench.ask(call, of: client)?.error
            #expect(error?.code == ErrorCode.notAllowed.rawValue)
            #expect(error?.message.contains("the client of a door is none of them") == true)
            #expect(bench.ask(call, of: door)?.error == nil)
        }
        #expect(bench.ask(.play(as: .alarm), of: client)?.decision?.reason == .notAllowed)
        #expect(bench.ask(.play(as: .alarm), of: door)?.decision?.outcome == .played)
        #expect([bench.service.seesOthers(client), bench.service.seesOthers(door)] == [false, true])
        let rights = bench.service.clients.rights
        #expect([rights.seesConfiguration(client), rights.seesConfiguration(door)] == [false, true])
    }

    @Test("What is free for everyone is free for a scope, and a reload that names somebody takes it away")
    func free() throws {
        let anna = try enter("anna", methods: ["settings", "play"])
        #expect(bench.ask(.set(.full), of: anna)?.error == nil)
        #expect(bench.ask(.play(as: .alarm), of: anna)?.decision?.outcome == .played)
        bench.reload(try Bench.configuration { $0.access[.settings] = AccessList(users: [Account(name: "door", id: 1001)]) })
        #expect(bench.ask(.set(.quiet), of: anna)?.error?.code == ErrorCode.notAllowed.rawValue)
        #expect(!anna.identity.maySpeakFor, "its door may no longer")
        #expect(anna.owner.scope != nil)
    }

    // MARK: The first line

    @Test("A `hello` of a user who may not speak for others is refused with the key, and so is all that follows")
    func notAllowed() throws {
        let client = try bench.connect(user: 1002)
        let error = bench.ask(Self.hello(), of: client)?.error
        #expect((error?.code, error?.data?.limit) == (ErrorCode.notAllowed.rawValue, "speakFor"))
        #expect(error?.message.contains("`access: speakFor`") == true)
        try expectRefused(client)
    }

    /// All that `client` says is refused, for its `hello` was.
    private func expectRefused(_ client: Client) throws {
        for call in [.event(EventParams(name: "a.b")), Self.hello(), .cancelAll(), .askSettings] as [Call] {
            let error = bench.ask(call, of: client)?.error
            #expect(error?.code == ErrorCode.invalidRequest.rawValue)
            #expect(error?.message.hasPrefix("not done, for the `hello` of this connection was refused: ") == true)
        }
    }

    @Test("A `hello` behind another line, behind a line that cannot be read, or in a batch is refused with all that follows")
    func notFirst() throws {
        let late = try bench.connect(user: 1001)
        _ = bench.ask(.askSettings, of: late)
        #expect(bench.ask(Self.hello(), of: late)?.error?.message.hasPrefix("`hello` must be the first line") == true)
        try expectRefused(late)
        let unread = try bench.connect(user: 1001)
        _ = bench.service.chargeUnusable(Array("{".utf8), of: unread, WireError(.parse, "no JSON"), at: bench.now)
        #expect(bench.ask(Self.hello(), of: unread)?.error?.code == ErrorCode.invalidRequest.rawValue)
        try expectRefused(unread)
        let batched = try bench.connect(user: 1001)
        let hello = #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"app":"a","scope":"b","methods":["event"]}}"#
        guard case .batch(let messages) = ClientLine(Array("[\(hello)]".utf8)) else { return #expect(Bool(false)) }
        let replies = bench.say(messages.map { Request($0) } + [Request(.askSettings)], of: batched)
        #expect(replies.map { $0?.error?.code } == [ErrorCode.invalidRequest.rawValue, ErrorCode.invalidRequest.rawValue])
        try expectRefused(batched)
    }

    @Test("A second `hello` is an error and changes nothing")
    func twice() throws {
        let anna = try enter("anna", methods: ["event", "hello"])
        let owner = anna.owner
        let error = bench.ask(Self.hello("bert"), of: anna)?.error
        #expect((error?.code, anna.owner) == (ErrorCode.invalidRequest.rawValue, owner))
        #expect(bench.ask(.event(EventParams(name: "a.b")), of: anna)?.decision?.app == "shop")
    }

    @Test("As a notification `hello` counts, and refuses what follows if it cannot be used")
    func notification() throws {
        let anna = try bench.connect(user: 1001)
        #expect(bench.say([Request(Self.hello(methods: ["event"]), wantsReply: false)], of: anna) == [nil])
        #expect(bench.ask(.play("soft"), of: anna)?.error?.data?.limit == "methods")
        let bert = try bench.connect(user: 1001)
        #expect(bench.say([try .unusable("hello", #"{"app":"a"}"#, wantsReply: false)], of: bert) == [nil])
        try expectRefused(bert)
    }

    @Test(
        "Params that cannot be used are named, and a method that is not known with the one that was meant",
        arguments: [
            (#"{"scope":"b","methods":["event"]}"#, "app", nil), (#"{"app":"a","scope":"","methods":["event"]}"#, "scope", nil),
            (#"{"app":"a","scope":"b","methods":[]}"#, "methods", nil),
            (#"{"app":"a","scope":"b","methods":["event","evnet"]}"#, "methods[1]", "event"),
            (#"{"app":"a","scope":"b","mehtods":["event"]}"#, "mehtods", "methods"),
        ] as [(String, String, String?)])
    func mistakes(params: String, path: String, meant: String?) throws {
        let client = try bench.connect(user: 1001)
        let error = bench.say([try .unusable("hello", params)], of: client)[0]?.error
        #expect(error?.code == ErrorCode.invalidParams.rawValue)
        #expect((error?.data?.path, error?.data?.didYouMean) == (path, meant))
        try expectRefused(client)
    }

    @Test("The answer has what is in force, and the lengths of app and scope are bounded")
    func limits() throws {
        let (app, scope) = (String(repeating: "a", count: WireLimit.app), String(repeating: "b", count: WireLimit.text))
        let reply = bench.ask(Self.hello(scope, app: app, methods: ["play", "event", "play"]), of: try bench.connect(user: 1001))
        let result = try #require(reply?.result(as: HelloResult.self))
        #expect(result == HelloResult(app: app, scope: scope, methods: ["event", "play"]))
        for long in [#""app":"\#(app)a","scope":"b""#, #""app":"a","scope":"\#(scope)b""#] {
            let request = try Request.unusable("hello", "{\(long),\"methods\":[\"event\"]}")
            #expect(bench.say([request], of: try bench.connect(user: 1001))[0]?.error?.code == ErrorCode.invalidParams.rawValue)
        }
    }

    @Test("No rate refuses the first line, and a release of a hold is taken after a refused `hello`")
    func rateAndRelease() throws {
        let bench = try Bench {
            $0.access[.speakFor] = AccessList(users: [Account(name: "door", id: 1001)])
            $0.clientBounds.requestsPerUser = 1
            try $0.addHolds()
        }
        let presser = try bench.connect(user: 1001)
        #expect(bench.ask(.hold("pay", .down), of: presser)?.decision?.reason == .pressed)
        #expect(bench.ask(Self.hello(), of: try bench.connect(user: 1001))?.error == nil)
        bench.pass(.milliseconds(250))
        _ = bench.ask(Self.hello(), of: presser)
        #expect(bench.ask(.hold("pay", .up), of: presser)?.decision?.reason == .released)
    }
}
