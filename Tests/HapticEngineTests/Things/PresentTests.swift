// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

/// The traces `things*` and `transition` show all except counts of many sets and random comparisons.
@Suite("Things that are present")
struct PresentTests {
    private static func bench() -> Bench {
        var bounds = EngineBounds.standard
        (bounds.thingsPerUser, bounds.things) = (100, 150)
        return Bench(.hands(bounds: bounds))
    }

    private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("The bytes of ids count, and so do those of a set's name")
    func bytes() {
        var bench = Self.bench()
        let name = "cart." + Self.x(995)
        #expect(bench.present("cart.c", [Self.x(8001)]).bound == .thingsPerUser)
        #expect(bench.present(name, [Self.x(7001)]).bound == .thingsPerUser)
        #expect(bench.present(name, [Self.x(7000)]).things?.inserted == 1)
    }

    @Test("The thing of an event is charged like a set, and the old set stays if there is no room")
    func boundedTransition() {
        var bounds = EngineBounds.standard
        bounds.thingsPerUser = 8
        var bench = Bench(.hands(bounds: bounds))
        bench.event("player", id: "p1")
        bench.present("cart.a", ["a"])
        #expect(bench.event("player", id: Self.x(640)).bound == .thingsPerUser)
        #expect(bench.event("player", id: "p1").reason == .unchanged)
        #expect(bench.event("player").things == .init(inserted: 0, removed: 1, kept: 0))
        #expect(bench.present("cart.b", ["a"]).things?.inserted == 1)
        #expect(bench.event("player", id: "p1").bound == .thingsPerUser)
    }

    @Test("Sets that are too old go a few at a time, the oldest first")
    func oldest() {
        var bench = Bench(.hands())
        for index in 0..<600 { bench.present("cart.\(index)", ["a"]) }
        bench.run(for: .seconds(1800))
        bench.present("cart.0", ["a"])
        bench.run(for: .seconds(1800))
        #expect(bench.engine.inputs.things.count == 600)
        // Whatever its place, an old one is none.
        #expect(bench.present("cart.599", []).reason == .unchanged)
        #expect(bench.engine.inputs.things.count == 600 - ThingTable.mostForgotten - 1)
        bench.present("cart.599", [])
        bench.present("cart.599", [])
        #expect(bench.engine.inputs.things.count == 1)
        #expect(bench.present("cart.0", ["a"]).reason == .unchanged)
    }

    @Test(
        "Ids that are all one further are reported as shifted",
        arguments: [
            (["0", "1", "2"], ["1", "2", "3"], true), (["row-9", "row-10"], ["row-8", "row-9"], true),
            (["0", "1", "2"], ["2", "3", "4"], false), (["1", "2"], ["1", "2", "3"], false),
            (["a1", "b2"], ["a2", "b3"], false), (["1", "3"], ["2", "4"], false), (["1"], ["2"], false),
            (["01", "02"], ["02", "03"], false),
        ])
    func positions(old: [String], new: [String], areShifted: Bool) {
        var bench = Bench(.hands())
        bench.present("cart.items", old)
        #expect((bench.present("cart.items", new).circumstance == .idsShifted) == areShifted)
    }

    @Test("The counts are those of a plain comparison of sets", arguments: UInt64(0)..<50)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bench = Bench(.hands())
        var old: Set<String> = []
        for _ in 0..<30 {
            let ids = (0..<Int.random(in: 0...12, using: &random)).map { _ in "i\(Int.random(in: 0...15, using: &random))" }
            let cut = Int.random(in: 0...ids.count, using: &random)
            if Bool.random(using: &random) { bench.present("cart.x", Array(ids[..<cut]), more: true) } else { continue }
            let new = Set(ids)
            let counts = Decision.ThingCounts(
                inserted: new.subtracting(old).count, removed: old.subtracting(new).count, kept: old.intersection(new).count)
            #expect(bench.present("cart.x", Array(ids[cut...])).things == counts)
            old = new
            bench.run(for: .milliseconds(Int64.random(in: 0...100, using: &random)))
        }
    }
}
