// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import TestSupport
import Testing

@testable import HapticConfig

@Suite("Settings as they are stored")
struct StoredSettingsTests {
    private static let evening = WallTime("2026-11-24T22:00:00Z")!
    private static let now = MonotonicInstant(nanoseconds: 5_000_000_000_000)

    private static let all = Settings(
        profile: .reduced, strength: Strength(0.8), classes: [.alarm: .most, .texture: Strength(0)!],
        apps: ["org.mail": Strength(0.25)!, "a \"b\" \\ ü\u{2028}": .full],
        quietHours: [
            QuietHours(
                days: [.mon, .sun], from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!,
                except: .init(classes: [.alarm], apps: ["org.gnome.clocks"], repeated: true)),
            QuietHours(from: TimeOfDay("13:00")!, to: TimeOfDay("24:00")!),
        ])

    private func read(_ text: String) throws(InvalidDocument) -> StoredSettings? {
        if case .settings(let stored) = try StoredSettings.read(Array(text.utf8), file: "s.json") { stored } else { nil }
    }

    @Test("The text is one that people can read")
    func text() throws {
        var settings = Self.all
        settings.apps = ["org.mail": Strength(0.25)!]
        settings.off = .until(Self.now + .seconds(3600))
        let text = try #require(StoredSettings(settings, at: Self.now, wall: Self.evening).text)
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {
                  "version": 1,
                  "written": "2026-11-24T22:00:00Z",
                  "profile": "reduced",
                  "off": { "until": "2026-11-24T23:00:00Z" },
                  "strength": 0.8,
                  "classes": { "alarm": 1.5, "texture": 0 },
                  "apps": { "org.mail": 0.25 },
                  "quietHours": [
                    {
                      "days": ["mon", "sun"],
                      "from": "22:00",
                      "to": "07:00",
                      "except": { "classes": ["alarm"], "apps": ["org.gnome.clocks"], "repeated": true }
                    },
                    { "from": "13:00", "to": "24:00" }
                  ]
                }

                """)
    }

    @Test(
        "Settings are read as they were written",
        arguments: [
            Settings(), all, Settings(off: .forGood), Settings(quietHours: []), Settings(off: .until(now + .seconds(60))),
        ])
    func roundTrip(settings: Settings) throws {
        let text = try #require(StoredSettings(settings, at: Self.now, wall: Self.evening).text)
        let read = try #require(try read(String(decoding: text, as: UTF8.self)))
        #expect(read.settings(at: Self.now, wall: Self.evening) == settings)
    }

    @Test("The most that can be set has room in the file")
    func most() throws {
        let apps = (0..<Settings.Limit.apps).map {
            (Text("\"" + String(repeating: "\\", count: 123) + "\(1000 + $0)"), Strength.full)
        }
        let settings = Settings(apps: Dictionary(uniqueKeysWithValues: apps))
        let stored = StoredSettings(settings, at: Self.now, wall: Self.evening)
        let text = try #require(stored.text)
        #expect(text.count < StoredSettings.mostBytes / 2)
        #expect(try StoredSettings.read(text) == .settings(stored))
        let names = Set((0..<64).map { Text(String(repeating: "\u{2028}", count: 40) + "\($0)") })
        let hours = QuietHours(from: TimeOfDay("00:00")!, to: TimeOfDay("24:00")!, except: .init(apps: names))
        let tooMuch = StoredSettings(
            Settings(quietHours: Array(repeating: hours, count: 64)), at: Self.now, wall: Self.evening)
        #expect(tooMuch.text == nil)
    }

    // MARK: off

    /// When it was written and until when it is off; what the clock on the wall shows at the next start; for how long it is off then.
    @Test(
        "Off ends by the clock on the wall, and a wrong clock neither undoes nor prolongs it",
        arguments: [
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "2026-11-24T22:10:00Z", 3000),
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "2026-11-24T22:59:59Z", 1),
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "2026-11-24T23:00:00Z", nil),
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "2027-11-24T23:00:00Z", nil),
            // A board without a clock of its own begins in 1970, or where it was last: an hour is an hour.
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "1970-01-01T00:00:09Z", 3600),
            ("2026-11-24T22:00:00Z", "2026-11-24T23:00:00Z", "2026-11-23T22:30:00Z", 3600),
            // It was set before the clock was: nobody knows how long ago.
            ("1970-01-01T00:10:00Z", "1970-01-01T01:10:00Z", "2026-11-24T22:00:00Z", 3600),
            ("1970-01-01T00:10:00Z", "1970-01-01T01:10:00Z", "1970-01-01T00:00:09Z", 3600),
            // Nobody says when it was written.
            (nil, "2026-11-24T23:00:00Z", "2026-11-24T22:10:00Z", 3000),
            (nil, "2026-11-24T23:00:00Z", "2026-11-25T22:10:00Z", nil),
            // Never for longer than the longest.
            (nil, "9999-12-31T23:59:59Z", "1970-01-01T00:00:09Z", 366 * 86_400),
            ("2026-11-24T22:00:00Z", "9999-12-31T23:59:59Z", "2026-11-24T22:10:00Z", 366 * 86_400),
            ("2026-11-24T22:00:00Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:09Z", 366 * 86_400),
            // It ended before it was written.
            ("2026-11-24T22:00:00Z", "2026-11-24T21:00:00Z", "2026-11-24T20:30:00Z", nil),
        ] as [(String?, String, String, Int64?)])
    func off(written: String?, until: String, wall: String, left: Int64?) throws {
        let line = written.map { "\"written\": \"\($0)\", " } ?? ""
        let stored = try #require(try read(#"{"version": 1, \#(line)"off": {"until": "\#(until)"}}"#))
        let settings = stored.settings(at: Self.now, wall: try #require(WallTime(wall)))
        #expect(settings.off == left.map { .until(Self.now + .seconds($0)) })
    }

    @Test("Off without an end lasts, whatever the clock shows")
    func offForGood() throws {
        let stored = try #require(try read(#"{"version": 1, "off": true}"#))
        for seconds in [0, 1_800_000_000, 253_402_300_799] as [Int64] {
            #expect(stored.settings(at: Self.now, wall: WallTime(seconds: seconds)).off == .forGood)
        }
    }

    @Test("Off is stored up to the next whole second, for a year at most, and not at all once it is over")
    func offWritten() {
        func end(after time: Nanoseconds) -> StoredSettings.Off? {
            StoredSettings(Settings(off: .until(Self.now + time)), at: Self.now, wall: Self.evening).off
        }
        #expect(end(after: .milliseconds(1)) == .until(WallTime(seconds: Self.evening.seconds + 1)))
        #expect(end(after: .seconds(1)) == .until(WallTime(seconds: Self.evening.seconds + 1)))
        #expect(end(after: .seconds(1000 * 86_400)) == .until(WallTime(seconds: Self.evening.seconds + 366 * 86_400)))
        #expect(end(after: .zero) == nil)
        #expect(end(after: .seconds(-5)) == nil)
        let last = StoredSettings(Settings(off: .until(Self.now + .seconds(60))), at: Self.now, wall: .last)
        #expect(last.off == .until(.last))
    }

    // MARK: What is wrong with it

    private func mistakes(_ text: String) -> [String] {
        do throws(InvalidDocument) {
            _ = try read(text)
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test("All mistakes are reported at once, each at its place")
    func everyMistake() { #expect(TextCases.differences(in: "mistakes/stored", mistakes) == []) }

    @Test(
        "A text that is no such file is refused",
        arguments: [
            "", "\0\0\0\0\0\0\0\0", "{", #"{"version": 1"#, "null", "[]", "1", #""off""#, "{}", #"{"version": "1"}"#,
            #"{"version": 0}"#,
            #"{"version": 1.5}"#, #"{"version": 1, "off": {}}"#, #"{"version": 1, "off": {"until": 5}}"#,
            #"{"version": 1, "off": 1}"#,
            #"{"version": 1, "version": 1}"#, #"{"version": 1, "off": {"until": "2026-11-24T07:00:00Z", "for": 1}}"#,
            #"{"version": 1, "strength": 1e999}"#, #"{"version": 1} {"version": 1}"#, "version: 1",
        ])
    func refused(text: String) { #expect(!mistakes(text).isEmpty) }

    @Test("Ten thousand apps, and an app with control characters, are refused with the reason")
    func apps() {
        let many = (0..<10_000).map { #""app\#($0)": 1"# }.joined(separator: ",")
        #expect(
            mistakes(#"{"version": 1, "apps": {\#(many)}}"#) == ["s.json:1:24: apps: 10000 entries; at most 1024 are allowed"])
        let control = mistakes(#"{"version": 1, "apps": {"a\u0007b": 1}}"#)
        #expect(control.count == 1)
        #expect(control[0].contains("without control characters"))
    }

    @Test("The number of apps that all quiet hours except is bounded")
    func exceptedInAll() {
        func file(_ times: Int, _ apps: Int) -> String {
            let names = (0..<apps).map { "\"a\($0)\"" }.joined(separator: ",")
            let one = #"{"from": "22:00", "to": "07:00", "except": {"apps": [\#(names)]}}"#
            return #"{"version": 1, "quietHours": [\#(Array(repeating: one, count: times).joined(separator: ","))]}"#
        }
        #expect(mistakes(file(4, 64)).isEmpty)
        let tooMany = mistakes(file(5, 52))
        #expect(tooMany.count == 1)
        #expect(tooMany[0].hasSuffix("all of them together except 260 apps; leave at most 256"))
    }
}
