// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Storing of settings") struct StoringTests {
    private func bench() throws -> Bench {
        let bench = try Bench()
        bench.service.keepsSettings = true
        return bench
    }

    private func stored(_ bench: Bench, _ failure: SettingsFailure? = nil) -> [Output] {
        bench.service.stored(failure, at: bench.now)
        return bench.outputs()
    }

    /// The next one may begin.
    private func waited(_ bench: Bench) -> [Output] {
        bench.pass(SettingsQueue.pause)
        return bench.outputs()
    }

    @Test("One state is stored at a time, and then the newest one, for all changes made meanwhile")
    func oneAtATime() throws {
        let bench = try bench()
        let client = try bench.connect()
        let tickets = [Profile.quiet, .reduced, .silent, .full].map { bench.ask(.set($0), of: client)?.held }
        #expect(Set(tickets).count == 4)
        #expect(!tickets.contains(nil))
        #expect(bench.outputs().map(\.store) == [Settings(profile: .quiet)])
        #expect(stored(bench).map(\.settledTicket) == [tickets[0]])
        #expect(waited(bench).map(\.store) == [Settings(profile: .full)])
        #expect(stored(bench).map(\.settledTicket) == Array(tickets[1...]))
    }

    @Test("A slider has its first value stored immediately, then the newest each second, and the last at the end")
    func slider() throws {
        let bench = try bench()
        let client = try bench.connect()
        var stores: [(at: MonotonicInstant, Settings)] = []
        for step in 0..<200 {
            let value = SettingsChange.Change.set(Strength(Double(step) / 200)!)
            #expect(bench.ask(.settings { $0.strength = value }, of: client)?.held != nil)
            bench.pass(.milliseconds(16))
            for settings in bench.outputs().compactMap(\.store) {
                stores.append((bench.now, settings))
                #expect(stored(bench).compactMap(\.settledTicket).count > 0)
            }
        }
        #expect(stores.count == 4, "in 3.2 s")
        #expect(zip(stores, stores.dropFirst()).allSatisfy { $1.at - $0.at >= SettingsQueue.pause })
        #expect(stores.first?.1.strength == Strength(0))
        #expect(stores.last?.1.strength != Strength(199.0 / 200))
        bench.service.shutDown(at: bench.now)
        #expect(bench.outputs().compactMap(\.store) == [Settings(strength: Strength(199.0 / 200))])
    }

    @Test("A failed store is retried after the usual pause, and a waiting state is stored at the end")
    func pauseAfterFailure() throws {
        let bench = try bench()
        let client = try bench.connect()
        _ = (bench.ask(.set(.quiet), of: client), bench.outputs(), stored(bench, SettingsFailure("no")))
        #expect(bench.ask(.set(.quiet), of: client)?.held != nil)
        #expect(bench.outputs().isEmpty)
        bench.pass(SettingsQueue.pause - Nanoseconds(1))
        #expect(bench.outputs().isEmpty)
        bench.pass(Nanoseconds(1))
        #expect(bench.outputs().compactMap(\.store).count == 1)
        // While that one is being stored.
        _ = (bench.ask(.set(.silent), of: client), bench.service.shutDown(at: bench.now), bench.outputs())
        #expect(stored(bench).compactMap(\.store) == [Settings(profile: .silent)])
    }

    @Test("A line with several changes waits once, and its other items do not wait")
    func batch() throws {
        let bench = try bench()
        let requests = [
            Request(.set(.quiet)), Request(.play("soft")), Request(.settings { $0.off = .set(.forGood) }),
            Request(.askSettings),
        ]
        let replies = bench.say(requests, of: try bench.connect())
        #expect(replies.map { $0?.held != nil } == [true, false, true, false])
        #expect(replies[0]?.held == replies[2]?.held)
        let store = bench.outputs().compactMap(\.store)
        #expect(store == [Settings(profile: .quiet, off: .forGood)])
    }

    @Test("A setting that is already stored is answered immediately, and so is a query while another is being stored")
    func nothingToStore() throws {
        let bench = try bench()
        let client = try bench.connect()
        bench.service.restore(Settings(profile: .quiet), at: bench.now)
        #expect(bench.ask(.set(.quiet), of: client)?.settings?.profile.value == .quiet)
        #expect(bench.outputs().isEmpty)
        #expect(bench.ask(.set(.full), of: client)?.held != nil)
        #expect(bench.ask(.askSettings, of: client)?.settings?.profile.value == .full)
        #expect(bench.ask(.askSettings, of: client)?.settings?.now.kept == true)
        // It is on its way, and may fail yet.
        #expect(bench.ask(.set(.full), of: client)?.held != nil)
        #expect(bench.outputs().compactMap(\.store).count == 1)
        #expect(stored(bench).map(\.name) == ["settled", "settled"])
    }

    @Test("A setting that cannot be stored applies until a restart, as its error says, and is stored again when it is set again")
    func failing() throws {
        let bench = try bench()
        let client = try bench.connect()
        let ticket = bench.ask(.set(.quiet), of: client)?.held
        _ = bench.outputs()
        let failed = stored(bench, SettingsFailure("the disk is full; make room"))
        #expect((failed.count, failed[0].settledTicket) == (1, ticket))
        guard case .settled(_, let error?)? = failed.first else {
            Issue.record("there is no error")
            return
        }
        #expect(error.code == -32006)
        #expect(
            error.message
                == "it counts, but only until hapticd is started again, for it could not be stored: the disk is full; make room")
        #expect(bench.ask(.askSettings, of: client)?.settings?.profile.value == .quiet)
        #expect(bench.ask(.set(.quiet), of: client)?.held != nil)
        #expect(waited(bench).map(\.store) == [Settings(profile: .quiet)])
        #expect(stored(bench).map(\.name) == ["settled"])
        #expect(bench.ask(.set(.quiet), of: client)?.settings?.profile.value == .quiet)
    }

    @Test("A client that set something after a state that could not be stored gets an answer of its own")
    func failingBefore() throws {
        let bench = try bench()
        let (ada, bob) = (try bench.connect(), try bench.connect(user: 1002))
        let (first, second) = (bench.ask(.set(.quiet), of: ada)?.held, bench.ask(.set(.reduced), of: bob)?.held)
        _ = bench.outputs()
        #expect(stored(bench, SettingsFailure("no")).map(\.settledTicket) == [first])
        #expect(waited(bench).map(\.store) == [Settings(profile: .reduced)])
        let done = stored(bench)
        #expect(done.count == 1)
        guard case .settled(second, nil)? = done.first else { return #expect(Bool(false)) }
    }

    @Test("Changes of two users at the same time are both answered: the last one wins, and other keys keep both")
    func sameInstant() throws {
        let bench = try bench()
        let (ada, bob) = (try bench.connect(), try bench.connect(user: 1002))
        func hours(_ from: String) -> QuietHours { QuietHours(from: TimeOfDay(from)!, to: TimeOfDay("07:00")!) }
        func set(_ app: Text, _ from: [String]) -> Call {
            .settings { ($0.apps, $0.quietHours) = (.set([app: .set(Strength(0.5)!)]), .set(from.map(hours))) }
        }
        let replies = [bench.ask(set("a", ["20:00", "21:00"]), of: ada), bench.ask(set("b", ["22:00"]), of: bob)]
        let results = replies.map { $0?.heldSettings }
        // Each is answered with what was in force right then.
        #expect(results.map { $0?.quietHours.value.map { "\($0.from)" } } == [["20:00", "21:00"], ["22:00"]])
        #expect(results.map { $0?.apps.entries.map(\.name) } == [["a"], ["a", "b"]])
        let both = Settings(apps: ["a": Strength(0.5)!, "b": Strength(0.5)!], quietHours: [hours("22:00")])
        let first = bench.outputs() + stored(bench) + waited(bench)
        #expect((first.compactMap(\.store).last, first.compactMap(\.settledTicket).first) == (both, replies[0]?.held))
        #expect(stored(bench).map(\.settledTicket) == [replies[1]?.held])
    }

    @Test("The settings of a client that hangs up are stored, and it is not waited for")
    func gone() throws {
        let bench = try bench()
        let client = try bench.connect()
        _ = bench.ask(.set(.quiet), of: client)
        _ = bench.ask(.set(.silent), of: client)
        bench.service.disconnect(client, at: bench.now)
        _ = bench.outputs()
        // The connection is gone, which whoever takes this out knows.
        #expect((stored(bench).count, waited(bench).compactMap(\.store)) == (1, [Settings(profile: .silent)]))
        #expect(stored(bench).count == 1)
        #expect(waited(bench).isEmpty)
        #expect(bench.ask(.set(.full), of: try bench.connect())?.held != nil)
    }

    @Test("The settings of a notification are stored, and so is the end of off")
    func withoutReply() throws {
        let bench = try bench()
        let client = try bench.connect()
        let set = Call.settings { $0.off = .set(.for(.seconds(10))) }
        #expect(bench.say([Request(set, wantsReply: false)], of: client) == [nil])
        #expect(bench.outputs().map(\.store) == [Settings(off: .until(bench.now + .seconds(10)))])
        #expect(stored(bench).isEmpty)
        bench.pass(.seconds(10))
        #expect(bench.outputs().map(\.store) == [Settings()])
    }

    @Test("A bounded number of lines may wait; further changes are refused")
    func many() throws {
        let bench = try bench()
        let client = try bench.connect()
        let profiles: [Profile] = [.quiet, .full]
        let replies = (0..<1026).map { bench.ask(.set($0 == 0 ? .silent : profiles[$0 % 2]), of: client) }
        // One is being stored, and the others wait for the next.
        #expect(replies.prefix(1025).allSatisfy { $0?.held != nil })
        #expect(replies.last??.error?.code == ErrorCode.quota.rawValue)
        #expect(bench.ask(.askSettings, of: client)?.settings?.profile.value == .quiet)
        #expect((stored(bench).compactMap(\.settledTicket).count, waited(bench).count) == (1, 1))
        #expect(stored(bench).compactMap(\.settledTicket).count == 1024)
    }

    @Test("Without a store changes are answered immediately, and as not kept")
    func notKept() throws {
        let bench = try Bench()
        let client = try bench.connect()
        #expect(bench.ask(.set(.quiet), of: client)?.settings?.profile.value == .quiet)
        #expect(bench.ask(.settings { $0.off = .set(.forGood) }, of: client)?.settings?.now.kept == false)
        #expect(bench.outputs().isEmpty)
    }

    @Test("Settings that cannot be stored count as not kept, with the reason; earlier damage does not")
    func trouble() throws {
        let bench = try bench()
        let client = try bench.connect()
        func now() -> SettingsNow? { bench.ask(.askSettings, of: client)?.settings?.now }
        for (damage, obstacle, trouble) in [
            (nil, nil, nil), ("settings.json cannot be used", nil, "settings.json cannot be used"),
            (nil, "it is read-only", "it is read-only"), ("damaged", "full", "damaged; full"),
        ] as [(String?, String?, String?)] {
            bench.service.startSettings(damage: damage, obstacle: obstacle)
            #expect((now()?.kept, now()?.trouble) == ((obstacle == nil), trouble))
            #expect(bench.status(of: client)?.settings == now())
        }
    }

    @Test("An answer that reports a store has no earlier trouble; the beginning and end of trouble are notified")
    func troubleOver() throws {
        let bench = try bench()
        bench.service.startSettings(damage: "one was damaged", obstacle: nil)
        let (client, watcher) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.settings), of: watcher)
        func set(_ value: Double) -> SettingsNow? {
            bench.ask(.settings { $0.strength = .set(Strength(value)!) }, of: client)?.heldSettings?.now
        }
        func notices(_ outputs: [Output]) -> [[String]] {
            outputs.compactMap { $0.notice?.settings }.map { $0.changed + ["\($0.now.kept)", $0.now.trouble ?? ""] }
        }
        #expect((set(0.5)?.trouble, bench.outputs().count) == ("one was damaged", 2))
        #expect(notices(stored(bench, SettingsFailure("full"))) == [["trouble", "false", "one was damaged; full"]])
        let over = set(0.6)
        #expect((over?.trouble, over?.kept) == ("one was damaged", true))
        // Nobody knows yet.
        #expect(bench.ask(.askSettings, of: client)?.settings?.now.trouble == "one was damaged; full")
        #expect(notices(waited(bench)) == [["strength", "false", "one was damaged; full"]])
        #expect(notices(stored(bench)) == [["trouble", "true", "one was damaged"]])
    }

    @Test("Restored settings are in force as user settings, and are not stored again")
    func restored() throws {
        let bench = try bench()
        bench.service.restore(Settings(profile: .silent, off: .until(bench.now + .seconds(5))), at: bench.now)
        #expect(bench.outputs().isEmpty)
        let client = try bench.connect()
        let result = bench.ask(.askSettings, of: client)?.settings
        #expect((result?.profile, result?.now.off?.remainingMs) == (.init(.silent, by: .settings), 5000))
        bench.pass(.seconds(5))
        #expect(bench.outputs().map(\.store) == [Settings(profile: .silent)])
    }
}

extension Reply {
    fileprivate var heldSettings: SettingsResult? { if case .onceStored(let reply, _) = self { reply.settings } else { nil } }
    fileprivate var held: Ticket? { if case .onceStored(_, let ticket) = self { ticket } else { nil } }
}

extension Output {
    fileprivate var store: Settings? { if case .store(let settings) = self { settings } else { nil } }
    fileprivate var settledTicket: Ticket? { if case .settled(let ticket, _) = self { ticket } else { nil } }
}
