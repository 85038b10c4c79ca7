// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Rights and rates") struct RightsTests {
    private static let admins = AccessList(users: [Account(name: "ada", id: 1001)], groups: [Account(name: "desk", id: 50)])

    @Test("A user who opens more connections than one may have leaves room for others, and is logged once")
    func connections() throws {
        let bench = try Bench { $0.clientBounds = ClientBounds(clients: 10, clientsPerUser: 4) }
        let kept = try (0..<4).map { _ in try bench.connect(user: 1001) }
        for _ in 0..<100 {
            let error = #expect(throws: WireError.self) { try bench.connect(user: 1001) }
            #expect((error?.data?.limit, error?.data?.most) == ("clientsPerUser", 4))
        }
        let other = try bench.connect(user: 1002)
        #expect(bench.status(of: other)?.refused == [.init(by: "clientsPerUser", count: 100)])
        #expect(bench.outputs().map(\.name) == ["refusal"])
        bench.service.disconnect(kept[0], at: bench.now)
        _ = try bench.connect(user: 1001)
        // What was refused after the first time is logged once it is over.
        bench.pass(.seconds(61))
        guard case .refusal(let notice)? = bench.outputs().first else {
            Issue.record("nothing is logged")
            return
        }
        #expect((notice.more, notice.user) == (99, 1001))
    }

    @Test("Past its rate a client is refused with the bound and when to try again; a notification becomes a decision")
    func rate() throws {
        let bench = try Bench { $0.clientBounds.requestsPerClient = 10 }
        let (client, other) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.decisions), of: other)
        for _ in 0..<10 { #expect(bench.ask(.askSettings, of: client)?.error == nil) }
        #expect(!client.isOverRate)
        let data = bench.ask(.askSettings, of: client)?.error?.data
        #expect(data == .init(limit: "requestsPerClient", most: 10, retryAfterMs: 100))
        #expect(client.isOverRate)
        #expect(!other.isOverRate)
        bench.service.removeOutputs()
        #expect(bench.say([Request(.event(EventParams(name: "a.b", id: "till")), wantsReply: false)], of: client) == [nil])
        let decision = try #require(bench.decisions().first)
        #expect((decision.reason, decision.source) == (.quota, "till"))
        #expect(decision.name == "a.b")
        #expect(bench.status(of: other)?.invalidNotifications == 0)
        bench.pass(.milliseconds(100))
        #expect(bench.ask(.askSettings, of: client)?.error == nil)
    }

    @Test("The clients of one user share the user's rate, and a request that one bound refuses does not count for the other")
    func sharedRate() throws {
        let bench = try Bench { ($0.clientBounds.requestsPerClient, $0.clientBounds.requestsPerUser) = (1, 3) }
        let greedy = try bench.connect()
        for _ in 0..<10 { _ = bench.ask(.askSettings, of: greedy) }
        bench.service.disconnect(greedy, at: bench.now)
        let errors = try (0..<3).map { _ in bench.ask(.askSettings, of: try bench.connect())?.error?.data?.limit }
        #expect(errors == [nil, nil, "requestsPerUser"])
        #expect(bench.ask(.askSettings, of: try bench.connect(user: 1002))?.error == nil)
    }

    @Test("A line that stands for a request counts like one")
    func charge() throws {
        let bench = try Bench { $0.clientBounds.requestsPerClient = 2 }
        let client = try bench.connect()
        #expect(bench.service.charge(client, at: bench.now) == nil)
        #expect(bench.service.charge(client, at: bench.now) == nil)
        #expect(bench.ask(.askSettings, of: client)?.error?.code == ErrorCode.quota.rawValue)
    }

    @Test(
        "A right belongs to named users, members of named groups, root and the daemon's user, and to nobody else",
        arguments: [
            (1001, [100], true), (1002, [100], false), (1002, [50], true), (1002, [100, 7, 50], true), (0, [], true),
            (900, [], true), (1002, [], false), (50, [1001], false),
        ] as [(UInt32, [UInt32], Bool)], [.reload, .cancelAll(), .set(.quiet)] as [Call])
    func access(who: (user: UInt32, groups: [UInt32], may: Bool), call: Call) throws {
        let bench = try Bench { for privilege in Privilege.allCases { $0.access[privilege] = Self.admins } }
        let client = try bench.connect(user: who.user, groups: who.groups)
        let error = bench.ask(call, of: client)?.error
        #expect(error?.code == (who.may ? nil : ErrorCode.notAllowed.rawValue))
        #expect(error?.message.contains("group `desk`") == (who.may ? nil : true))
        #expect(bench.ask(.askSettings, of: client)?.error == nil)
    }

    /// Who may set the profile, and who a strength, where `profile` and `settings` are kept to these groups.
    @Test(
        "The right to change all settings includes the profile; a list for one of the two counts for both",
        arguments: [
            (nil, nil, [[], [1], [2]], [[], [1], [2]]), ([1], nil, [[1]], [[1]]), (nil, [2], [[2]], [[2]]),
            ([1], [2], [[1], [2]], [[2]]),
        ] as [(profile: [UInt32]?, settings: [UInt32]?, setProfile: [[UInt32]], setStrength: [[UInt32]])])
    func settings(profile: [UInt32]?, settings: [UInt32]?, setProfile: [[UInt32]], setStrength: [[UInt32]]) throws {
        let bench = try Bench { configuration in
            func list(_ groups: [UInt32]?) -> AccessList? {
                groups.map { AccessList(groups: $0.map { Account(name: "g\($0)", id: $0) }) }
            }
            (configuration.access[.profile], configuration.access[.settings]) = (list(profile), list(settings))
        }
        let strength = Call.settings { $0.strength = .set(.full) }
        let both = Call.settings { ($0.profile, $0.strength) = (.set(.full), .set(.full)) }
        for groups in [[], [1], [2]] as [[UInt32]] {
            let client = try bench.connect(groups: groups)
            func may(_ call: Call) -> Bool {
                let code = bench.ask(call, of: client)?.error?.code
                #expect([nil, ErrorCode.notAllowed.rawValue].contains(code))
                return code == nil
            }
            #expect(may(.set(.full)) == setProfile.contains(groups))
            #expect((may(strength), may(both)) == (setStrength.contains(groups), setStrength.contains(groups)))
            #expect(may(.askSettings))
        }
        for user in [0, 900] as [UInt32] { #expect(bench.ask(both, of: try bench.connect(user: user))?.error == nil) }
    }

    @Test("A refusal to change settings names the change, the users who may make it, and the key")
    func settingsRefused() throws {
        let bench = try Bench { $0.access[.profile] = Self.admins }
        let client = try bench.connect(user: 1002)
        let error = bench.ask(.settings { $0.off = .set(.forGood) }, of: client)?.error
        #expect(error?.data?.limit == "profile")
        #expect(error?.message.hasPrefix("changing what people set is kept to user `ada`, group `desk`, root and") == true)
        #expect(error?.message.hasSuffix("(`access: profile`)") == true)
        #expect(bench.status(of: client)?.refused == [.init(by: "profile", count: 1)])
    }

    @Test("The class `alarm` of a user without the right is refused, and a reload changes that for connected clients")
    func alarms() throws {
        let bench = try Bench { $0.access[.classes] = Self.admins }
        let (ada, bob) = (try bench.connect(user: 1001), try bench.connect(user: 1002))
        func reason(_ client: Client) -> String? { bench.ask(.play(as: .alarm), of: client)?.decision?.reason?.rawValue }
        #expect(reason(ada) == nil)
        #expect(reason(bob) == "notAllowed")
        #expect(bench.ask(.play("soft"), of: bob)?.decision?.outcome != .failed)
        #expect(bench.status(of: bob)?.refused == [.init(by: "classes", count: 1)])
        bench.reload(try Bench.configuration())
        #expect(reason(bob) == nil)
    }

    @Test("Only users in `speakFor`, root and the daemon's user may set an app above 100 %; others may only lower it")
    func speakFor() throws {
        let bench = try Bench { $0.access[.speakFor] = Self.admins }
        let set = Call.settings { $0.apps = .set(["door": .set(.most), "soft": .set(Strength(0.5)!)]) }
        _ = bench.ask(set, of: try bench.connect(user: 0))
        func intensity(_ app: String, _ user: UInt32, _ groups: [UInt32] = []) throws -> Double? {
            var params = PlayParams(pattern: .named("soft"))
            (params.app, params.intensity) = (app, Intensity(clamping: 0.5))
            return bench.ask(.play(params), of: try bench.connect(user: user, groups: groups))?.decision?.intensity
        }
        for (user, groups, wanted) in [(1001, [], 0.75), (1002, [50], 0.75), (0, [], 0.75), (900, [], 0.75), (1002, [], 0.5)]
            as [(UInt32, [UInt32], Double)]
        {
            #expect(try (intensity("door", user, groups), intensity("soft", user, groups)) == (wanted, 0.25))
        }
    }

    @Test(
        "Only root and the daemon's own user begin a suspension, whoever may cancel all",
        arguments: [(0, true), (900, true), (1001, false), (1002, false)] as [(UInt32, Bool)])
    func untilResumed(user: UInt32, may: Bool) throws {
        let bench = try Bench { $0.access[.cancelAll] = Self.admins }
        let client = try bench.connect(user: user)
        let reply = bench.ask(.cancel(.untilResumed), of: client)
        #expect((reply?.ticket != nil) == may)
        #expect(reply?.error?.code == (may ? nil : ErrorCode.notAllowed.rawValue))
        #expect(reply?.error?.data?.path == (may ? nil : "untilResumed"))
        let reason = bench.ask(.play("soft"), of: try bench.connect())?.decision?.reason
        #expect(reason == (may ? .suspended : nil))
        let refused = bench.status(of: client)?.refused
        #expect(refused == (may ? [] : [.init(by: "untilResumed", count: 1)]))
        #expect(bench.outputs().map(\.name).contains("refusal") == !may)
    }

    @Test("Users who may not cancel all may cancel their own playbacks by number, and no one else's")
    func cancelByNumber() throws {
        let bench = try Bench { $0.access[.cancelAll] = Self.admins }
        let (ada, bob) = (try bench.connect(user: 1001), try bench.connect(user: 1002))
        func play(_ client: Client) throws -> Call {
            let playback = try #require(bench.ask(.play("minute"), of: client)?.decision?.playback)
            return .cancel(CancelParams(.playback(PlaybackID(playback)), mode: .immediate))
        }
        let cancelAdas = try play(ada)
        #expect(bench.ask(cancelAdas, of: bob)?.error?.code == ErrorCode.notAllowed.rawValue)
        #expect(bench.ask(cancelAdas, of: ada) == .cancel(CancelResult(cancelled: 1)))
        #expect(bench.ask(try play(bob), of: bob) == .cancel(CancelResult(cancelled: 1)))
    }

    @Test("Users who may not cancel all do not end another's alarm by a faint one either")
    func faintAlarm() throws {
        let bench = try Bench { $0.access[.cancelAll] = Self.admins }
        let (ada, bob) = (try bench.connect(user: 1001), try bench.connect(user: 1002))
        func alarm(_ pattern: String, _ intensity: Double, of client: Client) -> DecisionResult? {
            var params = PlayParams(pattern: .named(pattern))
            (params.feedbackClass, params.intensity) = (.alarm, Intensity(clamping: intensity))
            return bench.ask(.play(params), of: client)?.decision
        }
        #expect(alarm("minute", 1, of: ada)?.playback == 1)
        #expect(alarm("soft", 0.01, of: bob)?.reason == .notAllowed)
        #expect(bench.status(of: bob)?.refused == [.init(by: "cancelAll", count: 1)])
        #expect(bench.status(of: bob)?.playbacks == 1)
    }

    @Test("The release of another connection's hold is not counted as a refused right")
    func heldByOther() throws {
        let bench = try Bench { try $0.addHolds() }
        let (one, other) = (try bench.connect(), try bench.connect())
        #expect(bench.ask(.hold("pay", .down), of: one)?.decision?.reason == .pressed)
        #expect(bench.ask(.hold("pay", .up), of: other)?.decision?.reason == .notAllowed)
        #expect(bench.status(of: one)?.refused == [])
        #expect(bench.outputs().isEmpty)
    }

    @Test("Refusals by the engine's bounds are counted and logged, too")
    func engineBounds() throws {
        var bounds = EngineBounds.standard
        bounds.sourcesPerClient = 1
        let bench = try Bench(bounds: bounds)
        let client = try bench.connect()
        let calls = ["a", "b", "c"].map { Call.progress(ProgressParams(id: $0, value: Progress(clamping: 0.5))) }
        let reasons = calls.map { bench.ask($0, of: client)?.decision?.reason }
        #expect(reasons == [nil, .quota, .quota])
        #expect(bench.status(of: client)?.refused == [.init(by: "sourcesPerClient", count: 2)])
        #expect(bench.outputs().map(\.name) == ["refusal"])
    }

    @Test(
        "The mistakes of a configuration are shown to root, the daemon's user and the users in `access: reload`",
        arguments: [
            (0, [], false, true), (900, [], false, true), (1001, [], true, true), (1002, [50], true, true),
            // Everyone may reload where nobody is named, which lets nobody read the file.
            (1001, [], false, false),
        ] as [(UInt32, [UInt32], Bool, Bool)])
    func reloadErrors(user: UInt32, groups: [UInt32], isNamed: Bool, sees: Bool) throws {
        let bench = try Bench { if isNamed { $0.access[.reload] = Self.admins } }
        let client = try bench.connect(user: user, groups: groups)
        let own = bench.service.requestReload()
        let ticket = try #require(bench.ask(.reload, of: client)?.ticket)
        let diagnostics = ["a.yaml:3:1: `secret`: unknown key", "a.yaml: 7 more errors are not shown"]
        let error = WireError(.invalidConfiguration, "it cannot be used", data: .init(diagnostics: diagnostics, errors: 8))
        // The first is for the daemon itself, the second for who asked meanwhile.
        for _ in 1...2 { bench.service.reloaded(.failure(error), at: bench.now) }
        let outputs = bench.outputs()
        #expect(outputs.first { $0.lateTicket == own }?.late?.error == error)
        let shown = try #require(outputs.first { $0.lateTicket == ticket }?.late?.error)
        guard !sees else {
            #expect(shown == error)
            return
        }
        #expect(shown.code == error.code)
        #expect(shown.data == nil)
        #expect(!shown.message.contains("secret"))
        #expect(shown.message.hasPrefix("it cannot be used; it has 8 mistakes, which hapticd's log lists"))
    }

    @Test("A reload reports the parts that differ and the number of entries, and no names")
    func reloadDifferences() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let ticket = try #require(bench.ask(.reload, of: client)?.ticket)
        bench.reload(try Bench.configuration { $0.entries["patterns"] = [.init("secret", .init(1))] })
        guard let result: ReloadResult = bench.outputs().first(where: { $0.lateTicket == ticket })?.late?.result() else {
            Issue.record("no answer")
            return
        }
        #expect(result.differences == [.init(part: "patterns", added: 1, removed: 0, changed: 0)])
        #expect(!"\(result)".contains("secret"))
    }

    @Test("The status says which file the configuration in force was read from, and that the built-in one has none")
    func configurationFile() throws {
        let bench = try Bench { $0.file = "/etc/hapticd/hapticd.yaml" }
        let client = try bench.connect()
        #expect(bench.status(of: client)?.configuration == .init(file: "/etc/hapticd/hapticd.yaml"))
        _ = bench.ask(.reload, of: client)
        let builtIn = ReloadedConfiguration(try Bench.configuration(), replacing: bench.service.configuration)
        #expect(builtIn.result.isBuiltIn)
        bench.service.reloaded(.success(builtIn), at: bench.now)
        #expect(bench.status(of: client)?.configuration == .init(file: nil))
    }
}
