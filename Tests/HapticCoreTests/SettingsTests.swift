// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Settings in force")
struct SettingsTests {
    private let half = Strength(0.5)!
    private let configured = Settings(profile: .quiet, classes: [.texture: Strength(0.2)!], apps: ["org.a": Strength(0.3)!])

    private func said(_ found: (value: Strength, layer: SettingsLayer)?) -> String {
        found.map { "\($0.value.value) \($0.layer)" } ?? ""
    }

    @Test("Each setting that people made replaces the configured one")
    func keyThatIsSetCountsWhole() throws {
        var set = Settings()
        try set.take(SettingsChange(profile: .set(.full), apps: .set(["org.a": .set(half), "org.b": .set(half)])))
        var inForce = SettingsInForce(set, over: configured)
        #expect(inForce.profile == .full)
        #expect(inForce.profileLayer == .settings)
        for app in ["org.a", "org.b"] as [Text] { #expect(said(inForce.strength(ofApp: app)) == "0.5 settings") }
        #expect(said(inForce.strength(of: .texture)) == "0.2 configuration")
        // Of an app that nobody has set, the configuration's word counts, also when it is another one.
        inForce.configure(Settings(apps: ["org.a": .full, "org.c": half]))
        #expect(said(inForce.strength(ofApp: "org.a")) == "0.5 settings")
        #expect(said(inForce.strength(ofApp: "org.c")) == "0.5 configuration")
        #expect(inForce.strength(of: .texture) == nil)
    }

    @Test("A restored setting is the configured one again")
    func restoreBringsTheConfigurationBack() throws {
        var inForce = SettingsInForce(over: configured)
        try inForce.take(SettingsChange(apps: .set(["org.a": .set(half), "org.b": .set(half)]), off: .set(.forGood)))
        try inForce.take(SettingsChange(apps: .set(["org.a": .restore])))
        #expect(said(inForce.strength(ofApp: "org.a")) == "0.3 configuration")
        #expect(said(inForce.strength(ofApp: "org.b")) == "0.5 settings")
        try inForce.take(SettingsChange(profile: .restore, apps: .restore, off: .restore))
        #expect(inForce == SettingsInForce(over: configured))
    }

    @Test("A change with too many apps changes nothing")
    func tooManyAppsChangeNothing() throws {
        var set = Settings()
        var entries: SettingsChange.Entries<Text> = [:]
        for number in 0..<Settings.Limit.apps { entries["org.app\(number)"] = .set(half) }
        try set.take(SettingsChange(apps: .set(entries)))
        let full = set
        #expect(throws: Settings.TooManyApps.self) {
            try set.take(SettingsChange(strength: .set(half), apps: .set(["org.more": .set(half)])))
        }
        #expect(set == full)
        // One out, one in.
        try set.take(SettingsChange(apps: .set(["org.app0": .restore, "org.more": .set(half)])))
        #expect(set.apps.count == Settings.Limit.apps)
    }

    @Test("A strength outside 0…150 % cannot be made", arguments: [-0.01, 1.51, .nan, .infinity])
    func isNoStrength(_ value: Double) { #expect(Strength(value) == nil) }

    @Test("Off decides before quiet hours, and these before settings")
    func offGoesFirstThenQuietHoursThenWhatPeopleSet() {
        let (noon, evening) = (LocalTime(.mon, second: 12 * 3600), LocalTime(.mon, second: 22 * 3600))
        func hours(_ to: String) -> QuietHours { QuietHours(from: TimeOfDay("21:00")!, to: TimeOfDay(to)!) }
        var inForce = SettingsInForce(over: Settings(profile: .quiet, quietHours: [hours("23:00"), hours("22:30")]))
        #expect(inForce.deciding(at: noon) == .configuration)
        #expect(inForce.deciding(at: nil) == .configuration)
        #expect(inForce.deciding(at: evening) == .quietHours)
        #expect(inForce.quietHours(at: evening) == hours("23:00"))
        inForce.choose(Settings(quietHours: []))
        #expect(inForce.deciding(at: evening) == .settings)
        #expect(inForce.quietHours(at: evening) == nil)
        inForce.choose(Settings(off: .forGood))
        #expect(inForce.deciding(at: evening) == .off)
        #expect(inForce.deciding(at: nil) == .off)
    }

    @Test("A configured value that a setting hides is no change")
    func whatIsHiddenByWhatPeopleSetIsNoChange() {
        let former = SettingsInForce(Settings(strength: half), over: configured)
        func changes(_ set: Settings, _ configured: Settings) -> [String] {
            SettingsInForce(set, over: configured).names(ofChangesFrom: former)
        }
        #expect(changes(Settings(strength: half), configured) == [])
        var other = configured
        (other.strength, other.profile, other.quietHours) = (half, .silent, [])
        #expect(changes(Settings(strength: half), other) == ["profile", "quietHours"])
        // By another's word.
        #expect(changes(Settings(profile: .quiet, strength: half), configured) == ["profile"])
        #expect(
            changes(Settings(classes: [.alarm: half], off: .forGood), Settings()) == [
                "profile", "strength", "classes", "apps", "off",
            ])
    }

    @Test("Quiet ends when no other hours follow")
    func quietEndsWhereNoHoursFollow() {
        func end(_ hours: [(String, String, Set<Weekday>)], at time: LocalTime) -> String? {
            let hours = hours.map { QuietHours(days: $2, from: TimeOfDay($0)!, to: TimeOfDay($1)!) }
            return SettingsInForce(Settings(quietHours: hours)).quietEnd(from: time).map { "\($0)" }
        }
        let (all, evening) = (Set(Weekday.allCases), LocalTime(.sun, second: 21 * 3600))
        #expect(end([("20:00", "23:00", all), ("22:00", "07:00", all)], at: evening) == "07:00")
        #expect(end([("20:00", "24:00", all), ("00:00", "07:00", all)], at: evening) == "07:00", "one that follows at once")
        #expect(end([("20:00", "24:00", [.sun])], at: evening) == "00:00")
        // From Sunday on into the next week.
        #expect(end([("20:00", "06:00", [.sun]), ("05:00", "09:30", [.mon])], at: evening) == "09:30")
        #expect(end([("20:00", "06:00", [.sun])], at: LocalTime(.mon, second: 3600)) == "06:00")
        #expect(end([("00:00", "24:00", [.sat, .sun])], at: LocalTime(.sat, second: 0)) == "00:00")
        for hours in [[("00:00", "24:00", all)], [("22:00", "24:00", all), ("00:00", "22:00", all)], [("05:00", "05:00", all)]] {
            #expect(end(hours, at: evening) == nil, "it never ends")
        }
    }
}
