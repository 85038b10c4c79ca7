// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticThreads

@Suite("The clock on the wall")
struct WallClockTests {
    /// So far ahead of UTC, and from these times on so far.
    private struct Zone: Sendable {
        var offset: Int
        var changes: [(at: String, offset: Int)] = []

        func offset(at wall: WallTime) -> Int { changes.last { WallTime($0.at)! <= wall }?.offset ?? offset }
    }

    private static let zones: [String: Zone] = [
        "UTC": Zone(offset: 0),
        "Berlin": Zone(offset: 3600, changes: [("2026-03-29T01:00:00Z", 7200), ("2026-10-25T01:00:00Z", 3600)]),
        "New York": Zone(offset: -18_000, changes: [("2026-03-08T07:00:00Z", -14_400), ("2026-11-01T06:00:00Z", -18_000)]),
        "Kathmandu": Zone(offset: 20_700),
        "Lord Howe": Zone(offset: 39_600, changes: [("2026-04-04T15:00:00Z", 37_800), ("2026-10-03T15:30:00Z", 39_600)]),
        // It skipped a day.
        "Samoa": Zone(offset: -36_000, changes: [("2011-12-30T10:00:00Z", 50_400)]),
        "Marquesas": Zone(offset: -34_200),
    ]

    /// What the clocks of a zone show at a time, and after how many seconds somebody has to look again.
    @Test(
        "The day and the time follow from the zone's offset, and the next reading is at its change or an hour later",
        arguments: [
            ("UTC", "2026-11-24T22:00:00Z", Weekday.tue, "22:00:00", 3600),
            ("UTC", "1970-01-01T00:00:00Z", .thu, "00:00:00", 3600),
            ("UTC", "2028-02-29T23:59:59Z", .tue, "23:59:59", 3600),
            // Midnight is elsewhere.
            ("Berlin", "2026-11-24T22:59:59Z", .tue, "23:59:59", 3600),
            ("Berlin", "2026-11-24T23:00:00Z", .wed, "00:00:00", 3600),
            ("New York", "2026-11-25T04:59:59Z", .tue, "23:59:59", 3600),
            ("New York", "2026-11-25T05:00:00Z", .wed, "00:00:00", 3600),
            ("Kathmandu", "2026-11-24T18:15:00Z", .wed, "00:00:00", 3600),
            ("Marquesas", "2026-11-24T09:29:59Z", .mon, "23:59:59", 3600),
            // In spring an hour is left out.
            ("Berlin", "2026-03-29T00:00:01Z", .sun, "01:00:01", 3599), ("Berlin", "2026-03-29T00:59:59Z", .sun, "01:59:59", 1),
            ("Berlin", "2026-03-29T01:00:00Z", .sun, "03:00:00", 3600),
            ("Berlin", "2026-03-29T00:00:00Z", .sun, "01:00:00", 3600),
            ("Berlin", "2026-03-28T23:59:59Z", .sun, "00:59:59", 3600),
            // In autumn one comes twice.
            ("Berlin", "2026-10-25T00:59:59Z", .sun, "02:59:59", 1), ("Berlin", "2026-10-25T01:00:00Z", .sun, "02:00:00", 3600),
            ("New York", "2026-11-01T05:30:00Z", .sun, "01:30:00", 1800),
            ("New York", "2026-11-01T06:00:00Z", .sun, "01:00:00", 3600),
            ("New York", "2026-03-08T06:59:00Z", .sun, "01:59:00", 60),
            // Half an hour, and a whole day.
            ("Lord Howe", "2026-04-04T14:45:00Z", .sun, "01:45:00", 900),
            ("Lord Howe", "2026-04-04T15:00:00Z", .sun, "01:30:00", 3600),
            ("Samoa", "2011-12-30T09:59:59Z", .thu, "23:59:59", 1), ("Samoa", "2011-12-30T10:00:00Z", .sat, "00:00:00", 3600),
        ])
    func shows(zone: String, at text: String, day: Weekday, time: String, seconds: Int64) throws {
        let zone = try #require(Self.zones[zone])
        let wall = try #require(WallTime(text))
        let clock = WallClock(at: wall) { zone.offset(at: $0) }
        let parts = time.split(separator: ":").compactMap { Int($0) }
        #expect(clock.local == LocalTime(day, second: parts[0] * 3600 + parts[1] * 60 + parts[2]))
        #expect(clock.next == WallTime(seconds: wall.seconds + seconds))
        #expect(clock.pause == .seconds(seconds))
    }

    @Test("The elapsed part of a second is no part of the pause")
    func partOfASecond() throws {
        let wall = try #require(WallTime("2026-03-29T00:59:59Z"))
        let clock = WallClock(at: wall, nanosecond: 400_000_000) { Self.zones["Berlin"]!.offset(at: $0) }
        #expect(clock.local == LocalTime(.sun, second: 7199, nanosecond: 400_000_000))
        #expect(clock.pause == .milliseconds(600))
    }

    @Test("A clock that is read when due shows the right second all year, in each of the zones")
    func allYear() throws {
        for zone in Self.zones.values {
            var wall = try #require(WallTime("2026-01-01T00:00:00Z"))
            let end = try #require(WallTime("2027-01-01T00:00:00Z"))
            while wall < end {
                let clock = WallClock(at: wall) { zone.offset(at: $0) }
                try #require(clock.next > wall)
                #expect(clock.next.seconds - wall.seconds <= WallClock.longestPause)
                // What the engine makes of it until the next look: the last second before that.
                let last = WallTime(seconds: clock.next.seconds - 1)
                #expect(
                    clock.local.later(by: .seconds(last.seconds - wall.seconds)) == LocalTime(last, offset: zone.offset(at: last))
                )
                wall = clock.next
            }
        }
    }

    /// A clock that jumps a day is looked at at once; here what it shows then.
    @Test("A clock that jumps a day shows the other day, and one far from 1970 shows a valid one")
    func jumps() {
        let noon: Int64 = 1_795_521_600  // A Tuesday.
        func shown(_ seconds: Int64) -> LocalTime { WallClock(at: WallTime(seconds: seconds)) { _ in 0 }.local }
        #expect(shown(noon) == LocalTime(.tue, second: 43_200))
        #expect(shown(noon + 86_400) == LocalTime(.wed, second: 43_200))
        #expect(shown(noon - 86_400) == LocalTime(.mon, second: 43_200))
        #expect(shown(-1) == LocalTime(.wed, second: 86_399))
        #expect(shown(253_402_300_799) == LocalTime(.fri, second: 86_399))
    }
}
