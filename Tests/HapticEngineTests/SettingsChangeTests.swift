// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Changes of settings")
struct SettingsChangeTests {
    private static let half = Strength(0.5)!

    private static func change(_ change: SettingsChange) -> BatchItem { .change(change) }

    private static func apps(_ count: Int, from first: Int = 0) -> SettingsChange {
        var entries: SettingsChange.Entries<Text> = [:]
        for number in first..<first + count { entries["org.app.\(number)"] = .set(half) }
        return SettingsChange(apps: .set(entries))
    }

    @Test("The result of a change has the settings in force after it")
    func results() {
        var bench = Bench()
        bench.send([
            Self.change(SettingsChange(strength: .set(Self.half))),
            Self.change(SettingsChange(profile: .set(.silent), strength: .restore)), .set(.full),
        ])
        let inForce = bench.changes.map { if case .changed(let settings) = $0 { settings } else { SettingsInForce() } }
        #expect(inForce.map(\.profile) == [.full, .silent, .full])
        #expect(inForce.map(\.strength?.value) == [Self.half, nil, nil])
        #expect(inForce.map(\.profileLayer) == [.configuration, .settings, .settings])
        #expect(bench.engine.settings == inForce.last)
    }

    @Test("A change with 10,000 apps is refused as a whole")
    func tooManyApps() {
        var bench = Bench()
        bench.send([Self.change(Self.apps(10))])
        let (settings, generation) = (bench.engine.settings, bench.engine.settingsGeneration)
        var change = Self.apps(10_000)
        (change.profile, change.off) = (.set(.silent), .set(.forGood))
        bench.send([Self.change(change)])
        #expect(bench.changes.last == .notChanged(Settings.TooManyApps()))
        #expect(bench.engine.settings == settings)
        #expect(bench.engine.settingsGeneration == generation)
        #expect(bench.play("soft").outcome == .played)
        for start in stride(from: 10, to: 10_000, by: 100) { bench.send([Self.change(Self.apps(100, from: start))]) }
        #expect(bench.engine.settings.chosen.apps.count == 1010)
        bench.send([Self.change(SettingsChange(apps: .restore))])
        #expect(bench.engine.settings.chosen.apps.isEmpty)
    }

    @Test(
        "Two apps are the same only if their bytes are",
        arguments: ["\u{0}", "\n\u{1b}[2J", "\u{202e}moc.gro", "e\u{301}", "", String(repeating: "\u{7f}", count: 128)])
    func names(app: String) {
        var bench = Bench()
        bench.send([Self.change(SettingsChange(apps: .set([Text(app): .set(Strength(0)!)])))])
        func reason(_ app: String?) -> Reason? {
            let play = PlayInput(pattern: PlayablePattern.bench["soft"]!)
            return bench.send(.input(Input(client: Bench.ada, app: app, at: .zero, kind: .play(play)))).reason
        }
        #expect(reason(app) == .strength)
        #expect([app + "x", nil, "\u{e9}"].map(reason) == [nil, nil, nil])
    }

    @Test("Changes of two apps both count, and each has a number of its own")
    func twoWriters() {
        var bench = Bench()
        let zero = Strength(0)!
        var seen = [bench.engine.settingsGeneration]
        for app in ["org.a", "org.b"] as [Text] {
            bench.send([Self.change(SettingsChange(apps: .set([app: .set(zero)])))])
            seen.append(bench.engine.settingsGeneration)
        }
        #expect(bench.engine.settings.chosen.apps == ["org.a": zero, "org.b": zero])
        #expect(Set(seen).count == 3)
        bench.take(.configuration(.bench(profile: .quiet)))
        bench.take(.localTime(LocalTime(.mon, second: 0)))
        #expect(bench.engine.settingsGeneration == seen.last, "none of these is what people set")
    }
}
