// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Sets of which a part was refused")
struct LostPartTests {
    @Test("A part whose rule could not be paid for spoils the set, and every later part says why")
    func rule() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["old"])
        #expect(bench.part("cart.items", ["a"], more: true).reason == .incomplete)
        #expect(bench.part("cart.items", ["b"], more: true, work: WorkBudget(0)).reason == .quota)
        let later = bench.part("cart.items", ["c"], more: true)
        #expect(later.reason == .quota && later.bound == nil)
        let last = bench.part("cart.items", ["d"], more: false)
        #expect(last.reason == .quota && last.bound == nil && last.things == nil)
        #expect(bench.part("cart.items", ["old"], more: false).reason == .unchanged)
    }

    @Test("What a line may not cost is no bound, also for the parts behind it")
    func cause() {
        var bench = Bench(.hands())
        _ = bench.part("cart.items", ["a", "b"], more: true, work: WorkBudget(2 * WorkBudget.Cost.thing))
        let last = bench.part("cart.items", ["c"], more: false)
        #expect(last.reason == .quota && last.bound == nil)
    }

    @Test("A part that did not come spoils the set, for the reason for which it was refused")
    func middle() {
        var bench = Bench(.hands())
        for begun in [true, false] {
            if begun { _ = bench.part("cart.items", ["a"], more: true) }
            let gap = PresentGap(reason: .invalidParams, name: "cart.items", continues: true)
            #expect(bench.part("cart.items", ["c"], more: true, gap: gap).reason == .invalidParams)
            let last = bench.part("cart.items", ["d"], more: false)
            #expect(last.reason == .invalidParams && last.things == nil)
        }
        #expect(bench.part("cart.items", ["a"], more: false).things?.inserted == 1)
    }

    @Test("A last part that did not come drops the set, and the next one is a set of its own")
    func last() {
        var bench = Bench(.hands())
        _ = bench.part("cart.items", ["a"], more: true)
        let gap = PresentGap(reason: .quota, name: "cart.items", continues: false)
        #expect(bench.part("cart.items", ["b"], more: false, gap: gap).things == .init(inserted: 1, removed: 0, kept: 0))
    }

    @Test("Where nobody knows whether it went on, it spoils what has begun, and nothing else")
    func unknown() {
        var bench = Bench(.hands())
        let unknown = PresentGap(reason: .invalidParams, name: nil, continues: nil)
        #expect(bench.part("cart.items", ["a"], more: false, gap: unknown).things?.inserted == 1)
        _ = bench.part("cart.items", ["b"], more: true)
        #expect(bench.part("cart.items", ["c"], more: false, gap: unknown).reason == .invalidParams)
        #expect(bench.part("cart.items", ["a"], more: false).reason == .unchanged)
    }

    @Test("A part of another set that did not come drops what has begun, as it would have done")
    func other() {
        var bench = Bench(.hands())
        _ = bench.part("cart.items", ["a"], more: true)
        let gap = PresentGap(reason: .quota, name: "cart.other", continues: true)
        #expect(bench.part("cart.items", ["b"], more: false, gap: gap).things?.inserted == 1)
    }

    @Test("A set that another connection has said in between is counted against that one")
    func between() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["a", "b"])
        _ = bench.part("cart.items", ["a", "b", "c"], more: true)
        bench.present("cart.items", ["b"], client: .adasOther)
        _ = bench.part("cart.items", ["d"], more: true)
        #expect(bench.part("cart.items", ["e"], more: false).things == .init(inserted: 4, removed: 0, kept: 1))
        _ = bench.part("cart.items", ["a", "x"], more: true)
        bench.present("cart.items", [], client: .adasOther)
        #expect(bench.part("cart.items", ["b"], more: false).things == .init(inserted: 3, removed: 0, kept: 0))
    }
}

extension Bench {
    fileprivate mutating func part(
        _ name: String, _ ids: [String], more: Bool, gap: PresentGap? = nil, work: WorkBudget = WorkBudget()
    ) -> Decision {
        let present = PresentInput(name: name, ids: ids.map { Text($0) }, continues: more, gap: gap)
        take(.batch([.input(Input(client: Bench.ada, at: now, kind: .present(present)))], work: work))
        return decisions.last!
    }
}
