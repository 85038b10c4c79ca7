// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

/// What one user, and one client of theirs, may have of sources and playbacks.
@Suite("Bounds per user and per client") struct QuotaTests {
    private static let adasOther = ClientIdentity(connection: 2, user: Bench.ada.user)
    private static let bob = ClientIdentity(connection: 3, user: 1001)

    private static func bounds(_ change: (inout EngineBounds) -> Void) -> EngineBounds {
        var bounds = EngineBounds.standard
        change(&bounds)
        return bounds
    }

    private func play(
        _ id: String? = nil, on actuators: [Int], _ client: ClientIdentity = Bench.ada, at now: MonotonicInstant
    ) -> BatchItem {
        let play = PlayInput(pattern: PlayablePattern.bench["endless"]!, actuators: actuators.map { ActuatorIndex($0) })
        return .input(Input(client: client, id: id, at: now, kind: .play(play)))
    }

    private static func bench(_ change: (inout EngineBounds) -> Void) -> EngineConfiguration {
        .bench(actuators: (0..<4).map { EngineActuator(name: "motor-\($0)") }, bounds: bounds(change))
    }

    @Test("A client makes only so many sources, and its user goes on with another one")
    func sourcesPerClient() {
        var bench = Bench(.bench(bounds: Self.bounds { $0.sourcesPerClient = 2 }))
        bench.progress("a", 0.1)
        bench.event("sync.state", .string("x"), id: "b")
        bench.run(for: .seconds(1))
        let refused = bench.progress("c", 0.1)
        #expect((refused.outcome, refused.reason, refused.bound) == (.suppressed, .quota, .sourcesPerClient))
        #expect(bench.event("sync.state", .string("x"), id: "d").bound == .sourcesPerClient)
        #expect(bench.progress("a", 0.5).outcome == .played)
        #expect(bench.progress("c", 0.1, client: Self.adasOther).outcome == .played)
        // Explicit sources are the user's: who names one that another client has made makes none.
        #expect(bench.progress("c", 0.5).outcome == .played)
        #expect(bench.progress("c", 0.1, client: Self.bob).outcome == .played)
    }

    @Test("What a client has made counts until it is forgotten, also where the client has gone")
    func madeSources() {
        var bench = Bench(.bench(bounds: Self.bounds { $0.sourcesPerClient = 1 }))
        bench.progress(nil, 0.1)
        #expect(bench.progress("a", 0.1).reason == .quota)
        bench.take(.connectionClosed(Bench.ada.connection))
        #expect(bench.progress("a", 0.1).outcome == .played)
        bench.take(.connectionClosed(Bench.ada.connection))
        #expect(bench.progress("b", 0.1).reason == .quota)
        bench.run(for: .seconds(61))
        #expect(bench.progress("b", 0.1).outcome == .played)
    }

    @Test("Each bound that refuses a source is named")
    func namedBounds() {
        let bounds = EngineBounds(sources: 2, sourcesPerUser: 1, playbacks: 10, sourceTimeout: .seconds(60))
        var bench = Bench(.bench(bounds: bounds))
        bench.progress("a", 0.1)
        #expect(bench.progress("b", 0.1).bound == .sourcesPerUser)
        bench.progress("a", 0.1, client: Self.bob)
        #expect(bench.progress("b", 0.1, client: ClientIdentity(connection: 9, user: 9)).bound == .sources)
    }

    @Test("A user has only so many playbacks, and others play beside them")
    func playbacksPerUser() {
        var bench = Bench(Self.bench { $0.playbacksPerUser = 2 })
        bench.send([play(on: [0], at: bench.now)])
        bench.send([play(on: [1], Self.adasOther, at: bench.now)])
        let refused = bench.send([play(on: [2], at: bench.now)])[0]
        #expect((refused.outcome, refused.reason, refused.bound) == (.suppressed, .quota, .playbacksPerUser))
        #expect(bench.send([play(on: [2], Self.bob, at: bench.now)])[0].outcome == .played)
        #expect(bench.engine.playbackCount == 3)
    }

    @Test("A client has only so many playbacks, and another one of its user plays beside it")
    func playbacksPerClient() {
        var bench = Bench(Self.bench { $0.playbacksPerClient = 1 })
        bench.send([play(on: [0], at: bench.now)])
        #expect(bench.send([play(on: [1], at: bench.now)])[0].bound == .playbacksPerClient)
        #expect(bench.send([play(on: [1], Self.adasOther, at: bench.now)])[0].outcome == .played)
    }

    @Test("A playback that replaces another one needs no room of its own")
    func replaced() {
        var bench = Bench(Self.bench { $0.playbacksPerUser = 1 })
        bench.send([play("a", on: [0], at: bench.now)])
        // On the same actuator, then by the same id on another one.
        #expect(bench.send([play("b", on: [0], at: bench.now)])[0].outcome == .played)
        let other = PlayInput(pattern: PlayablePattern.bench["long"]!, actuators: [ActuatorIndex(1)])
        let again = bench.send([.input(Input(client: Bench.ada, id: "b", at: bench.now, kind: .play(other)))])[0]
        #expect(again.outcome == .played)
        #expect(bench.engine.playbackCount == 1)
    }

    @Test("A playback that fades out stands in nobody's way")
    func fading() {
        var bench = Bench(Self.bench { $0.playbacksPerUser = 1 })
        bench.send([play("a", on: [0], at: bench.now)])
        bench.run(for: .milliseconds(50))
        bench.send([.cancel(.source(id: "a"), .graceful)])
        #expect(bench.engine.playbackCount == 1)
        #expect(bench.send([play("b", on: [1], at: bench.now)])[0].outcome == .played)
    }

    @Test("The client that began a playback is known as long as it plays")
    func owner() throws {
        var bench = Bench(Self.bench { _ in })
        let playback = try #require(bench.send([play(on: [0], Self.bob, at: bench.now)])[0].playback)
        #expect(bench.engine.user(of: playback) == Self.bob.user)
        bench.send([.cancel(.all)])
        #expect(bench.engine.user(of: playback) == nil)
    }
}
