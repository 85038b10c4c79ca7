// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite struct SettingsTests {
    private let half = Strength(0.5)!
    private let configured = Settings(profile: .quiet, classes: [.texture: Strength(0.2)!], apps: ["org.a": Strength(0.3)!])

    @Test func keyThatIsSetCountsWhole() throws {
        var set = Settings()
        try set.take(SettingsChange(profile: .set(.full), apps: .set(["org.a": .set(half), "org.b": .set(half)])))
        let inForce = set.over(configured)
        #expect(inForce.profile == .full)
        #expect(inForce.apps == ["org.a": half, "org.b": half])
        #expect(inForce.classes == configured.classes)
        // Of an app that nobody has set, the configuration's word counts, also when it is another one.
        #expect(set.over(Settings(apps: ["org.c": half])).apps == ["org.a": half, "org.b": half, "org.c": half])
    }

    @Test func restoreBringsTheConfigurationBack() throws {
        var set = Settings()
        try set.take(SettingsChange(apps: .set(["org.a": .set(half), "org.b": .set(half)]), off: .set(.forGood)))
        try set.take(SettingsChange(apps: .set(["org.a": .restore])))
        #expect(set.over(configured).apps == ["org.a": Strength(0.3)!, "org.b": half])
        try set.take(SettingsChange(profile: .restore, apps: .restore, off: .restore))
        #expect(set == Settings())
        #expect(set.over(configured) == configured)
    }

    @Test func tooManyAppsChangeNothing() throws {
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

    @Test(arguments: [-0.01, 1.51, .nan, .infinity])
    func isNoStrength(_ value: Double) { #expect(Strength(value) == nil) }

    @Test func strengthIsClampedToFull() {
        #expect(Intensity(clamping: 0.8) * Strength.most == .one)
        #expect(Intensity(clamping: 0.5) * half == Intensity(clamping: 0.25))
    }

    @Test func offGoesFirstThenQuietHoursThenWhatPeopleSet() {
        let (noon, evening) = (LocalTime(.mon, second: 12 * 3600), LocalTime(.mon, second: 22 * 3600))
        func hours(_ to: String) -> QuietHours { QuietHours(from: TimeOfDay("21:00")!, to: TimeOfDay(to)!) }
        var inForce = SettingsInForce(over: Settings(profile: .quiet, quietHours: [hours("23:00"), hours("22:30")]))
        #expect(inForce.deciding(at: noon) == .configuration && inForce.deciding(at: nil) == .configuration)
        #expect(inForce.deciding(at: evening) == .quietHours && inForce.quietHours(at: evening) == hours("23:00"))
        inForce.choose(Settings(quietHours: []))
        #expect(inForce.deciding(at: evening) == .settings && inForce.quietHours(at: evening) == nil)
        inForce.choose(Settings(off: .forGood))
        #expect(inForce.deciding(at: evening) == .off && inForce.deciding(at: nil) == .off)
    }

    @Test func whatIsHiddenByWhatPeopleSetIsNoChange() {
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

    @Test func offEnds() {
        let end = MonotonicInstant(nanoseconds: 10)
        #expect(Off.until(end).contains(MonotonicInstant(nanoseconds: 9)))
        #expect(!Off.until(end).contains(end))
        #expect(Off.forGood.contains(.distantFuture))
    }
}
