// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

/// Two clients of one door: connections of one user, each with a scope.
@Suite("Scopes")
struct ScopeTests {
    private static let anna = ClientIdentity(connection: 11, user: 1000, scope: 1)
    private static let bert = ClientIdentity(connection: 12, user: 1000, scope: 2)

    private static func play(_ pattern: String, id: String? = nil, of client: ClientIdentity) -> BatchItem {
        .input(Input(client: client, id: id, at: .zero, kind: .play(PlayInput(pattern: PlayablePattern.bench[pattern]!))))
    }

    private static func cancel(_ target: CancelTarget, by client: ClientIdentity) -> BatchItem {
        .cancel(CancelRequest(client: client, target: target, mode: .immediate))
    }

    @Test("Progress of one id has a gate for each scope, and a release resets only that of its own")
    func progress() {
        var bench = Bench()
        #expect(bench.progress("copy", 0.5, client: Self.anna).reason != .belowStep)
        #expect(bench.progress("copy", 0.5, client: Self.bert).reason != .belowStep)
        bench.send([.input(Input(client: Self.bert, id: "copy", at: bench.now, kind: .release))])
        #expect(bench.progress("copy", 0.5, client: Self.anna).reason == .belowStep)
        #expect(bench.progress("copy", 0.5, client: Self.bert).reason != .belowStep)
        #expect(bench.progress("copy", 0.5).reason != .belowStep, "the user without a scope has a gate, too")
        #expect(bench.engine.sourceCount == 3)
    }

    @Test(
        "A scope neither releases nor blocks the hold with the same id of another scope, nor ends it when its connection closes")
    func holds() {
        var bench = Bench(.hands())
        #expect(bench.hold("pay", .down, client: Self.anna).reason == .pressed)
        #expect(bench.hold("pay", .up, client: Self.bert).reason == .unchanged)
        #expect(bench.hold("pay", .down, client: Self.bert).reason == .pressed)
        bench.run(until: .ms(300))
        bench.take(.connectionClosed(Self.bert.connection))
        bench.run(until: .ms(3000))
        let confirmed = bench.holds.filter { $0.state == .confirmed }
        #expect(confirmed.map(\.scope) == [1])
        #expect(!bench.holds.contains { $0.scope == 2 }, "a tap that nobody hears of")
    }

    @Test("A task of one id is pending for each scope")
    func tasks() {
        var bench = Bench(.hands())
        #expect(bench.task("backup", .began, client: Self.anna).reason != .duplicate)
        #expect(bench.task("backup", .succeeded, client: Self.bert).reason == .notPending)
        #expect(bench.task("backup", .began, client: Self.bert).reason != .duplicate)
        #expect(bench.task("backup", .cancelled, client: Self.bert).reason != .notPending)
        #expect(bench.task("backup", .succeeded, client: Self.anna).reason != .notPending)
    }

    @Test("A set of one name has its own things for each scope")
    func sets() {
        var bench = Bench(.hands())
        func counts(_ ids: [String], _ client: ClientIdentity) -> Decision.ThingCounts? {
            bench.present("cart.items", ids, client: client).things
        }
        #expect(counts(["a", "b"], Self.anna) == .init(inserted: 2, removed: 0, kept: 0))
        #expect(counts(["a"], Self.bert) == .init(inserted: 1, removed: 0, kept: 0))
        #expect(counts(["a", "b"], Self.anna) == .init(inserted: 0, removed: 0, kept: 2))
        #expect(counts([], Self.bert) == .init(inserted: 0, removed: 1, kept: 0))
    }

    @Test("A scope cancels its own playbacks only, by their id, by their number, or all")
    func cancels() throws {
        var bench = Bench()
        let playback = try #require(bench.send(Self.play("endless", id: "x", of: Self.anna)).playback)
        for target in [.source(id: "x"), .playback(playback), .all] as [CancelTarget] {
            bench.send([Self.cancel(target, by: Self.bert)])
        }
        #expect(bench.cancelledCounts == [0, 0, 0])
        bench.send([Self.cancel(.all, by: Self.anna)])
        #expect(bench.cancelledCounts.last == 1)
        bench.send(Self.play("endless", id: "x", of: Bench.ada))
        bench.send([Self.cancel(.all, by: Self.anna), Self.cancel(.all, by: Bench.ada)])
        #expect(bench.cancelledCounts.suffix(2) == [0, 1])
    }

    @Test("A scope that may not end others leaves a playback of equal priority to the scope that plays it")
    func equalPriority() {
        func guest(_ connection: UInt64, _ scope: UInt32) -> ClientIdentity {
            ClientIdentity(connection: connection, user: 1000, scope: scope, mayEndOthers: false)
        }
        var bench = Bench()
        #expect(bench.send(Self.play("endless", of: guest(11, 1))).outcome == .played)
        #expect(bench.send(Self.play("soft", of: guest(12, 2))).reason == .notAllowed)
        #expect(bench.send(Self.play("soft", of: guest(13, 1))).outcome == .played)
    }

    @Test("Bounds count the user, whatever its scopes are")
    func bounds() {
        var bench = Bench(.hands())
        for number in 0..<HoldTable.mostPerUser {
            let client = ClientIdentity(connection: UInt64(number) + 1, user: 1000, scope: UInt32(number) + 1)
            #expect(bench.hold("pay", .down, client: client).reason == .pressed)
        }
        #expect(bench.hold("pay", .down, client: ClientIdentity(connection: 99, user: 1000, scope: 99)).reason == .quota)
        #expect(bench.hold("pay", .down, client: ClientIdentity(connection: 100, user: 1001)).reason == .pressed)
    }

    @Test("An event that comes again is one of the same scope")
    func repetitions() throws {
        var table = RepetitionTable()
        func note(_ client: ClientIdentity) throws -> Bool {
            var candidate = Candidate.play(client: client)
            candidate.source = SourceKey(client: client, id: "a", eventName: "call")
            return table.note(try #require(RepeatedEvent(candidate)), at: .zero)
        }
        let areKnown = [try note(Self.anna), try note(Self.bert), try note(Self.anna)]
        #expect(areKnown == [false, false, true])
    }

    @Test("Owners of one id are in the order of users and scopes, after devices")
    func order() {
        let ids = [Self.bert, Self.anna, Bench.ada, .hand, ClientIdentity(connection: 1, user: 1)].map { OwnedID($0, id: "a") }
        #expect(ids.sorted().map(\.owner) == [nil, Owner(user: 1), Bench.ada.owner, Self.anna.owner, Self.bert.owner])
    }
}
