// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Privacy of the history") struct HistoryPrivacyTests {
    @Test("The rule of a progress source is hidden with its id")
    func rule() throws {
        let bench = try Bench()
        _ = bench.ask(.progress(ProgressParams(id: "copy", value: Progress(0.5)!)), of: try bench.connect(user: 1001))
        #expect(try bench.history(of: try bench.connect(user: 1002)).entries[0].decision.rule == nil)
        #expect(try bench.history(of: try bench.connect(user: 0)).entries[0].decision.rule == "*")
    }

    @Test(
        "Ids and values are shown to their user, to users in `access: history`, to root and to the daemon's user",
        arguments: [(1001, true), (1002, false), (1003, true), (0, true), (900, true)] as [(UInt32, Bool)])
    func privacy(user: UInt32, sees: Bool) throws {
        let bench = try Bench { $0.access[.history] = AccessList(users: [Account(name: "ada", id: 1003)]) }
        let owner = try bench.service.connect(Peer(user: 1001, groups: [], process: 77), at: bench.now)
        _ = bench.ask(.event(EventParams(name: "door.opened", id: "front", value: .number(3))), of: owner)
        let reader = try bench.connect(user: user)
        let decision = try bench.history(of: reader).entries[0].decision
        #expect((decision.source, decision.value) == (sees ? "front" : nil, sees ? .number(3) : nil))
        #expect((decision.name, decision.user, decision.process) == ("door.opened", 1001, 77))
        #expect(bench.service.seesOthers(reader) == (sees && user != 1001))
    }
}
