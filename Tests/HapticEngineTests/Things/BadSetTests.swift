// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Sets that are too large or incomplete")
struct BadSetTests {
    @Test("A million ids in many lines are refused from the bound on; the old set stays, and the new one takes no room")
    func million() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["a", "b"])
        let lines = (0..<1000).map { line in (0..<1000).map { "thing \(line * 1000 + $0)" } }
        var reasons: [Reason?: Int] = [:]
        for index in lines.indices { reasons[bench.present("cart.items", lines[index], more: true).reason, default: 0] += 1 }
        // 100,000 of them, less the two that may stay.
        #expect(reasons == [.incomplete: 100, .quota: 900])
        #expect(bench.present("cart.items", []).bound == .thingsPerUser)
        #expect(bench.present("cart.items", ["a", "b"]).reason == .unchanged)
        // All of the room is there again.
        for index in 0..<99 { #expect(bench.present("cart.other", lines[index], more: true).reason == .incomplete) }
        #expect(bench.present("cart.other", []).things?.inserted == 99_000)
    }

    @Test("A part beyond the budget of its line spoils the set, and every later part has that reason, without a bound")
    func unpaid() {
        for (isBegun, work) in [(true, 0), (false, 2 * WorkBudget.Cost.thing)] {
            var bench = Bench(.hands())
            bench.present("cart.items", ["old"])
            if isBegun { #expect(bench.part(["a"], more: true).reason == .incomplete) }
            let decisions = [
                bench.part(["b", "e", "f"], more: true, work: WorkBudget(work)), bench.part(["c"], more: true),
                bench.part(["d"], more: false),
            ]
            #expect(decisions.map(\.reason) == [.quota, .quota, .quota])
            #expect(decisions.map(\.bound) == [nil, nil, nil])
            #expect(decisions.last?.things == nil)
            #expect(bench.part(["old"], more: false).reason == .unchanged)
        }
    }

    @Test("A set that another connection has replaced meanwhile is compared at the cost of its last line, or sent again")
    func replacedMeanwhile() {
        let other = ClientIdentity(connection: 2, user: Bench.ada.user)
        let (ours, theirs) = ((0..<50).map { "thing-\($0)" }, (40..<100).map { "thing-\($0)" })
        let compared = 50 * WorkBudget.Cost.thing
        for isAffordable in [true, false] {
            var bench = Bench(.hands())
            bench.part(ours, more: true)
            #expect(bench.part(theirs, more: false, of: other).things == .init(inserted: 60, removed: 0, kept: 0))
            let work = bench.engine.arbiter.rules.costs.collections.units("cart.items".utf8.count) + compared
            let last = bench.part([], more: false, work: WorkBudget(isAffordable ? work + 1000 : work - 1))
            if isAffordable {
                #expect(last.things == .init(inserted: 40, removed: 50, kept: 10))
                continue
            }
            #expect((last.reason, last.bound, last.things) == (.quota, nil, nil))
            bench.part(ours, more: true)
            let again = bench.part([], more: false, work: WorkBudget(work - 1))
            #expect(again.things == .init(inserted: 40, removed: 50, kept: 10))
        }
    }

    /// A part that did not come before the one that is sent with it.
    private static func gap(_ reason: Reason, _ name: String? = "cart.items", continues: Bool?) -> PresentGap {
        PresentGap(reason: reason, name: name, continues: continues)
    }

    @Test("A refused part spoils the set with its own reason", arguments: [true, false])
    func middle(isBegun: Bool) {
        var bench = Bench(.hands())
        if isBegun { bench.part(["a"], more: true) }
        #expect(bench.part(["c"], more: true, gap: Self.gap(.invalidParams, continues: true)).reason == .invalidParams)
        let last = bench.part(["d"], more: false)
        #expect((last.reason, last.things) == (.invalidParams, nil))
        #expect(bench.part(["a"], more: false).things?.inserted == 1)
    }

    @Test("A lost last part, or a part of another set, drops the begun set: the next part is a set of its own")
    func dropped() {
        for gap in [Self.gap(.quota, continues: false), Self.gap(.quota, "cart.other", continues: true)] {
            var bench = Bench(.hands())
            bench.part(["a"], more: true)
            #expect(bench.part(["b"], more: false, gap: gap).things == .init(inserted: 1, removed: 0, kept: 0))
        }
    }

    @Test("An unreadable part spoils a set that has begun, and nothing else")
    func unknown() {
        var bench = Bench(.hands())
        let unknown = Self.gap(.invalidParams, nil, continues: nil)
        #expect(bench.part(["a"], more: false, gap: unknown).things?.inserted == 1)
        bench.part(["b"], more: true)
        #expect(bench.part(["c"], more: false, gap: unknown).reason == .invalidParams)
        #expect(bench.part(["a"], more: false).reason == .unchanged)
    }
}

extension Bench {
    @discardableResult
    fileprivate mutating func part(
        _ ids: [String], more: Bool, gap: PresentGap? = nil, of client: ClientIdentity = Bench.ada,
        work: WorkBudget = WorkBudget()
    ) -> Decision {
        let present = PresentInput(name: "cart.items", ids: ids.map { Text($0) }, continues: more, gap: gap)
        take(.batch([.input(Input(client: client, at: now, kind: .present(present)))], work: work))
        return decisions.last!
    }
}
