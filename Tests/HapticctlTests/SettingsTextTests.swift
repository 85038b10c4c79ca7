// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("What people set, for people")
struct SettingsTextTests {
    private static func result(
        _ chosen: Settings, over configured: Settings = Settings(), at time: LocalTime? = nil, isKept: Bool = true
    ) -> SettingsResult {
        let settings = SettingsInForce(chosen, over: configured)
        return SettingsResult(settings, SettingsNow(settings, at: .zero, time, isKept: isKept))
    }

    private static func hours(_ from: String, _ to: String, days: Set<Weekday> = Set(Weekday.allCases)) throws -> QuietHours {
        QuietHours(days: days, from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to)))
    }

    @Test("Where nothing is set all of it is the configuration's")
    func nothing() {
        let lines = SettingsText.lines(Self.result(Settings()))
        #expect(
            lines == [
                "feedback is on", "", "profile      configured  full", "strength     configured  100%",
                "quiet hours  configured  none",
            ])
    }

    @Test("What is set stands with its value, and what is configured beside it")
    func some() throws {
        var night = try Self.hours("22:00", "07:00", days: [.mon, .tue])
        night.except = QuietHours.Exceptions(classes: [.alarm], apps: ["org.gnome.clocks"], repeated: true)
        let chosen = Settings(
            strength: Strength(0.8), apps: ["org.gnome.clocks": .most], quietHours: [night, try Self.hours("13:00", "14:00")])
        let configured = Settings(profile: .reduced, classes: [.texture: try #require(Strength(0.5))])
        #expect(
            SettingsText.lines(Self.result(chosen, over: configured, isKept: false)) == [
                "feedback is on", "",
                "profile                 configured     reduced",
                "strength                set by people  80%",
                "  class texture         configured     50%",
                "  app org.gnome.clocks  set by people  150%",
                "quiet hours             set by people  22:00-07:00 on mon, tue, but for alarm, the app org.gnome.clocks, what is repeated",
                "                                       13:00-14:00",
                "", "this hapticd keeps no settings: what is set counts until it is started again",
            ])
    }

    @Test("Apps that are not named are counted")
    func leftOut() {
        var result = Self.result(Settings(apps: ["a": .full]))
        result.appsLeftOut = 3
        #expect(SettingsText.lines(result).contains("  other apps  configured     3 more"))
    }

    @Test("The verdict says why nothing is felt, and until when")
    func verdicts() throws {
        func verdict(_ settings: Settings, at time: LocalTime? = nil) -> String {
            SettingsText.verdict(Self.result(settings, at: time))
        }
        #expect(verdict(Settings()) == "feedback is on")
        #expect(verdict(Settings(off: .forGood)) == "nothing is felt: feedback is off until `hapticctl on`")
        let anHour = Settings(off: .until(.zero + .seconds(3600)))
        #expect(verdict(anHour) == "nothing is felt: feedback is off for 1 h")
        let atOnce = Settings(off: .until(.zero + .seconds(3600) - .milliseconds(2)))
        #expect(verdict(atOnce) == "nothing is felt: feedback is off for 1 h", "some of it has passed when it is said")
        #expect(verdict(Settings(strength: Strength(0))) == "nothing is felt: the strength of everything is 0%")
        #expect(
            verdict(Settings(profile: .silent))
                == "nothing is felt, unless the configuration says otherwise: the profile is silent")
        let night = Settings(quietHours: [try Self.hours("22:00", "07:00")])
        #expect(verdict(night, at: LocalTime(.mon, second: 12 * 3600)) == "feedback is on")
        #expect(
            verdict(night, at: LocalTime(.mon, second: 23 * 3600))
                == "nothing is felt but what is excepted: these are quiet hours until 07:00")
    }

    @Test("A strength that is no longer set is the configuration's")
    func strengths() {
        let set = SettingsResult.InForce(0.5, by: .settings)
        #expect(SettingsText.strength(set, of: "class alarm") == "the strength of class alarm is 50%")
        #expect(SettingsText.strength(nil, of: "app x") == "the strength of app x is 100% (configured)")
    }

    @Test("A strength on the command line has its percent sign, for of 1 nobody knows which it is")
    func percentages() throws {
        #expect(try Values.strength("80%") == .set(try #require(Strength(0.8))))
        #expect(try Values.strength("0%") == .set(try #require(Strength(0))))
        #expect(try Values.strength("150%") == .set(.most))
        #expect(try Values.strength("default") == .restore)
        for (text, hint) in [("80", "`80%`"), ("1", "`100%` or `1%`"), ("0.8", "`80%` or `0.8%`"), (".5", "`50%` or `.5%`")] {
            let error = #expect(throws: ValidationError.self) { try Values.strength(text) }
            #expect(error?.message.hasSuffix("did you mean \(hint)?") == true)
        }
        for text in ["151%", "-1%", "", "half", "nan%"] {
            let error = #expect(throws: ValidationError.self) { try Values.strength(text) }
            #expect(error?.message == "a strength is a percentage from 0% to 150%, or `default`")
        }
    }

    @Test("A profile on the command line is one of the four, or what the configuration says")
    func profiles() throws {
        for profile in Profile.allCases { #expect(try Values.profile(profile.rawValue) == .set(profile)) }
        #expect(try Values.profile("default") == .restore)
    }

    @Test("Hours and days are read, and what is none of them is said")
    func hours() throws {
        let (from, to) = try Values.hours("22:00-07:00")
        #expect("\(from) \(to)" == "22:00 07:00")
        #expect(try Values.hours("00:00-24:00").to.minutes == 1440)
        for text in ["22:00", "22-07", "22:00-07:00-08:00", "24:01-07:00", "", "07:00-07:00"] {
            #expect(throws: ValidationError.self) { try Values.hours(text) }
        }
        #expect(try Values.days("mon,sun") == [.mon, .sun])
        #expect(throws: ValidationError.self) { try Values.days("mon,") }
    }

    @Test(
        "What does not go together is refused before the daemon is asked",
        arguments: [
            ["quiet", "none", "--days", "mon"], ["quiet", "none", "22:00-07:00"], ["quiet", "--add"],
            ["quiet", "22:00-22:00"], ["strength", "80%", "--class", "alarm", "--app", "x"], ["strength"],
            ["off", "1h"], ["off", "for"], ["off", "for", "10"], ["off", "for", "9000h"], ["on", "off"],
        ])
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try HapticCtl.parseAsRoot(arguments) }
    }

    @Test("A negative time of off is no question for help")
    func negativeTime() {
        for arguments in [["off", "for", "-1h"], ["off", "-1h"], ["--json", "off", "for", "-1h"]] {
            #expect(Program.run(arguments) == ExitStatus.usage)
        }
    }

    @Test("The reset restores every key there is")
    func reset() throws {
        var settings = Settings(
            profile: .quiet, strength: .most, classes: [.alarm: .full], apps: ["x": .full], quietHours: [], off: .forGood)
        try settings.take(NewSettings.none.change(at: .zero))
        #expect(settings == Settings())
    }
}
