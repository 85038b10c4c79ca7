// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("Settings of the service") struct SettingsTests {
    private static let half = Strength(0.5)!

    @Test("Without settings every strength is full, and the configuration decides")
    func nothing() throws {
        let bench = try Bench()
        let result = try #require(bench.ask(.askSettings, of: try bench.connect())?.settings)
        #expect((result.profile, result.strength) == (.init(.full, by: .configuration), .init(1, by: .configuration)))
        #expect(result.classes.entries.map(\.name.string) == ["alarm", "notification", "interaction", "texture"])
        #expect(result.classes.entries.allSatisfy { $0.value == .init(1, by: .configuration) })
        #expect(result.apps.entries.isEmpty)
        #expect(result.quietHours == .init([], by: .configuration))
        #expect(result.now == bench.state(.configuration))
        #expect(!result.now.kept)
    }

    @Test("User settings override the configuration, key by key, and null restores it")
    func layers() throws {
        let configured = Settings(
            profile: .quiet, strength: Self.half, classes: [.alarm: .most], apps: ["a": Self.half, "b": Self.half])
        let bench = try Bench { try $0.change(settings: configured) }
        let client = try bench.connect()
        let set = Call.settings {
            $0.strength = .set(.full)
            $0.apps = .set(["b": .set(.full), "c": .set(Self.half)])
        }
        let after = try #require(bench.ask(set, of: client)?.settings)
        #expect((after.profile, after.strength) == (.init(.quiet, by: .configuration), .init(1, by: .settings)))
        #expect(after.classes["alarm"] == .init(1.5, by: .configuration))
        let apps = after.apps.entries.map { "\($0.name) \($0.value.value) \($0.value.by)" }
        #expect(apps == ["a 0.5 configuration", "b 1.0 settings", "c 0.5 settings"])
        #expect(after.now.deciding == .settings)
        let restore = Call.settings { ($0.strength, $0.apps) = (.restore, .set(["b": .restore, "c": .restore])) }
        let restored = try #require(bench.ask(restore, of: client)?.settings)
        #expect((restored.strength, restored.apps["b"]) == (.init(0.5, by: .configuration), .init(0.5, by: .configuration)))
        #expect(restored.apps["c"] == nil)
        #expect(restored.now.deciding == .configuration)
    }

    @Test("Off ends all playbacks immediately, and itself after its time; both are notified")
    func off() throws {
        let bench = try Bench()
        let (client, watcher) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.settings, .playbacks), of: watcher)
        _ = bench.ask(.play("minute"), of: client)
        bench.pass(.milliseconds(10))
        _ = bench.outputs()
        let result = bench.ask(.settings { $0.off = .set(.for(.seconds(60))) }, of: client)?.settings
        #expect(result?.now == bench.state(.off, off: 60_000))
        let last = try #require(bench.sink.actuations.last)
        #expect(last.level.intensity == .zero)
        #expect(last.planned <= bench.now)
        let notices = bench.notices()
        #expect(notices.map(\.name) == ["playback", "settings"])
        let state = bench.state(.off, off: 60_000)
        #expect(notices.last == .settings(SettingsNotice(["off"], state, at: bench.now, user: 1001)))
        bench.pass(.seconds(59))
        #expect(bench.status(of: client)?.settings == bench.state(.off, off: 1000))
        #expect(ServiceState(of: bench.service).description.hasSuffix("; feedback is off"))
        bench.pass(.seconds(1))
        let over = bench.notices()
        #expect(over == [.settings(SettingsNotice(["off"], bench.state(.configuration), at: bench.now))])
        #expect(bench.ask(.play("soft"), of: client)?.decision?.outcome == .played)
    }

    @Test("Off is accepted in any line, whatever the line has cost, and its answer is short")
    func offInFullLine() throws {
        let names = (0..<Settings.Limit.apps).map { Text(String(repeating: "a", count: 124) + "\(1000 + $0)") }
        let hours = (0..<3).map { _ in Self.hours("22:00", "07:00") }
        let apps = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.half) })
        let bench = try Bench { try $0.change(settings: Settings(apps: apps, quietHours: hours)) }
        let client = try bench.connect()
        func set(_ change: (inout NewSettings) -> Void) -> Request { Request(.settings(change)) }
        let replies = bench.say(
            [set { $0.strength = .set(Self.half) }, set { $0.off = .restore }, set { $0.off = .set(.forGood) }]
                + Array(repeating: set { $0.off = .set(.for(.seconds(60))) }, count: 20), of: client)
        #expect(replies[0]?.settings?.apps.entries.count == names.count)
        #expect(replies[1]?.error?.code == ErrorCode.quota.rawValue, "what is not urgent is refused")
        let off = try #require(replies[2]?.settings)
        #expect((off.now.off, off.strength.value) == (.init(remainingMs: nil), 0.5))
        #expect(off.apps.entries.isEmpty)
        #expect(off.appsLeftOut == names.count)
        #expect(off.quietHours.value.isEmpty)
        #expect(off.quietHoursLeftOut == 3)
        #expect(replies.dropFirst(3).allSatisfy { $0?.settings?.now.off == .init(remainingMs: 60_000) })
        #expect(bench.service.settingsInForce.off != nil)
    }

    @Test("Quiet hours are in force once the time of day is known, and their end is reported")
    func quiet() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let (evening, night) = (Self.hours("20:00", "23:00"), Self.hours("22:00", "07:00"))
        _ = bench.ask(.settings { $0.quietHours = .set([night, evening]) }, of: client)
        func now() -> SettingsNow? { bench.ask(.askSettings, of: client)?.settings?.now }
        #expect(now()?.quiet == false)
        for (second, until) in [(21, "07:00"), (22, "07:00"), (3, "07:00"), (7, nil)] as [(Int, String?)] {
            bench.service.setClock(LocalTime(.tue, second: second * 3600), at: bench.now)
            #expect((now()?.quietUntil, now()?.quiet) == (until, (until != nil)))
            #expect(bench.status(of: client)?.settings == now())
        }
        bench.pass(.seconds(13 * 3600))
        #expect(now()?.quietUntil == "07:00")
    }

    @Test("The beginning and the end of quiet hours are notified once each, and shown beside the service's name")
    func quietTurns() throws {
        let bench = try Bench()
        _ = bench.ask(.subscribe(.settings), of: try bench.connect())
        bench.service.setClock(LocalTime(.mon, second: 20 * 3600 - 1), at: bench.now)
        bench.pass(.milliseconds(600))
        let hours = [Self.hours("22:00", "07:00"), Self.hours("20:00", "23:00")]
        _ = bench.ask(.settings { $0.quietHours = .set(hours) }, of: try bench.connect())
        func notices() -> [SettingsNotice] { bench.notices().compactMap(\.settings) }
        #expect(notices().map(\.changed) == [["quietHours"]])
        let midnight = bench.now + .milliseconds(400) + .seconds(4 * 3600)
        bench.pass(.seconds(14 * 3600))
        let turns = notices()
        #expect(turns.map(\.changed) == [["quiet"], ["quiet"]])
        #expect(turns.allSatisfy { $0.user == nil })
        // From 20:00 to 7:00, to the nanosecond.
        #expect(turns.map(\.atNs) == [-4, 7].map { (midnight + .seconds($0 * 3600)).nanoseconds })
        #expect((turns.map(\.now.quietUntil), turns.map(\.now.deciding)) == (["07:00", nil], [.quietHours, .settings]))
        #expect(ServiceState(of: bench.service).description.hasSuffix("profile full"))
        // A clock that jumps to them, a sleep that ends them, and somebody who takes them back.
        bench.service.setClock(LocalTime(.tue, second: 6 * 3600), at: bench.now)
        #expect(notices().map(\.now.quietUntil) == ["07:00"])
        #expect(ServiceState(of: bench.service).description.hasSuffix("; quiet hours"))
        bench.service.slept(.seconds(3600), at: bench.now)
        #expect(notices().map(\.changed) == [["quiet"]])
        bench.service.setClock(LocalTime(.tue, second: 22 * 3600), at: bench.now)
        _ = bench.ask(.settings { $0.quietHours = .set([]) }, of: try bench.connect())
        #expect(notices().map(\.changed) == [["quiet"], ["quietHours", "quiet"]])
        #expect(bench.service.nextWakeUp == .distantFuture, "nobody wakes up for hours that there are not")
    }

    @Test("Each item of a batch is answered with the settings after it; one notice has all changes and their user")
    func batch() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.settings), of: try bench.connect())
        let requests: [Request] = [
            Request(.settings { $0.off = .set(.forGood) }), Request(.play("soft")), Request(.set(.quiet)),
            Request(.settings { $0.off = .restore }), Request(.play("soft")),
        ]
        let replies = bench.say(requests, of: client)
        #expect((replies[0]?.settings?.now.deciding, replies[0]?.settings?.profile.value) == (.off, .full))
        #expect((replies[1]?.decision?.reason, replies[2]?.settings?.profile.value) == (.off, .quiet))
        #expect(replies[3]?.settings?.profile == .init(.quiet, by: .settings))
        #expect(replies[4]?.decision?.reason == .profile)
        let notices = bench.notices().compactMap(\.settings)
        #expect(notices.map(\.changed) == [["profile"]])
        let notice = try #require(notices.first)
        #expect(notice.user == 1001)
        #expect(notice.now.deciding == .settings)
    }

    @Test("An empty change is not notified, and a reload that changes the settings in force is")
    func notices() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.settings), of: client)
        _ = bench.ask(.settings { ($0.apps, $0.off) = (.restore, .restore) }, of: client)
        #expect(bench.outputs().isEmpty)
        _ = bench.ask(.settings { $0.strength = .set(Self.half) }, of: client)
        #expect(bench.outputs().count == 1)
        func reload(_ settings: Settings) throws -> [Notice] {
            bench.reload(try Bench.configuration { try $0.change(settings: settings) })
            return bench.notices()
        }
        // It is not in force.
        #expect(try reload(Settings(strength: .full)).isEmpty)
        let notice = try #require(reload(Settings(profile: .quiet)).first?.settings)
        #expect(notice.changed == ["profile"])
        #expect(notice.user == nil)
    }

    @Test("A change by the clock has no user, even if a request comes before the service has noticed it")
    func timeIsNobodys() throws {
        let bench = try Bench()
        let client = try bench.connect()
        bench.service.setClock(LocalTime(.tue, second: 19 * 3600), at: bench.now)
        _ = bench.ask(.subscribe(.settings), of: client)
        let set = Call.settings { ($0.off, $0.quietHours) = (.set(.for(.seconds(1))), .set([Self.hours("20:00", "23:00")])) }
        _ = (bench.ask(set, of: client), bench.outputs())
        for (time, turn, value) in [(Nanoseconds.seconds(1), "off", 0.5), (.seconds(3600), "quiet", 0.6)] {
            bench.stall(time)
            _ = bench.ask(.settings { $0.strength = .set(Strength(value)!) }, of: client)
            let notices = bench.notices().compactMap(\.settings)
            #expect((notices.map(\.changed), notices.map(\.user)) == ([[turn], ["strength"]], [nil, 1001]), "\(notices)")
        }
    }

    @Test("Too many apps are refused with the member, and nothing is changed")
    func manyApps() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for start in [0, 512] {
            let names = (start..<start + 512).map { (Text("app \($0)"), SettingsChange.Change.set(Self.half)) }
            let set = Call.settings { $0.apps = .set(Dictionary(uniqueKeysWithValues: names)) }
            #expect(bench.ask(set, of: client)?.settings != nil)
        }
        let more = Call.settings { ($0.apps, $0.strength) = (.set(["one more": .set(.full)]), .set(Self.half)) }
        let error = bench.ask(more, of: client)?.error
        #expect((error?.code, error?.data?.path) == (ErrorCode.invalidParams.rawValue, "set.apps"))
        let message = "`set.apps` has too many apps: 1024 apps have a strength already; take one back"
        #expect(error?.message.hasPrefix(message) == true)
        let result = bench.ask(.askSettings, of: client)?.settings
        #expect((result?.apps.entries.count, result?.strength.value) == (1024, 1))
        // Of a batch so many are said as its line may cost, and one always.
        let replies = bench.say((0..<10).map { _ in Request(.askSettings) }, of: client)
        let refused = replies.filter { $0?.error?.code == ErrorCode.quota.rawValue }.count
        #expect(refused > 0)
        #expect(replies.first??.settings != nil)
    }

    private static func hours(_ from: String, _ to: String) -> QuietHours {
        QuietHours(from: TimeOfDay(from)!, to: TimeOfDay(to)!)
    }
}

extension Bench {
    /// What is said of now where these are no quiet hours.
    func state(_ deciding: DecidingSetting, off: Double? = nil) -> SettingsNow {
        var settings = SettingsInForce()
        if let off { settings = SettingsInForce(Settings(off: .until(now + Nanoseconds(seconds: off / 1000)!))) }
        var state = SettingsNow(settings, at: now, nil, isKept: service.keepsSettings)
        state.deciding = deciding
        return state
    }
}
