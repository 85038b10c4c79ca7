// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Sets that nobody should send")
struct BadSetTests {
    @Test("A million ids, in lines, are refused from the bound on; the old set stays, and nothing is kept of the new one")
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
        let whole = (0..<99).map { lines[$0] }
        for index in whole.indices { #expect(bench.present("cart.other", whole[index], more: true).reason == .incomplete) }
        #expect(bench.present("cart.other", []).things?.inserted == 99_000)
    }

    @Test("More ids than a line may cost are refused up to the last line of their set")
    func dear() {
        var bench = Bench(.hands())
        func send(_ ids: [String], more: Bool, work: WorkBudget) -> Decision {
            let present = PresentInput(name: "cart.items", ids: ids.map { Text($0) }, continues: more)
            bench.take(.batch([.input(Input(client: Bench.ada, at: bench.now, kind: .present(present)))], work: work))
            return bench.decisions.last!
        }
        let many = (0..<100).map { "i\($0)" }
        #expect(send(many, more: true, work: WorkBudget(50 * WorkBudget.Cost.thing)).reason == .quota)
        #expect(send(["x"], more: false, work: WorkBudget()).reason == .quota)
        #expect(send(["x"], more: false, work: WorkBudget()).things?.inserted == 1)
    }

    @Test("The same id a thousand times is one thing, in one line and in several")
    func repeated() {
        var bench = Bench(.hands())
        let same = Array(repeating: "a", count: 1000)
        bench.present("cart.items", same, more: true)
        #expect(bench.present("cart.items", same).things == .init(inserted: 1, removed: 0, kept: 0))
        bench.present("cart.items", ["b", "a"], more: true)
        #expect(bench.present("cart.items", ["a", "b"]).things == .init(inserted: 1, removed: 0, kept: 1))
    }

    @Test("Another user's set is another one, whatever its name")
    func others() {
        var bench = Bench(.hands())
        bench.present("cart.items", ["a"])
        #expect(bench.present("cart.items", [], client: .bob).reason == .unchanged)
        #expect(bench.present("cart.items", ["a"]).reason == .unchanged)
        bench.event("player", id: "p1")
        let bobs = bench.send([.event("player", id: "p1", at: bench.now, client: .bob)])[0]
        #expect(bobs.things == .init(inserted: 1, removed: 0, kept: 0))
    }

    @Test("A set that is said a thousand times at once is felt as often as its class may")
    func hammered() {
        var bench = Bench(.hands())
        for round in 0..<1000 { bench.present("cart.items", round % 2 == 0 ? ["a"] : []) }
        let limit = UInt64(ClassTable.standard.interaction.limitPerSecond!)
        #expect(bench.engine.count(of: .played, reason: nil) == limit)
        #expect(bench.engine.count(of: .suppressed, reason: .rateLimited) == 1000 - limit)
        bench.run(for: .seconds(2))
        #expect(bench.actuations.last?.isOn == false)
    }
}
