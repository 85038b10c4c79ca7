// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Things that are present")
struct PresentTests {
    private static func counts(_ inserted: Int, _ removed: Int, _ kept: Int) -> Decision.ThingCounts {
        .init(inserted: inserted, removed: removed, kept: kept)
    }

    @Test("What is new is felt, what is missing is felt, what stayed is not, in whatever order it comes")
    func comparison() {
        var bench = Bench(.hands())
        let steps: [(ids: [String], Decision.ThingCounts, String?, Reason?)] = [
            (["a"], Self.counts(1, 0, 0), "tick", nil), (["a"], Self.counts(0, 0, 1), nil, .unchanged),
            (["b", "a"], Self.counts(1, 0, 1), "tick", nil), (["a", "b", "a"], Self.counts(0, 0, 2), nil, .unchanged),
            (["a", "c"], Self.counts(1, 1, 1), "success", nil), (["c"], Self.counts(0, 1, 1), "light", nil),
            ([], Self.counts(0, 1, 0), "light", nil), ([], Self.counts(0, 0, 0), nil, .unchanged),
        ]
        for (ids, counts, pattern, reason) in steps {
            let decision = bench.present("cart.items", ids)
            #expect(decision.things == counts && decision.pattern == pattern && decision.reason == reason, "\(ids)")
            #expect(decision.name == "cart.items" && decision.source == nil)
            bench.run(for: .seconds(2))
        }
    }

    @Test("Many at once are one rhythm, a step for each, and not longer than a second")
    func rhythm() {
        for (count, steps) in [(1, 1), (2, 2), (5, 5), (16, 16), (17, 17), (18, 17), (1000, 17)] {
            var bench = Bench(.hands())
            bench.present("cart.items", (0..<count).map { "i\($0)" })
            bench.run(for: .seconds(3))
            let pulses = bench.pulses()
            #expect(pulses.count == steps && pulses[0].start == .zero && pulses.last!.end <= .ms(1000))
            #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $1.start - $0.start == .milliseconds(60) })
        }
    }

    @Test("Nothing changes before the last line of a set, and a closed connection drops what it has said")
    func parts() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["a", "b"])
        #expect(bench.present("cart.items", ["a"], more: true).reason == .incomplete)
        // Another connection's is another set of lines, and counts at once.
        #expect(bench.present("cart.items", ["a", "b", "c"], client: .adasOther).things == Self.counts(1, 0, 2))
        #expect(bench.present("cart.items", ["d"], more: true).things == nil)
        #expect(bench.present("cart.items", ["e"]).things == Self.counts(2, 2, 1))
        bench.present("cart.items", ["x"], more: true)
        bench.take(.connectionClosed(1))
        #expect(bench.present("cart.items", ["a", "d", "e"], client: .adasOther).reason == .unchanged)
        #expect(bench.present("cart.items", ["a"], client: .bob).things == Self.counts(1, 0, 0))
    }

    @Test("A set that is too much is refused up to its last line, and the old one stays")
    func bounded() {
        var bounds = EngineBounds.standard
        (bounds.thingsPerUser, bounds.things) = (100, 150)
        var bench = Bench(.hands(bounds: bounds))
        func ids(_ range: Range<Int>) -> [String] { range.map { "id-\($0)" } }
        #expect(bench.present("cart.a", ids(0..<60)).things?.inserted == 60)
        #expect(bench.present("cart.b", ids(0..<30), more: true).reason == .incomplete)
        let refused = bench.present("cart.b", ids(30..<60), more: true)
        #expect(refused.reason == .quota && refused.bound == .thingsPerUser)
        #expect(bench.present("cart.b", ids(60..<61)).bound == .thingsPerUser)
        // That was its last line: the next one is a set of its own.
        #expect(bench.present("cart.b", ids(0..<40)).things == Self.counts(40, 0, 0))
        // In place of the old one there is room for as many.
        #expect(bench.present("cart.a", ids(100..<160)).things == Self.counts(60, 60, 0))
        #expect(bench.present("cart.a", ids(0..<51), client: .bob).bound == .things)
        #expect(bench.present("cart.a", ids(0..<50), client: .bob).things?.inserted == 50)
        #expect(bench.present("cart.c", [String(repeating: "x", count: 8001)]).bound == .thingsPerUser)
    }

    @Test("A small set counts as four things, and its name counts as its ids do")
    func smallSets() {
        var bounds = EngineBounds.standard
        (bounds.thingsPerUser, bounds.things) = (100, 150)
        var bench = Bench(.hands(bounds: bounds))
        for index in 0..<25 { #expect(bench.present("cart.\(index)", ["a"]).things?.inserted == 1) }
        #expect(bench.present("cart.more", ["a"]).bound == .thingsPerUser)
        #expect(bench.present("cart.more", ["a"], more: true).bound == .thingsPerUser)
        #expect(bench.present("cart.more", []).bound == .thingsPerUser)
        // In place of another one there is room, and nothing needs none.
        #expect(bench.present("cart.0", ["b", "c", "d", "e"]).things?.inserted == 4)
        #expect(bench.present("cart.none", []).reason == .unchanged)
        for index in 0..<25 { bench.present("cart.\(index)", []) }
        let name = "cart." + String(repeating: "n", count: 995)
        #expect(bench.present(name, [String(repeating: "x", count: 7001)]).bound == .thingsPerUser)
        #expect(bench.present(name, [String(repeating: "x", count: 7000)]).things?.inserted == 1)
    }

    @Test("Sets that are too old go a few at a time, the oldest first")
    func oldest() {
        var bench = Bench(.hands())
        for index in 0..<600 { bench.present("cart.\(index)", ["a"]) }
        bench.run(for: .seconds(1800))
        bench.present("cart.0", ["a"])
        bench.run(for: .seconds(1800))
        #expect(bench.engine.things.count == 600)
        // Whatever its place, an old one is none.
        #expect(bench.present("cart.599", []).reason == .unchanged)
        #expect(bench.engine.things.count == 600 - ThingTable.mostForgotten - 1)
        bench.present("cart.599", [])
        bench.present("cart.599", [])
        #expect(bench.engine.things.count == 1)
        #expect(bench.present("cart.0", ["a"]).reason == .unchanged)
    }

    @Test("A set waits an hour for its next line")
    func forgotten() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["a"])
        bench.run(for: ThingTable.timeout - Nanoseconds(1))
        #expect(bench.present("cart.items", ["a"]).reason == .unchanged)
        bench.run(for: ThingTable.timeout)
        #expect(bench.present("cart.items", ["a"]).things == Self.counts(1, 0, 0))
    }

    @Test("Ids that are all one further are called what they probably are")
    func positions() {
        func isShifted(_ old: [String], _ new: [String]) -> Bool {
            var bench = Bench(.hands())
            bench.present("cart.items", old)
            return bench.present("cart.items", new).circumstance == .idsShifted
        }
        #expect(isShifted(["0", "1", "2"], ["1", "2", "3"]) && isShifted(["row-9", "row-10"], ["row-8", "row-9"]))
        #expect(!isShifted(["0", "1", "2"], ["2", "3", "4"]) && !isShifted(["1", "2"], ["1", "2", "3"]))
        #expect(!isShifted(["a1", "b2"], ["a2", "b3"]) && !isShifted(["1", "3"], ["2", "4"]) && !isShifted(["1"], ["2"]))
        #expect(!isShifted(["01", "02"], ["02", "03"]))
    }

    @Test("What was noted of the ids is said also where nothing is felt of them")
    func refusedPositions() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["0", "1"])
        bench.run(for: .seconds(1))
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        let decision = bench.present("cart.items", ["1", "2"])
        #expect(decision.outcome == .failed && decision.circumstance == .idsShifted)
    }

    @Test("It counts as a plain comparison of sets does", arguments: UInt64(0)..<50)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bench = Bench(.hands())
        var old: Set<String> = []
        for _ in 0..<30 {
            let ids = (0..<Int.random(in: 0...12, using: &random)).map { _ in "i\(Int.random(in: 0...15, using: &random))" }
            let cut = Int.random(in: 0...ids.count, using: &random)
            if Bool.random(using: &random) { bench.present("cart.x", Array(ids[..<cut]), more: true) } else { continue }
            let new = Set(ids)
            let things = bench.present("cart.x", Array(ids[cut...])).things
            #expect(things == Self.counts(new.subtracting(old).count, old.subtracting(new).count, old.intersection(new).count))
            old = new
            bench.run(for: .milliseconds(Int64.random(in: 0...100, using: &random)))
        }
    }

    @Test("An event whose rule has a transition is about one thing, and its id says which")
    func transition() {
        var bench = Bench(.hands())
        let steps: [(id: String?, String?, Reason?)] = [
            ("p1", "tick", nil), ("p1", nil, .unchanged), ("p2", "success", nil), (nil, "light", nil), (nil, nil, .unchanged),
            ("p1", "tick", nil),
        ]
        for (id, pattern, reason) in steps {
            let decision = bench.event("player", id: id)
            #expect(decision.pattern == pattern && decision.reason == reason, "\(id ?? "none")")
            bench.run(for: .seconds(1))
        }
    }

    @Test("What an event was about last is remembered for an hour, beside the set of its name")
    func rememberedTransition() {
        var bench = Bench(.hands(collectionRules: [.cart, .players]))
        bench.event("player", id: "p1")
        bench.run(for: .seconds(61))
        #expect(bench.present("player", ["p2"]).things == Self.counts(1, 0, 0))
        #expect(bench.event("player", id: "p1").reason == .unchanged)
        bench.run(for: ThingTable.timeout - Nanoseconds(1))
        #expect(bench.event("player", id: "p1").reason == .unchanged)
        bench.run(for: ThingTable.timeout)
        #expect(bench.event("player", id: "p1").things == Self.counts(1, 0, 0))
    }

    @Test("The thing of an event is charged as a set is, and what there was stays where there is no room")
    func boundedTransition() {
        var bounds = EngineBounds.standard
        bounds.thingsPerUser = 8
        var bench = Bench(.hands(bounds: bounds))
        bench.event("player", id: "p1")
        bench.present("cart.a", ["a"])
        #expect(bench.event("player", id: String(repeating: "x", count: 640)).bound == .thingsPerUser)
        #expect(bench.event("player", id: "p1").reason == .unchanged)
        #expect(bench.event("player").things == Self.counts(0, 1, 0))
        #expect(bench.present("cart.b", ["a"]).things?.inserted == 1)
        #expect(bench.event("player", id: "p1").bound == .thingsPerUser)
    }
}
