// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    private func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    private func local(_ day: Weekday, _ text: String, second: Int = 0) throws -> LocalTime {
        LocalTime(day, second: try time(text).seconds + second)
    }

    /// When it begins, when it ends, and a look at each side of both.
    @Test(
        "Hours belong to the day on which they begin",
        arguments: [
            ("09:00", "17:00", Weekday.tue, "08:59", false), ("09:00", "17:00", .tue, "09:00", true),
            ("09:00", "17:00", .tue, "16:59", true), ("09:00", "17:00", .tue, "17:00", false),
            ("09:00", "17:00", .wed, "12:00", false),
            // Across midnight: it belongs to the day on which it begins.
            ("22:00", "07:00", .tue, "21:59", false), ("22:00", "07:00", .tue, "22:00", true),
            ("22:00", "07:00", .wed, "00:00", true), ("22:00", "07:00", .wed, "06:59", true),
            ("22:00", "07:00", .wed, "07:00", false), ("22:00", "07:00", .tue, "03:00", false),
            ("22:00", "07:00", .wed, "23:00", false),
            // Up to midnight, from midnight, and a whole day.
            ("22:00", "24:00", .tue, "23:59", true), ("22:00", "24:00", .wed, "00:00", false),
            ("22:00", "00:00", .tue, "23:59", true), ("22:00", "00:00", .wed, "00:00", false),
            ("00:00", "24:00", .tue, "00:00", true), ("00:00", "24:00", .tue, "23:59", true),
            ("00:00", "24:00", .mon, "23:59", false), ("12:00", "12:00", .wed, "11:59", true),
            ("12:00", "12:00", .wed, "12:00", false),
        ])
    func onTuesdays(from: String, to: String, day: Weekday, at: String, isQuiet: Bool) throws {
        let hours = QuietHours(days: [.tue], from: try time(from), to: try time(to))
        #expect(hours.contains(try local(day, at)) == isQuiet)
    }

    @Test(
        "The remaining time ends with the quiet hours",
        arguments: [
            ("09:00", "17:00"), ("22:00", "07:00"), ("22:00", "24:00"), ("22:00", "00:00"), ("00:00", "24:00"),
            ("12:00", "12:00"),
            ("00:00", "00:00"), ("24:00", "06:00"),
        ])
    func whatIsLeftEndsWithIt(from: String, to: String) throws {
        let hours = QuietHours(days: [.tue], from: try time(from), to: try time(to))
        let quiet = (0..<7 * 24 * 4).map { LocalTime(.mon, second: $0 * 900) }.filter { hours.contains($0) }
        #expect(!quiet.isEmpty)
        for time in quiet {
            let left = hours.left(at: time)
            #expect(left > .zero)
            #expect(!hours.contains(time.later(by: left)))
            #expect(hours.contains(time.later(by: left - .seconds(1))))
        }
    }

    @Test("The last second before the end is quiet")
    func lastSecondBeforeTheEndIsQuiet() throws {
        let hours = QuietHours(days: [.sun], from: try time("22:00"), to: try time("07:00"))
        #expect(hours.contains(try local(.mon, "06:59", second: 59)))
        #expect(!hours.contains(try local(.mon, "07:00")))
    }

    @Test("Time goes on across midnight and weeks")
    func timeGoesOnAcrossMidnightAndWeeks() throws {
        let evening = try local(.sun, "23:59", second: 30)
        #expect(try evening.later(by: .seconds(30)) == local(.mon, "00:00"))
        #expect(evening.later(by: .milliseconds(29_999)) == LocalTime(.sun, second: 86_399, nanosecond: 999_000_000))
        #expect(evening.later(by: .seconds(7 * 86_400)) == evening)
        #expect(LocalTime(.mon, second: -1) == LocalTime(.sun, second: 86_399))
        #expect(LocalTime(.mon, second: -86_400) == LocalTime(.sun, second: 0))
        #expect(LocalTime(.mon, second: 86_400) == LocalTime(.tue, second: 0))
    }

    @Test("Parts of a second count: hours begin and end when their second does, not up to one later")
    func partsOfASecond() throws {
        let hours = QuietHours(days: [.tue], from: try time("22:00"), to: try time("07:00"))
        let before = LocalTime(.tue, second: 22 * 3600 - 2, nanosecond: 700_000_000)
        #expect(!hours.contains(before.later(by: .milliseconds(1299))))
        #expect(hours.contains(before.later(by: .milliseconds(1300))))
        let last = LocalTime(.wed, second: 7 * 3600 - 1, nanosecond: 250_000_000)
        #expect(hours.contains(last))
        #expect(hours.left(at: last) == .milliseconds(750))
        #expect(last.later(by: .zero) == last)
        #expect(last.later(by: hours.left(at: last)) == LocalTime(.wed, second: 7 * 3600))
        let many = (1...7).reduce(before) { time, _ in time.later(by: .milliseconds(900)) }
        #expect(many == before.later(by: .milliseconds(6300)))
        let midnight = LocalTime(.mon, second: 0)
        #expect(midnight.later(by: .milliseconds(-1)) == LocalTime(.sun, second: 86_399, nanosecond: 999_000_000))
    }

    @Test(
        "Other texts are no time of day",
        arguments: ["24:01", "25:00", "12:60", "7:00", "07:0", "07-00", "0a:00", "", "07:00 ", "+7:00", "٠٧:٠٠"])
    func isNoTimeOfDay(_ text: String) { #expect(TimeOfDay(text) == nil) }

    @Test("A time of day is written as it is read", arguments: ["00:00", "07:05", "23:59", "24:00"])
    func timeOfDayIsReadAsItIsWritten(_ text: String) { #expect(TimeOfDay(text)?.description == text) }
}
