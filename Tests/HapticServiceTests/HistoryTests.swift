// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticText
import HapticWire
import Testing

@testable import HapticService

@Suite("The history of decisions") struct HistoryTests {
    private func progress(_ value: Double, id: String = "copy") -> Call {
        .progress(ProgressParams(id: id, value: Progress(clamping: value)))
    }

    @Test("Felt, refused and failed inputs are kept, the newest first; those below a step, merged or released are counted")
    func kept() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for value in [0.5, 0.501, 0.502, 0.6] {
            _ = bench.ask(progress(value), of: client)
            bench.pass(.milliseconds(100))
        }
        _ = bench.ask(.release(ReleaseParams(id: "copy")), of: client)
        _ = bench.ask(.event(EventParams(name: "nobody.cares")), of: client)
        _ = bench.say([try .unusable("event", wantsReply: false)], of: client)
        let result = try bench.history(of: client)
        #expect(result.entries.map(\.decision.reason) == [.invalidParams, .noRule, nil, nil])
        #expect(result.entries.map(\.decision.seq) == [7, 6, 4, 1])
        #expect(result.counted == .init(belowStep: 2, merged: 0, released: 1))
        #expect((result.kept, result.most) == (4, 1000))
        #expect(result.newest == 7)
        #expect(result.entries[0].chain == [.init("request", reason: .invalidParams)])
    }

    @Test("An entry is found by its number, the newest by a count, and older ones by the number that they precede")
    func asked() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for number in 1...30 { _ = bench.ask(.event(EventParams(name: "e\(number)")), of: client) }
        func numbers(_ params: HistoryParams) throws -> [UInt64] {
            try bench.history(of: client, params).entries.map(\.decision.seq)
        }
        #expect(try numbers(HistoryParams(seq: 7)) == [7])
        #expect(try numbers(HistoryParams(seq: 31)) == [])
        #expect(try numbers(HistoryParams(last: 3)) == [30, 29, 28])
        #expect(try numbers(HistoryParams(last: 3, before: 10)) == [9, 8, 7])
        #expect(try numbers(HistoryParams()).count == 20)
    }

    @Test("A hot motor is in the chain of a weakened input, in the reason of a refused one, and in the status")
    func hot() throws {
        let thermal = ThermalModel(
            winding: .milliseconds(500), housing: .seconds(5), continuous: Share(clamping: 0.5), soft: Share(clamping: 0.75),
            floor: Share(clamping: 0.9))
        let bench = try Bench { configuration in
            let engine = configuration.engine
            configuration.engine = try EngineConfiguration(
                actuators: [EngineActuator(name: "main", thermal: thermal)],
                progressRules: engine.progressRules, patterns: engine.patterns)
        }
        let client = try bench.connect()
        func heat() throws -> [StatusResult.Heat] { try #require(bench.status(of: client)?.heat) }
        #expect(try heat() == [.init(actuator: "main", share: 0, strength: 1, lowered: 0, cut: 0)])
        _ = bench.ask(.play("minute"), of: client)
        bench.pass(.milliseconds(470))
        let warm = try heat()[0]
        #expect((0.8..<0.95).contains(warm.share))
        #expect((0.9..<1).contains(warm.strength))
        bench.pass(.milliseconds(200))
        _ = bench.ask(.cancelAll(), of: client)
        _ = bench.ask(.play("minute"), of: client)
        let entries = try bench.history(of: client).entries
        let (refused, lowered) = (entries[0], entries[1])
        #expect((refused.decision.reason, refused.chain.last) == (.thermal, .init("actuators", reason: .thermal)))
        let change = try #require(lowered.chain.last?.changes.first)
        #expect((lowered.decision.outcome, lowered.chain.last?.link) == (.played, "actuators"))
        #expect((change.of, change.from) == ("strength", .number(1)))
        var strength = 0.0
        if case .number(let number) = change.to { strength = number }
        #expect(abs(strength - (1 - 0.1 * 15 / 16)) < 1e-9, "the last step before the limit")
        #expect(try heat()[0].cut == 1)
    }

    @Test("A thousand are kept; the oldest goes first, and with it the end of its playback")
    func bounded() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.play("minute", id: "long"), of: client)
        for number in 0..<1100 { _ = bench.ask(.event(EventParams(name: "e\(number)")), of: client) }
        _ = bench.ask(.cancelAll(), of: client)
        let result = try bench.history(of: client, HistoryParams(last: 100))
        #expect(result.kept == 1000)
        #expect(result.entries.map(\.decision.seq) == Array((1002...1101 as ClosedRange<UInt64>).reversed()))
        let oldest = try bench.history(of: client, HistoryParams(last: 100, before: 103))
        #expect(oldest.entries.map(\.decision.seq) == [102])
    }

    @Test("A user who fills the history replaces that user's own decisions, not those of others")
    func fair() throws {
        let bench = try Bench()
        let (quiet, loud) = (try bench.connect(user: 1001), try bench.connect(user: 1002))
        for number in 0..<3 { _ = bench.ask(.event(EventParams(name: "quiet\(number)")), of: quiet) }
        for number in 0..<1100 { _ = bench.ask(.event(EventParams(name: "loud\(number)")), of: loud) }
        let root = try bench.connect(user: 0)
        let oldest = try bench.history(of: root, HistoryParams(last: 100, before: 4)).entries
        #expect(oldest.map(\.decision.name) == ["quiet2", "quiet1", "quiet0"])
        #expect(try bench.history(of: root, HistoryParams(seq: 2)).entries.first?.decision.name == "quiet1")
        #expect(try bench.history(of: root, HistoryParams(seq: 4)).entries.isEmpty)
        #expect(try bench.history(of: root).kept == 1000)
    }

    @Test("Questions about the history are charged to the line")
    func charged() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let requests = (0..<256).map { _ in Request(.history(HistoryParams(last: 100))) }
        let replies = bench.say(requests, of: client)
        let refused = replies.count { $0?.error?.code == ErrorCode.quota.rawValue }
        #expect((251...255).contains(refused))
    }

    @Test("An input that a later item supersedes is no refusal by the actuators, and an inline pattern's name stays private")
    func batch() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.say([Request(.play("minute", id: "a")), Request(.play("soft", id: "a"))], of: client)
        let chain = try bench.history(of: client).entries[1].chain
        #expect(chain.suffix(2) == [.init("actuators"), .init("batch", reason: .superseded)])
        let tree = try JSONReader.node(
            Array(#"{"name":"letter","tracks":[{"events":[{"atMs":0,"type":"transient","intensity":1}]}]}"#.utf8))
        _ = bench.ask(.play(PlayParams(pattern: .inline(tree))), of: client)
        #expect(try bench.history(of: client).entries[0].decision.pattern == "letter")
        #expect(try bench.history(of: try bench.connect(user: 1002)).entries[0].decision.pattern == nil)
    }

    @Test("An event that no rule matches names the rule that it nearly matches, if it is asked for alone")
    func nearRule() throws {
        let soft = RuleFeedback(pattern: "soft", feedbackClass: .notification)
        let bench = try Bench { configuration in
            try configuration.change(events: [EventRule(match: Glob("*.succeeded"), feedback: soft)])
        }
        let client = try bench.connect()
        _ = bench.ask(.event(EventParams(name: "payment.suceeded")), of: client)
        let entry = try bench.history(of: client, HistoryParams(last: 1)).entries[0]
        #expect((entry.nearRule, entry.didYouMean) == ("*.succeeded", "payment.succeeded"))
        _ = bench.ask(.event(EventParams(name: "nobody.cares")), of: client)
        #expect(try bench.history(of: client, HistoryParams(last: 1)).entries.map(\.nearRule) == [nil])
        #expect(try bench.history(of: client).entries.map(\.didYouMean) == [nil, nil])
    }

    @Test("An event whose rule plays nothing for it is near no rule, also to another user")
    func noNearRule() throws {
        let bench = try Bench { configuration in
            let soft = RuleFeedback(pattern: "soft", feedbackClass: .notification)
            let rule = EventRule(match: Glob("door.*"), transition: ThingPatterns(inserted: "tick"), feedback: soft)
            try configuration.change(events: [rule])
        }
        let client = try bench.connect()
        for id in ["front", nil] { _ = bench.ask(.event(EventParams(name: "door.opened", id: id)), of: client) }
        for reader in [client, try bench.connect(user: 1002)] {
            let entry = try bench.history(of: reader, HistoryParams(last: 1)).entries[0]
            #expect((entry.decision.reason, entry.decision.rule) == (.noRule, "door.*"))
            #expect((entry.nearRule, entry.didYouMean) == (nil, nil))
        }
    }

    @Test("A stale input has its age, and an input in time has none")
    func age() throws {
        let bench = try Bench()
        let client = try bench.connect()
        var params = PlayParams(pattern: .named("soft"))
        params.atNs = bench.now.nanoseconds - 1_500_000_000
        let late = bench.ask(.play(params), of: client)?.decision
        #expect((late?.reason, late?.ageMs) == (.stale, 1500))
        let inTime = bench.ask(.play("soft"), of: client)?.decision
        #expect((inTime?.outcome, inTime?.ageMs) == (.played, nil))
    }

    @Test("A blocking playback is named, except for the name of an inline pattern")
    func blocker() throws {
        let bench = try Bench()
        let client = try bench.connect()
        func alarm(_ pattern: PatternReference) -> Call {
            var params = PlayParams(pattern: pattern)
            params.feedbackClass = .alarm
            return .play(params)
        }
        let playback = try #require(bench.ask(alarm(.named("minute")), of: client)?.decision?.playback)
        _ = bench.ask(.play("soft"), of: client)
        let entry = try bench.history(of: try bench.connect(user: 1002)).entries[0]
        #expect(entry.blocker == .init(playback: playback, pattern: "minute", feedbackClass: .alarm))
        #expect(entry.nearRule == nil)
        let tree = try JSONReader.node(
            Array(#"{"name":"letter","tracks":[{"keyframes":[{"atMs":0,"intensity":1},{"atMs":900,"intensity":1}]}]}"#.utf8))
        _ = bench.ask(alarm(.inline(tree)), of: client)
        _ = bench.ask(.play("soft"), of: client)
        let blocker = try bench.history(of: client).entries[0].blocker
        #expect(blocker?.feedbackClass == .alarm)
        #expect(blocker?.pattern == nil)
    }

    @Test("How a playback ended is with its decision, once it has")
    func ending() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.play("minute"), of: client)
        #expect(try bench.history(of: client).entries[0].ending == nil)
        _ = bench.ask(.cancelAll(), of: client)
        let entry = try bench.history(of: client).entries[0]
        #expect((entry.ending?.ended, entry.ending?.reason) == (.cancelled, .requested))
    }

    @Test("Each link that was asked is listed with its changes, and the one that objected with its reason")
    func chain() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.set(.quiet), of: client)
        _ = bench.ask(.play(as: .notification), of: client)
        _ = bench.ask(progress(0.5), of: client)
        _ = bench.ask(.event(EventParams(name: "nobody.cares")), of: client)
        let entries = try bench.history(of: client).entries
        #expect(entries[0].chain == [.init("rule", reason: .noRule)])
        #expect(entries[0].profile == nil)
        #expect(entries[1].profile == .quiet)
        let links = ["feedback", "condition", "access", "off", "quietHours", "deadline", "work", "duplicate", "profile"]
        #expect(entries[1].chain.map(\.link) == ["rule"] + links)
        #expect((entries[1].chain.compactMap(\.reason), entries[1].chain.last?.reason) == ([.profile], .profile))
        #expect(entries[2].chain.map(\.link) == links + ["strength", "rate", "actuators"])
        #expect(entries[2].chain.allSatisfy { $0.reason == nil })
        #expect(entries[2].chain[8].changes == [.init(of: "intensity", from: .number(1), to: .number(0.5))])
        #expect(entries[2].chain.filter { !$0.changes.isEmpty }.count == 1)
    }

    @Test("Each setting that was applied is listed with its origin, and at most two quiet hours that except the input")
    func settings() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let always = QuietHours(from: TimeOfDay("00:00")!, to: TimeOfDay("24:00")!, except: .init(classes: [.notification]))
        bench.service.setClock(LocalTime(.mon, second: 0), at: bench.now)
        func entry(_ feedbackClass: FeedbackClass) throws -> HistoryEntry {
            _ = bench.ask(.play(as: feedbackClass, app: "till"), of: client)
            return try #require(bench.history(of: client, HistoryParams(last: 1)).entries.first)
        }
        let half = Strength(0.5)!
        _ = bench.ask(
            .settings {
                ($0.quietHours, $0.apps) = (.set([always, always, always]), .set(["till": .set(half)]))
                ($0.strength, $0.classes) = (.set(.most), .set([.notification: .set(half)]))
            }, of: client)
        let felt = try entry(.notification)
        #expect((felt.profileBy, felt.decision.outcome) == (.configuration, .played))
        #expect(felt.settings.map(\.of) == [.quietHours, .quietHours, .strength, .classStrength, .appStrength])
        #expect(felt.settings.allSatisfy { $0.by == .settings })
        #expect(felt.settings.map(\.strength) == [nil, nil, 1.5, 0.5, 0.5])
        #expect((felt.settings[0].exception, felt.settings[0].quietHours?.times.to) == (.feedbackClass, TimeOfDay("24:00")))
        let quiet = try entry(.interaction)
        #expect((quiet.decision.reason, quiet.settings.map(\.exception)) == (.quietHours, [nil]))
        _ = bench.ask(.settings { $0.off = .set(.for(.seconds(9))) }, of: client)
        let off = try entry(.alarm)
        #expect((off.settings.map(\.of), off.settings[0].untilNs) == ([.off], (bench.now + .seconds(9)).nanoseconds))
    }

    @Test("A profile that puts another pattern in its place is a change of the pattern")
    func replaced() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.set(.reduced), of: client)
        _ = bench.ask(.play("minute"), of: client)
        let link = try bench.history(of: client).entries[0].chain.first { !$0.changes.isEmpty }
        #expect(link?.link == "profile")
        #expect(link?.changes == [.init(of: "pattern", from: .string("minute"), to: .string("tick"))])
    }

    @Test("Another profile is notified with its user; the same profile again is not")
    func profileNotice() throws {
        let bench = try Bench()
        let watcher = try bench.connect()
        _ = bench.ask(.subscribe(.settings), of: watcher)
        let setter = try bench.service.connect(Peer(user: 1002, groups: [], process: 9), at: bench.now)
        _ = bench.outputs()
        for profile in [Profile.quiet, .quiet, .full] { _ = bench.ask(.set(profile), of: setter) }
        let notices = bench.notices().compactMap(\.settings)
        #expect(notices.map(\.changed) == [["profile"], ["profile"]])
        #expect(notices.allSatisfy { $0.user == 1002 && $0.process == 9 })
    }

    @Test("The history has the beginning of a followed value and each detent, with the ending; other values are counted")
    func followed() throws {
        let bench = try Bench { configuration in
            let engine = configuration.engine
            let rule = ProgressRule(
                match: Glob("*"), gate: GateConfiguration(step: 0.01), follow: FollowShape(detents: FollowShape.even(1)),
                feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
            configuration.engine = try EngineConfiguration(
                actuators: engine.actuators, progressRules: [rule], patterns: engine.patterns)
        }
        let client = try bench.connect()
        for value in [0.3, 0.4, 0.6, 0.7, 0.4] {
            _ = bench.ask(progress(value), of: client)
            bench.pass(.milliseconds(50))
        }
        bench.pass(.seconds(1))
        let result = try bench.history(of: client)
        #expect(result.entries.map(\.decision.seq) == [5, 3, 1])
        #expect(result.entries.map(\.decision.pattern) == ["soft", "soft", nil])
        #expect(result.entries.map { $0.ending?.ended } == [.completed, .completed, .completed])
        #expect((result.counted, result.newest) == (.init(followed: 2), 5))
        let decisions = try #require(bench.status(of: client)?.decisions)
        #expect(decisions.map { "\($0.outcome) \($0.count)" } == ["played 5"])
    }
}
