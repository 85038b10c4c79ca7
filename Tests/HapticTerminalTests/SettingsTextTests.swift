// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Settings for people")
struct SettingsTextTests {
    private func result(
        _ chosen: Settings, over configured: Settings = Settings(), at time: LocalTime? = nil, isKept: Bool = true
    ) -> SettingsResult {
        let settings = SettingsInForce(chosen, over: configured)
        return SettingsResult(settings, SettingsNow(settings, at: .zero, time, isKept: isKept))
    }

    private func hours(_ from: String, _ to: String, days: Set<Weekday> = Set(Weekday.allCases)) throws -> QuietHours {
        QuietHours(days: days, from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to)))
    }

    @Test("Each setting is shown with its origin, below a verdict on whether anything is felt")
    func texts() throws {
        var cases = SnapshotCases()
        cases.add("nothing is set", SettingsText.lines(result(Settings())))
        var night = try hours("22:00", "07:00", days: [.mon, .tue])
        night.except = QuietHours.Exceptions(classes: [.alarm], apps: ["org.gnome.clocks"], repeated: true)
        let chosen = Settings(
            strength: Strength(0.8), apps: ["org.gnome.clocks": .most], quietHours: [night, try hours("13:00", "14:00")])
        let configured = Settings(profile: .reduced, classes: [.texture: try #require(Strength(0.5))])
        cases.add("some is set, and nothing is kept", SettingsText.lines(result(chosen, over: configured, isKept: false)))
        var leftOut = result(Settings(apps: ["a": .full]))
        leftOut.appsLeftOut = 3
        cases.add("apps that are not named", SettingsText.lines(leftOut))
        var recording = result(Settings())
        recording.now.conditions = ["camera", "the slider"]
        cases.add("conditions", SettingsText.lines(recording))
        let quiet = Settings(quietHours: [try hours("22:00", "07:00")])
        cases.add(
            "verdicts",
            [
                result(Settings()), result(Settings(off: .forGood)), result(Settings(off: .until(.zero + .seconds(3600)))),
                // Some of the time has passed once it is shown.
                result(Settings(off: .until(.zero + .seconds(3600) - .milliseconds(2)))),
                result(Settings(strength: Strength(0))), result(Settings(profile: .silent)),
                result(quiet, at: LocalTime(.mon, second: 12 * 3600)), result(quiet, at: LocalTime(.mon, second: 23 * 3600)),
            ].map(SettingsText.verdict))
        cases.add(
            "strengths",
            [
                SettingsText.strength(SettingsResult.InForce(0.5, by: .settings), of: "class alarm"),
                SettingsText.strength(nil, of: "app x"),
            ])
        try expectSnapshot(of: cases.text, "settings")
    }
}
