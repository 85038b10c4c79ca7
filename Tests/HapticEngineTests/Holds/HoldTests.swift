// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// Traces show holds, except for a device's own holds, bounds, and a daemon that comes late.
@Suite("Holds")
struct HoldTests {
    @Test("Only the device presses or releases its hold, and only the device sends its events")
    func reserved() {
        var bench = Bench(.hands())
        for state in HoldState.allCases { #expect(bench.hold("unlock", state).reason == .reserved) }
        #expect(bench.hold("unlock", .down, client: .hand).reason == .pressed)
        let other = bench.hold("other", .down, client: .hand)
        #expect((other.reason, other.pattern) == (.noRule, nil))
        bench.run(until: .ms(3000))
        let own = bench.decisions.filter { $0.origin == .device }
        #expect(own.count == 2 + 77 + 1)
        #expect((own.last?.name, own.last?.outcome) == ("unlock.confirmed", .played))
        #expect(bench.holds.count == 1 + 76 + 1)
        #expect(bench.holds.allSatisfy { $0.origin == .device })
    }

    @Test("A device may press a name that a reload has taken from the clients")
    func reservedByReload() {
        var bench = Bench(.hands())
        let door = HoldRule(match: .device("door"), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        bench.take(.configuration(.hands(holdRules: [.clients, door]), replacesDevices: false))
        #expect(bench.hold("door", .down, client: .hand).reason == .pressed)
    }

    /// Rules that match no hold of these tests, and one that matches all.
    private static func reload(rules: Int, words: Int) -> EngineEvent {
        let others = (0..<rules).map { number in
            var rule = HoldRule.clients
            rule.match = .clients(Glob(String(repeating: "*b", count: words) + "*no-\(number)*"))
            return rule
        }
        return .configuration(.hands(holdRules: others + [.clients]))
    }

    private static func longID(_ number: Int) -> String {
        "a hold with a long id, as of a program that makes them itself, \(number)"
    }

    @Test("After a reload with 1,000 rules holds find theirs a few at a time, and each is confirmed by its new rule")
    func reloadOfManyRules() {
        var bench = Bench(.hands())
        for number in 10..<42 { #expect(bench.hold(Self.longID(number), .down).reason == .pressed) }
        bench.run(until: .ms(600))
        bench.take(Self.reload(rules: 1000, words: 0))
        let most = WorkBudget.line / bench.engine.arbiter.rules.costs.holds.units(Self.longID(10).utf8.count)
        #expect((2...20).contains(most))
        #expect(bench.engine.inputs.holds.outdatedCount == 32 - most)
        // One that has not found its rule is let go of, and pressed again, as any other.
        let last = Self.longID(41)
        #expect(bench.hold(last, .up).reason == .released)
        #expect(bench.hold(last, .down).rule == "*")
        bench.run(for: .milliseconds(20))
        #expect(bench.engine.inputs.holds.outdatedCount == 0)
        bench.run(for: .seconds(5))
        #expect(bench.holds.count { $0.state == .confirmed } == 32)
    }

    @Test("A hold whose rule no line could afford to find ends with the reload")
    func reloadOfRulesTooDear() {
        var bench = Bench(.hands())
        #expect(bench.hold(Self.longID(10), .down).reason == .pressed)
        bench.take(Self.reload(rules: 1000, words: 900))
        #expect(bench.hold(Self.longID(10), .up).reason == .unchanged)
        #expect(bench.hold(Self.longID(10), .down).reason == .quota)
    }

    @Test("Nothing can be pressed on a device while the machine prepares to sleep")
    func suspended() {
        var bench = Bench(.hands())
        bench.take(
            .batch([.cancel(CancelRequest(client: Bench.ada, target: .all, mode: .immediate, untilResumed: true))]))
        #expect(bench.hold("unlock", .down, client: .hand).reason == .suspended)
        #expect(bench.hold("unlock", .up, client: .hand).reason == .unchanged)
    }

    @Test("The number of holds is bounded, a tap frees its place, and all holds may end at once")
    func bounded() {
        var bench = Bench(.hands())
        for user in 0..<8 {
            let client = ClientIdentity(connection: UInt64(user) + 1, user: UInt32(user))
            for index in 0..<HoldTable.mostPerUser { #expect(bench.hold("h\(index)", .down, client: client).reason == .pressed) }
            guard user == 0 else { continue }
            #expect(bench.hold("more", .down, client: client).reason == .quota)
            bench.hold("h0", .up, client: client)
            #expect(bench.hold("more", .down, client: client).reason == .pressed)
        }
        #expect(bench.hold("more", .down, client: ClientIdentity(connection: 20, user: 20)).reason == .quota)
        #expect(bench.hold("unlock", .down, client: .hand).reason == .pressed, "a device's has room beside all clients")
        bench.run(until: .ms(1000))
        bench.take(.slept(.seconds(60)))
        #expect(bench.holds.count { $0.state == .released } == HoldTable.mostOfClients + 1)
    }

    @Test("A tap that is reported late, as a whole, is a tap")
    func lateTap() {
        var bench = Bench(.hands())
        for (down, up) in [(9000, 9200), (9700, 9900)] as [(Int64, Int64)] {
            bench.now = .ms(up + 700)
            bench.send([
                .input(Input(client: .hand, id: "unlock", at: .ms(down), kind: .hold(.down))),
                .input(Input(client: .hand, id: "unlock", at: .ms(up), kind: .hold(.up))),
            ])
        }
        bench.run(until: .ms(13_000))
        #expect(bench.holds.isEmpty)
        #expect(bench.pulses().isEmpty)
        #expect(bench.decisions.map(\.reason) == [.pressed, .released, .pressed, .released])
    }

    @Test("After a stall one step is stale and the next are in time; a confirmation is felt however late it is seen")
    func stalled() {
        var bench = Bench(.hands(eventRules: []))
        bench.hold("pay", .down)
        bench.now = .ms(1000)
        bench.take(.time)
        #expect(bench.decisions.map(\.reason) == [.pressed, .stale])
        #expect(bench.pulses().isEmpty)
        bench.run(until: .ms(1500))
        #expect(bench.decisions.count { $0.reason == .stale } == 1)
        #expect(!bench.pulses().isEmpty)
        bench.now = .ms(60_000)
        bench.take(.time)
        #expect(bench.holds.last?.state == .confirmed)
        let completion = bench.decisions.last
        #expect((completion?.outcome, completion?.pattern, completion?.deadline) == (.played, "success", nil))
    }

    @Test("An event that follows a late confirmation is felt, too")
    func stalledEvent() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(600))
        bench.now = .ms(60_000)
        bench.take(.time)
        #expect((bench.decisions.last?.name, bench.decisions.last?.outcome) == ("pay.confirmed", .played))
    }
}
