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

    @Test("The intensity of a followed value, which tells the value, is hidden with it")
    func followed() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        _ = bench.ask(.progress(.followed(0.7316)), of: owner)
        #expect(try bench.history(of: owner).entries[0].decision.intensity == 0.7316)
        let others = try bench.history(of: try bench.connect(user: 1002)).entries[0].decision
        #expect((others.outcome, others.value, others.intensity) == ("played", nil, nil))
    }

    @Test("To other users the actuations of a followed value tell it only roughly, also those after its end")
    func followedActuations() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        bench.subscribe(owner, to: .actuations)
        _ = bench.ask(.progress(.followed(0.7316)), of: owner)
        let begun = try #require(bench.sink.actuations.first)
        bench.pass(.seconds(1))
        _ = bench.outputs()
        let applied = bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) }
        bench.service.applied(applied)
        let notices = bench.notices()
        #expect(begun.playback == applied.last?.actuation.playback)
        #expect(notices.count == applied.count && !notices.isEmpty)
        for (notice, applied) in zip(notices, applied) {
            guard case .actuation(let own) = notice, case .actuation(let others)? = notice.masked else {
                Issue.record("not masked")
                continue
            }
            #expect(own.intensity == applied.actuation.level.intensity.value)
            #expect((others.intensity * 10).rounded() / 10 == others.intensity)
            #expect(others.intensity >= own.intensity && others.intensity < own.intensity + 0.1)
            #expect((others.drive * 10).rounded() / 10 == others.drive)
        }
    }

    @Test("The actuations of all other playbacks are the same for everyone")
    func playedActuations() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        bench.subscribe(owner, to: .actuations)
        _ = bench.ask(.play("soft"), of: owner)
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) })
        let notices = bench.notices()
        #expect(notices.count == 2)
        #expect(notices.allSatisfy { $0.masked == nil })
    }
}

extension ProgressParams {
    fileprivate static func followed(_ value: Double) -> ProgressParams {
        var params = ProgressParams(id: "lever", value: Progress(value)!)
        params.mode = .follow
        return params
    }
}
