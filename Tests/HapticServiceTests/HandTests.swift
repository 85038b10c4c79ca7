// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("What a hand does, and who hears of it") struct HandTests {
    private static func bench() throws -> Bench { try Bench(addHolds) }

    private static func addHolds(_ configuration: inout ServiceConfiguration) throws { try addHolds(&configuration, []) }

    private static func addHolds(_ configuration: inout ServiceConfiguration, _ eventRules: [EventRule]) throws {
        let rule = HoldRule(
            match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "tick")
        configuration.engine = try EngineConfiguration(
            actuators: configuration.engine.actuators, eventRules: eventRules, holdRules: [rule],
            patterns: configuration.engine.patterns)
    }

    @Test("A step that is due at the instant of a reload with other actuators is felt by those")
    func stepAtReload() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)
        bench.stall(.milliseconds(650))
        var other = try Bench.configuration(actuators: ["left"], Self.addHolds)
        other.parts["actuators"] = .init("left")
        bench.service.reloaded(.success(.init(other, replacing: try Bench.configuration(Self.addHolds))), at: bench.now)
        #expect((bench.sink.replacements, bench.sink.actuationsBefore) == ([["left"]], 0))
        #expect(bench.sink.actuations.first?.isOn == true)
        let decisions = try bench.history(of: client).entries.map(\.decision)
        #expect((decisions.map(\.actuators), decisions[0].outcome) == ([["left"], []], "played"))
    }

    /// A line of another client, a reload, or the timer may come first once the daemon runs again.
    enum First: CaseIterable { case timer, otherClient, reload, itself }

    private func wake(_ bench: Bench, by first: First, _ other: Client) throws {
        switch first {
        case .timer: bench.service.advance(to: bench.now)
        case .otherClient: _ = bench.ask(.task(TaskParams(id: "t", state: .began)), of: other)
        case .reload:
            let same = try Bench.configuration(Self.addHolds)
            bench.service.reloaded(.success(.init(same, replacing: same)), at: bench.now)
        case .itself: break
        }
    }

    private func states(_ outputs: [Output]) -> [String] {
        outputs.compactMap { if case .hold(let hold)? = $0.notice { hold.state } else { nil } }
    }

    @Test("After a stall a hold is not confirmed before what was said in time has been read", arguments: First.allCases)
    func stalled(first: First) throws {
        for (atNs, lease) in [(6_900_000_000, nil), (nil, nil), (nil, 1800)] as [(Int64?, Double?)] {
            let bench = try Self.bench()
            let (client, other) = (try bench.connect(), try bench.connect())
            _ = bench.ask(.subscribe(.holds), of: client)
            // Pressed at 5 s, full at 7.1 s.
            var down = HoldParams(id: "pay", state: .down)
            down.leaseMs = lease
            _ = bench.ask(.hold(down), of: client)
            bench.pass(.milliseconds(1500))
            _ = bench.outputs()
            bench.stall(.milliseconds(1000))
            try wake(bench, by: first, other)
            #expect(bench.outputs().map(\.name).contains("read pending input") == (first != .itself))
            var up = HoldParams(id: "pay", state: .up)
            up.atNs = atNs
            _ = bench.ask(.hold(up), of: client)
            bench.service.pendingInputIsRead(at: bench.now)
            bench.pass(.seconds(5))
            #expect(states(bench.outputs()) == ["released"])
        }
    }

    @Test("A hold that nobody has released is confirmed once everyone has been heard, and only then")
    func heard() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.holds), of: client)
        _ = bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)
        bench.readsPendingInput = false
        bench.pass(.seconds(5))
        #expect(!states(bench.outputs()).contains("confirmed"))
        bench.service.pendingInputIsRead(at: bench.now)
        #expect(states(bench.outputs()) == ["confirmed"])
    }

    @Test("A repeat that was sent in time and is read late renews the lease")
    func repeatedInTime() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.holds), of: client)
        var down = HoldParams(id: "pay", state: .down)
        down.leaseMs = 1000
        _ = bench.ask(.hold(down), of: client)
        bench.pass(.milliseconds(700))
        bench.stall(.milliseconds(800))
        bench.service.advance(to: bench.now)
        // Sent at 5.9 s, before the lease was over at 6 s.
        down.atNs = 5_900_000_000
        #expect(bench.ask(.hold(down), of: client)?.decision?.reason == "renewed")
        let history = try bench.history(of: client)
        #expect(history.counted.renewed == 1)
        #expect(!history.entries.contains { $0.decision.reason == "renewed" })
        bench.service.pendingInputIsRead(at: bench.now)
        bench.pass(.milliseconds(300))
        #expect(!states(bench.outputs()).contains("released"))
    }

    @Test("A line that comes when a step of a hold is due has its own answers, and the step is counted and notified")
    func besideLine() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.decisions, .holds), of: client)
        _ = bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)
        bench.stall(.milliseconds(650))
        _ = bench.outputs()
        let replies = bench.say(
            [Request(.task(TaskParams(id: "t", state: .began))), Request(.hold(HoldParams(id: "pay", state: .down)))], of: client)
        #expect(replies.compactMap { $0?.decision?.reason } == ["noRule", "duplicate"])
        #expect(bench.outputs().map(\.name) == ["decision", "decision", "decision", "hold", "hold"])
        #expect(bench.service.statistics.history.count == 4)
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        #expect(bench.service.statistics[.texture].latency.count == 1)
        // And the next one.
        #expect(bench.ask(.hold(HoldParams(id: "pay", state: .up)), of: client)?.decision?.reason == "released")
    }

    private static func setBench(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws -> Bench {
        try Bench { configuration in
            let rule = CollectionRule(
                match: Glob("*"), patterns: ThingPatterns(inserted: "soft"),
                feedback: RuleFeedback(pattern: "soft", feedbackClass: .alarm))
            configuration.engine = try EngineConfiguration(
                actuators: configuration.engine.actuators, collectionRules: [rule], patterns: configuration.engine.patterns)
            change(&configuration)
        }
    }

    private static func part(_ ids: [String], more: Bool, wantsReply: Bool = true) -> Request {
        Request(.present(PresentParams(name: "cart", ids: ids, more: more)), wantsReply: wantsReply)
    }

    @Test("A notification with a part of a set that is not valid spoils the set, also within a batch")
    func invalidPart() throws {
        let bench = try Self.setBench()
        let client = try bench.connect()
        let line = #"{"jsonrpc":"2.0","method":"present","params":{"name":"cart","ids":["b",""],"more":true}}"#
        guard case .single(let message) = ClientLine(Array(line.utf8)) else { return #expect(Bool(false)) }
        #expect(message.unusablePart == Message.SetPart(name: "cart", more: true))
        let lost = Request(message)
        let (first, last) = (Self.part(["a"], more: true), Self.part(["c"], more: false))
        for requests in [[first, lost, last], [lost, last]] {
            #expect(bench.say(requests, of: client).compactMap { $0?.decision?.reason }.last == "invalidParams")
            #expect(try bench.ask(requests.last!.call.get(), of: client)?.decision?.inserted == 1)
            #expect(bench.ask(.present(PresentParams(name: "cart", ids: [])), of: client)?.decision?.removed == 1)
        }
        // Who gets an error may say it again.
        let error = WireError(.invalidParams, "wrong")
        let replies = bench.say(
            [Self.part(["a"], more: true), Request(.present, error), Self.part(["c"], more: false)], of: client)
        #expect(replies[1]?.error != nil)
        #expect(replies[2]?.decision?.inserted == 2)
    }

    @Test("A notification with a part of a set that is one too many spoils the set; one with a whole set spoils none")
    func partOverRate() throws {
        let bench = try Self.setBench { $0.clientBounds.requestsPerClient = 2 }
        let client = try bench.connect()
        for more in [true, false] {
            for id in ["a", "b", "c"] { _ = bench.say([Self.part([id], more: more, wantsReply: false)], of: client) }
            bench.pass(.seconds(1))
            let last = bench.ask(.present(PresentParams(name: "cart", ids: ["d"])), of: client)?.decision
            #expect(more ? last?.reason == "quota" : last?.inserted == 1)
            bench.pass(.seconds(1))
        }
    }

    @Test("A line that cannot be read may have been a part of a set, and spoils it")
    func unusableLine() throws {
        let bench = try Self.setBench()
        let client = try bench.connect()
        let (first, last) = (Self.part(["a"], more: true), Self.part(["c"], more: false))
        _ = bench.say([first], of: client)
        #expect(bench.service.chargeUnusable(client, at: bench.now) == nil)
        #expect(bench.say([last], of: client).first??.decision?.reason == "invalidParams")
        // What is known of the set goes before that.
        let lost = #"{"jsonrpc":"2.0","method":"present","params":{"name":"cart","ids":[""],"more":true}}"#
        guard case .single(let message) = ClientLine(Array(lost.utf8)) else { return #expect(Bool(false)) }
        _ = bench.say([Request(message)], of: client)
        _ = bench.service.chargeUnusable(client, at: bench.now)
        #expect(bench.say([last], of: client).first??.decision?.reason == "invalidParams")
        // Where none had begun, nothing is spoiled.
        _ = bench.service.chargeUnusable(client, at: bench.now)
        #expect(bench.say([last], of: client).first??.decision?.inserted == 1)
    }

    @Test(
        "What is answered without an id may have been a part of a set, and spoils it; what is no part of one does not",
        arguments: [
            (#"{"jsonrpc":"1.0","method":"present","params":{"name":"cart","ids":["b"],"more":true}}"#, true),
            (#"{"jsonrpc":"2.0","id":[],"method":"present","params":{"name":"cart","ids":["b"],"more":true}}"#, true),
            (#"{"jsonrpc":"2.0","id":null,"method":"present","params":{"name":"cart","ids":[""],"more":true}}"#, true),
            ("42", true), ("{}", true), (#"{"jsonrpc":"1.0","method":"progress","params":{"value":0.5}}"#, false),
            (#"{"jsonrpc":"2.0","method":"presnet","params":{"name":"cart","ids":["b"],"more":true}}"#, false),
            (#"{"jsonrpc":"2.0","id":1,"method":"present","params":{"name":"cart","ids":[""],"more":true}}"#, false),
        ])
    func anonymous(lost: String, isSpoiled: Bool) throws {
        let bench = try Self.setBench()
        let client = try bench.connect()
        guard case .single(let message) = ClientLine(Array(lost.utf8)) else { return #expect(Bool(false)) }
        _ = bench.say([Self.part(["a"], more: true), Request(message)], of: client)
        let decision = bench.say([Self.part(["c"], more: false)], of: client).first??.decision
        #expect(isSpoiled ? decision?.reason == "invalidParams" : decision?.inserted == 2, "\(String(describing: decision))")
    }

    @Test("Of a part that cannot be used as much is known as is valid")
    func unusableParts() {
        let cases: [(String, Message.SetPart?)] = [
            (#"{"name":"cart","ids":[""]}"#, .init(name: "cart", more: false)),
            (#"{"name":"cart","ids":[1],"more":null}"#, .init(name: "cart", more: false)),
            (#"{"name":7,"ids":[],"more":true}"#, .init(name: nil, more: true)),
            (#"{"name":"cart","ids":[],"more":"yes"}"#, .init(name: "cart", more: nil)),
            (#"[]"#, .init()), (#"{"name":"cart","ids":[],"more":true}"#, nil),
        ]
        for (params, part) in cases {
            let line = #"{"jsonrpc":"2.0","method":"present","params":\#(params)}"#
            guard case .single(let message) = ClientLine(Array(line.utf8)) else { return #expect(Bool(false)) }
            #expect(message.unusablePart == part, "\(params)")
        }
    }

    @Test("Another user learns neither the id of a hold, in no words, nor how far it has come; of a device everyone does")
    func maskedHold() throws {
        for isDevice in [false, true] {
            let origin: Decision.Origin = isDevice ? .device : .client
            let id = "pin-4711"
            let change = HoldChange(
                id: id, origin: origin, user: 1001, state: .progress, value: Progress(0.5)!, at: .zero)
            let notice = HoldNotice(change)
            #expect((notice.masked.id, notice.masked.value) == ((isDevice ? id : nil), (isDevice ? 0.5 : nil)))
            for state in ["confirmed", "released"] {
                var decision = Decision(
                    sequence: 1, at: .zero, input: .event, source: id, name: "\(id).\(state)", rule: "\(id).*",
                    outcome: .suppressed)
                decision.origin = origin
                decision.circumstance = .otherChange(rule: "\(id).*")
                let entry = HistoryEntry(decision, ending: nil, isMasked: true)
                #expect(entry.decision.name == (isDevice ? "\(id).\(state)" : nil))
                #expect((entry.decision.rule, entry.nearRule) == ((isDevice ? "\(id).*" : nil), entry.decision.rule))
            }
        }
        let other = Decision(
            sequence: 1, at: .zero, input: .event, source: "front", name: "door.released", rule: "door.*", outcome: .suppressed)
        #expect((DecisionResult(other).masked.name, DecisionResult(other).masked.rule) == ("door.released", "door.*"))
    }

    @Test("How many things another user has is nobody else's business")
    func maskedSet() {
        var decision = Decision(sequence: 1, at: .zero, input: .present, name: "cart", rule: "cart*", outcome: .suppressed)
        decision.things = .init(inserted: 1, removed: 2, kept: 3)
        let result = DecisionResult(decision).masked
        #expect((result.inserted, result.removed, result.kept) == (nil, nil, nil))
        #expect((result.name, result.rule) == ("cart", "cart*"))
    }
}
