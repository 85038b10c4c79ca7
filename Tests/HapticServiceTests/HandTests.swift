// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Holds and tasks of clients") struct HandTests {
    private static func bench() throws -> Bench { try Bench { try $0.addHolds() } }

    @Test("A step that is due at the instant of a reload with other actuators is felt by those")
    func stepAtReload() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.ask(.hold("pay", .down), of: client)
        bench.stall(.milliseconds(650))
        var other = try Bench.configuration(actuators: ["left"]) { try $0.addHolds() }
        other.parts["actuators"] = .init("left")
        bench.reload(other)
        #expect(bench.sink.replacements == [["left"]])
        #expect(bench.sink.actuationsBefore == 0)
        #expect(bench.sink.actuations.first?.isOn == true)
        let decisions = try bench.history(of: client).entries.map(\.decision)
        #expect(decisions.map(\.actuators) == [["left"], []])
        #expect(decisions[0].outcome == .played)
    }

    /// A line of another client, a reload, or the timer may come first once the daemon runs again.
    enum First: CaseIterable { case timer, otherClient, reload, itself }

    private func wake(_ bench: Bench, by first: First, _ other: Client) throws {
        switch first {
        case .timer: bench.service.advance(to: bench.now)
        case .otherClient: _ = bench.ask(.task(TaskParams(id: "t", state: .began)), of: other)
        case .reload: bench.reload(try Bench.configuration { try $0.addHolds() })
        case .itself: break
        }
    }

    private func states(_ bench: Bench) -> [String] { bench.notices().compactMap { $0.hold?.state.rawValue } }

    @Test("After a stall a hold is not confirmed before the lines sent in time have been read", arguments: First.allCases)
    func stalled(first: First) throws {
        for (atNs, lease) in [(6_900_000_000, nil), (nil, nil), (nil, 1800)] as [(Int64?, Double?)] {
            let bench = try Self.bench()
            let (client, other) = (try bench.connect(), try bench.connect())
            bench.subscribe(client, to: .holds)
            // Pressed at 5 s, full at 7.1 s.
            _ = bench.ask(.hold("pay", .down, leaseMs: lease), of: client)
            bench.pass(.milliseconds(1500))
            _ = bench.outputs()
            bench.stall(.milliseconds(1000))
            try wake(bench, by: first, other)
            #expect(bench.outputs().map(\.name).contains("read pending input") == (first != .itself))
            _ = bench.ask(.hold("pay", .up, atNs: atNs), of: client)
            bench.service.pendingInputIsRead(at: bench.now)
            bench.pass(.seconds(5))
            #expect(states(bench) == ["released"])
        }
    }

    @Test("A hold that was not released is confirmed only after all pending input has been read")
    func heard() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        bench.subscribe(client, to: .holds)
        _ = bench.ask(.hold("pay", .down), of: client)
        bench.readsPendingInput = false
        bench.pass(.seconds(5))
        #expect(!states(bench).contains("confirmed"))
        bench.service.pendingInputIsRead(at: bench.now)
        #expect(states(bench) == ["confirmed"])
    }

    @Test("A repeat that was sent in time and is read late renews the lease")
    func repeatedInTime() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        bench.subscribe(client, to: .holds)
        _ = bench.ask(.hold("pay", .down, leaseMs: 1000), of: client)
        bench.pass(.milliseconds(700))
        bench.stall(.milliseconds(800))
        bench.service.advance(to: bench.now)
        // Sent at 5.9 s, before the lease was over at 6 s.
        let again = Call.hold("pay", .down, leaseMs: 1000, atNs: 5_900_000_000)
        #expect(bench.ask(again, of: client)?.decision?.reason == .renewed)
        let history = try bench.history(of: client)
        #expect(history.counted.renewed == 1)
        #expect(!history.entries.contains { $0.decision.reason == .renewed })
        bench.service.pendingInputIsRead(at: bench.now)
        bench.pass(.milliseconds(300))
        #expect(!states(bench).contains("released"))
    }

    @Test("A line that comes when a step of a hold is due has its own answers, and the step is counted and notified")
    func besideLine() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        bench.subscribe(client, to: .decisions, .holds)
        _ = bench.ask(.hold("pay", .down), of: client)
        bench.stall(.milliseconds(650))
        _ = bench.outputs()
        let replies = bench.say([Request(.task(TaskParams(id: "t", state: .began))), Request(.hold("pay", .down))], of: client)
        #expect(replies.compactMap { $0?.decision?.reason } == [.noRule, .duplicate])
        #expect(bench.outputs().map(\.name) == ["decision", "decision", "decision", "hold", "hold"])
        #expect(bench.service.statistics.history.count == 4)
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        #expect(bench.service.statistics[.texture].latency.count == 1)
        // And the next one.
        #expect(bench.ask(.hold("pay", .up), of: client)?.decision?.reason == .released)
    }

    @Test("The history has the press of a hold and its release by a closed connection")
    func gone() throws {
        let bench = try Self.bench()
        let (client, other) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.hold("pay", .down), of: client)
        bench.service.disconnect(client, at: bench.now)
        let entries = try bench.history(of: other).entries
        #expect(entries.map(\.decision.reason) == [.released, .pressed])
        #expect(entries.map(\.chain) == [[], [.init("rule")]])
    }

    @Test("No notice or answer shows another user the id or the progress of a hold; everyone sees those of a device")
    func maskedHold() throws {
        for isDevice in [false, true] {
            let origin: Decision.Origin = isDevice ? .device : .client
            let id = "pin-4711"
            let change = HoldChange(id: id, origin: origin, user: 1001, state: .progress, value: Progress(0.5)!, at: .zero)
            let notice = HoldNotice(change).masked
            #expect((notice.id, notice.value) == (isDevice ? id : nil, isDevice ? 0.5 : nil))
            for state in ["confirmed", "released"] {
                var decision = Decision(
                    sequence: 1, at: .zero, input: .event, source: id, name: "\(id).\(state)", rule: "\(id).*",
                    outcome: .suppressed)
                decision.origin = origin
                decision.circumstance = .otherChange(rule: "\(id).*")
                let entry = HistoryEntry(decision, ending: nil, isMasked: true)
                #expect(entry.decision.name == (isDevice ? "\(id).\(state)" : nil))
                #expect(entry.decision.rule == (isDevice ? "\(id).*" : nil))
                #expect(entry.nearRule == entry.decision.rule)
            }
        }
        let other = DecisionResult(
            Decision(
                sequence: 1, at: .zero, input: .event, source: "front", name: "door.released", rule: "door.*",
                outcome: .suppressed)
        ).masked
        #expect((other.name, other.rule) == ("door.released", "door.*"))
    }
}

/// Parts of a set that are lost spoil it: it is refused as a whole.
@Suite("Sets of which a part is lost") struct LostPartTests {
    private static func bench(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws -> Bench {
        try Bench { configuration in
            let feedback = RuleFeedback(pattern: "soft", feedbackClass: .alarm)
            let rule = CollectionRule(match: Glob("*"), patterns: ThingPatterns(inserted: "soft"), feedback: feedback)
            try configuration.change(collections: [rule])
            change(&configuration)
        }
    }

    private static func part(_ ids: [String], more: Bool, wantsReply: Bool = true) -> Request {
        Request(.present(PresentParams(name: "cart", ids: ids, more: more)), wantsReply: wantsReply)
    }

    private func message(_ line: String) throws -> Message {
        guard case .single(let message) = ClientLine(Array(line.utf8)) else { throw WireError(.internalError, "a batch") }
        return message
    }

    private let first = part(["a"], more: true)
    private let last = part(["c"], more: false)

    @Test("A notification with a part of a set that is not valid spoils the set, also within a batch")
    func invalidPart() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        let lost = Request(
            try message(#"{"jsonrpc":"2.0","method":"present","params":{"name":"cart","ids":["b",""],"more":true}}"#))
        for requests in [[first, lost, last], [lost, last]] {
            #expect(bench.say(requests, of: client).compactMap { $0?.decision?.reason }.last == .invalidParams)
            #expect(bench.say([last], of: client).first??.decision?.inserted == 1)
            #expect(bench.ask(.present(PresentParams(name: "cart", ids: [])), of: client)?.decision?.removed == 1)
        }
        // Who gets an error may say it again.
        let replies = bench.say([first, try .unusable("present"), last], of: client)
        #expect(replies[1]?.error != nil)
        #expect(replies[2]?.decision?.inserted == 2)
    }

    @Test("A part over the rate, or an unreadable line over it, spoils the set; a whole set does not")
    func partOverRate() throws {
        let bench = try Self.bench { $0.clientBounds.requestsPerClient = 2 }
        let client = try bench.connect()
        for more in [true, false] {
            for id in ["a", "b", "c"] { _ = bench.say([Self.part([id], more: more, wantsReply: false)], of: client) }
            bench.pass(.seconds(1))
            let decision = bench.say([last], of: client).first??.decision
            let found = more ? decision?.reason?.rawValue : decision?.inserted.map { "\($0) inserted" }
            #expect(found == (more ? "quota" : "1 inserted"))
            bench.pass(.seconds(1))
        }
        for id in ["a", "b"] { _ = bench.say([Self.part([id], more: true)], of: client) }
        #expect(bench.service.chargeUnusable([], of: client, WireError(.parse, "no JSON"), at: bench.now) != nil)
        bench.pass(.seconds(1))
        #expect(bench.say([last], of: client).first??.decision?.reason == .quota)
    }

    @Test("A line that cannot be read may be a part of a set, and spoils it")
    func unusableLine() throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.say([first], of: client)
        #expect(bench.service.chargeUnusable([], of: client, WireError(.parse, "no JSON"), at: bench.now) == nil)
        #expect(bench.say([last], of: client).first??.decision?.reason == .invalidParams)
        // Where none had begun, nothing is spoiled.
        _ = bench.service.chargeUnusable([], of: client, WireError(.parse, "no JSON"), at: bench.now)
        #expect(bench.say([last], of: client).first??.decision?.inserted == 1)
    }

    @Test(
        "A message that is answered without an id may be a part of a set, and spoils it; another method does not",
        arguments: [
            (#"{"jsonrpc":"1.0","method":"present","params":{"name":"cart","ids":["b"],"more":true}}"#, true),
            (#"{"jsonrpc":"2.0","id":[],"method":"present","params":{"name":"cart","ids":["b"],"more":true}}"#, true),
            (#"{"jsonrpc":"2.0","id":null,"method":"present","params":{"name":"cart","ids":[""],"more":true}}"#, true),
            ("42", true), ("{}", true), (#"{"jsonrpc":"1.0","method":"progress","params":{"value":0.5}}"#, false),
            (#"{"jsonrpc":"2.0","method":"presnet","params":{"name":"cart","ids":["b"],"more":true}}"#, false),
            (#"{"jsonrpc":"2.0","id":1,"method":"present","params":{"name":"cart","ids":[""],"more":true}}"#, false),
        ])
    func anonymous(lost: String, isSpoiled: Bool) throws {
        let bench = try Self.bench()
        let client = try bench.connect()
        _ = bench.say([first, Request(try message(lost))], of: client)
        let decision = bench.say([last], of: client).first??.decision
        let found = isSpoiled ? decision?.reason?.rawValue : decision?.inserted.map { "\($0) inserted" }
        #expect(found == (isSpoiled ? "invalidParams" : "2 inserted"))
    }

    @Test("The valid members of a part are known, usable or not")
    func unusableParts() throws {
        let cases: [(String, SetPart?)] = [
            (#"{"name":"cart","ids":[""]}"#, .init(name: "cart", more: false)),
            (#"{"name":"cart","ids":[1],"more":null}"#, .init(name: "cart", more: false)),
            (#"{"name":7,"ids":[],"more":true}"#, .init(name: nil, more: true)),
            (#"{"name":"cart","ids":[],"more":"yes"}"#, .init(name: "cart", more: nil)),
            (#"[]"#, .init()), (#"{"name":"cart","ids":[],"more":true}"#, .init(name: "cart", more: true)),
        ]
        for (params, part) in cases {
            let message = try message(#"{"jsonrpc":"2.0","method":"present","params":\#(params)}"#)
            #expect(Request(message).part == part, "\(params)")
        }
    }

    @Test("The number of another user's things is hidden")
    func maskedSet() {
        var decision = Decision(sequence: 1, at: .zero, input: .present, name: "cart", rule: "cart*", outcome: .suppressed)
        decision.things = .init(inserted: 1, removed: 2, kept: 3)
        let result = DecisionResult(decision).masked
        #expect((result.inserted, result.removed, result.kept) == (nil, nil, nil))
        #expect((result.name, result.rule) == ("cart", "cart*"))
    }
}
