// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Conditions") struct ConditionTests {
    /// The camera silences notifications; users 1001 and 1002 may assert conditions.
    private static func configuration(_ count: Int = 0) throws -> ServiceConfiguration {
        var effects = ConditionRule.Effects()
        effects.notification = .nothing
        let more = (0..<count).map { ConditionRule(name: "c\($0)", profile: .quiet) }
        return try Bench.configuration { configuration in
            let engine = configuration.engine
            configuration.engine = try EngineConfiguration(
                actuators: engine.actuators, progressRules: engine.progressRules,
                conditionRules: [ConditionRule(name: "camera", effects: effects)] + more, patterns: engine.patterns,
                bounds: engine.bounds)
            let users = ([1001, 1002] as [UInt32]).map { Account(name: "ada", id: $0) }
            configuration.access[.conditions] = AccessList(users: users)
            configuration.access[.speakFor] = AccessList(users: users)
        }
    }

    private let bench: Bench

    init() throws { bench = try Bench { $0 = try Self.configuration(40) } }

    private func set(_ name: String, _ isOn: Bool, of client: Client) -> Reply? {
        bench.ask(Call(ConditionParams(name, on: isOn)), of: client)
    }

    private func inForce(_ reply: Reply?) -> Bool? { reply?.result(as: ConditionResult.self)?.inForce }

    private func reason() throws -> Reason? {
        var play = PlayParams(pattern: .named("soft"))
        play.feedbackClass = .notification
        let other = try bench.connect(user: 1003)
        defer { bench.service.disconnect(other, at: bench.now) }
        return bench.ask(.play(play), of: other)?.result(as: PlayResult.self)?.decision.reason
    }

    @Test("A condition affects the feedback of every user until its client releases it")
    func asserted() throws {
        let client = try bench.connect()
        #expect(inForce(set("camera", true, of: client)) == true)
        #expect(try reason() == .condition)
        #expect(inForce(set("camera", false, of: client)) == false)
        #expect(try reason() == nil)
    }

    @Test("A condition of two users is in force until both have released it, or are gone")
    func twoUsers() throws {
        let (ada, bob) = (try bench.connect(), try bench.connect(user: 1002))
        _ = set("camera", true, of: ada)
        _ = set("camera", true, of: bob)
        #expect(inForce(set("camera", false, of: ada)) == true)
        #expect(try reason() == .condition)
        bench.service.disconnect(bob, at: bench.now)
        #expect(try reason() == nil)
    }

    @Test("The client of a door asserts no condition, also if its door may")
    func scoped() throws {
        let page = try bench.connect(user: 1001)
        let hello = HelloParams(app: "shop", scope: "page", methods: ["condition"])
        #expect(bench.ask(Call(hello), of: page)?.error == nil)
        let error = set("camera", true, of: page)?.error
        #expect((error?.code, error?.data?.limit) == (ErrorCode.notAllowed.rawValue, Privilege.conditions.rawValue))
        #expect(inForce(set("camera", false, of: page)) == false)
        #expect(try reason() == nil)
    }

    @Test("An unknown name is an error with a suggestion")
    func unknown() throws {
        let error = set("camra", true, of: try bench.connect())?.error
        #expect(error?.code == ErrorCode.invalidParams.rawValue)
        #expect(error?.data?.didYouMean == "camera")
        #expect(error?.data?.path == "name")
        bench.reload(try Bench.configuration())
        let none = set("camera", true, of: try bench.connect(user: 0))?.error
        #expect(none?.message == "`name`: unknown condition `camera`; add it to `conditions` of the configuration")
    }

    @Test("A release needs no right, so its error does not tell the names in the configuration")
    func unknownRelease() throws {
        let error = set("camra", false, of: try bench.connect(user: 1003))?.error
        #expect(error?.code == ErrorCode.invalidParams.rawValue)
        #expect(error?.message == "`name` is no condition of the configuration")
        #expect(error?.data?.didYouMean == nil)
    }

    @Test(
        "Only root, the daemon's user and those in `access: conditions` assert a condition",
        arguments: [(0, true), (900, true), (1001, true), (1003, false)] as [(UInt32, Bool)])
    func rights(user: UInt32, may: Bool) throws {
        let client = try bench.connect(user: user)
        let error = set("camera", true, of: client)?.error
        #expect(error?.code == (may ? nil : ErrorCode.notAllowed.rawValue))
        #expect(error?.data?.limit == (may ? nil : "conditions"))
        #expect(try reason() == (may ? .condition : nil))
    }

    @Test("Without `access: conditions` only root and the daemon's user assert one")
    func standardRights() throws {
        var plain = try Self.configuration()
        plain.access = AccessRules()
        bench.reload(plain)
        #expect(set("camera", true, of: try bench.connect())?.error?.code == ErrorCode.notAllowed.rawValue)
        #expect(set("camera", true, of: try bench.connect(user: 0))?.error == nil)
    }

    @Test("A client that has lost the right may still release what it asserts")
    func rightLost() throws {
        let client = try bench.connect()
        _ = set("camera", true, of: client)
        var plain = try Self.configuration()
        plain.access = AccessRules()
        bench.reload(plain)
        #expect(try reason() == .condition)
        #expect(inForce(set("camera", false, of: client)) == false)
    }

    @Test("One user asserts 32 conditions on all connections; another user is not affected")
    func bound() throws {
        let (first, second, bob) = (try bench.connect(), try bench.connect(), try bench.connect(user: 1002))
        for index in 0..<ConditionRule.mostPerUser {
            #expect(set("c\(index)", true, of: index.isMultiple(of: 2) ? first : second)?.error == nil)
        }
        let error = set("camera", true, of: first)?.error
        #expect(error?.code == ErrorCode.quota.rawValue)
        #expect(error?.data?.most == ConditionRule.mostPerUser)
        #expect(inForce(set("camera", true, of: bob)) == true)
        bench.service.disconnect(second, at: bench.now)
        #expect(inForce(set("camera", true, of: first)) == true)
    }

    private func turn(_ name: Text, _ isOn: Bool) {
        bench.service.take([DeviceChange(.condition(name), isDown: isOn, at: bench.now)], at: bench.now)
    }

    @Test("A switch of the device asserts a condition, and so may a client: it is in force until both have released it")
    func device() throws {
        turn("camera", true)
        #expect(try reason() == .condition)
        let client = try bench.connect()
        _ = set("camera", true, of: client)
        turn("camera", false)
        #expect(try reason() == .condition)
        turn("camera", true)
        #expect(inForce(set("camera", false, of: client)) == true)
        turn("camera", false)
        #expect(try reason() == nil)
    }

    @Test("Switches of the device take nothing from the conditions of the daemon's user, and a name without a rule does nothing")
    func deviceBound() throws {
        for index in 0..<40 { turn("c\(index)", true) }
        turn("gone", true)
        let daemon = try bench.connect(user: 900)
        #expect(bench.status(of: daemon)?.settings.conditions.count == 40)
        for index in 0..<ConditionRule.mostPerUser { #expect(set("c\(index)", true, of: daemon)?.error == nil) }
    }

    @Test("Status and the notice of the settings list the conditions in force")
    func shown() throws {
        let (client, listener) = (try bench.connect(), try bench.connect(user: 1003))
        bench.subscribe(listener, to: .settings)
        _ = set("camera", true, of: client)
        #expect(bench.status(of: listener)?.settings.conditions == ["camera"])
        _ = set("camera", true, of: client)
        bench.service.disconnect(client, at: bench.now)
        let notices = bench.notices().compactMap(\.settings)
        #expect(notices.map(\.changed) == [["conditions"], ["conditions"]])
        #expect(notices.map(\.now.conditions) == [["camera"], []])
        #expect(notices.map(\.user) == [1001, nil])
    }

    @Test("A reload drops a condition whose rule has gone")
    func reload() throws {
        _ = set("camera", true, of: try bench.connect())
        bench.reload(try Bench.configuration())
        #expect(try reason() == nil)
        bench.reload(try Self.configuration())
        #expect(try reason() == nil)
    }

    @Test("The history names the condition, and the link of the policy")
    func history() throws {
        let client = try bench.connect()
        _ = set("camera", true, of: client)
        _ = try reason()
        let entry = try #require(try bench.history(of: client).entries.first)
        #expect(entry.condition == "camera")
        #expect(entry.chain.last == HistoryEntry.Link("condition", reason: .condition))
    }
}
