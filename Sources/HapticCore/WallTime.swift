// SPDX-License-Identifier: MIT

/// A second of the wall's calendar: what outlasts the end of the daemon and of the machine.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Since the beginning of 1970, UTC.
    public var seconds: Int64

    public init(seconds: Int64) { self.seconds = seconds }

    /// When the format of the stored file was made: no clock that is right shows less.
    public static let first = WallTime(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z
    /// The end of the year 9999, beyond which nothing is written.
    public static let last = WallTime(seconds: 253_402_300_799)

    public static func < (a: Self, b: Self) -> Bool { a.seconds < b.seconds }

    /// In whole seconds, rounded up.
    package static func + (a: Self, b: Nanoseconds) -> Self {
        let second: Int64 = 1_000_000_000
        let whole = b.count / second + (b.count % second > 0 ? 1 : 0)
        return min(Self(seconds: a.seconds + whole), last)
    }
}

extension WallTime: CustomStringConvertible {
    /// As RFC 3339 has it, in UTC: `2026-11-24T07:00:00Z`. Of the years 1970 to 9999.
    public var description: String {
        let seconds = min(max(seconds, 0), Self.last.seconds)
        let (days, rest) = (seconds / 86_400, seconds % 86_400)
        let date = CalendarDay(daysSince1970: days)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time)Z"
    }

    /// Reads what `description` writes, and nothing else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00Z".utf8)
        guard bytes.count == form.count else { return nil }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        for (byte, wanted) in zip(bytes, form) where isDigit(wanted) ? !isDigit(byte) : byte != wanted { return nil }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let date = CalendarDay(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        guard date.year >= 1970, (1...12).contains(date.month), hour < 24, minute < 60, second < 60 else { return nil }
        let days = date.daysSince1970
        // The 31st of a month that has none would be a day of the next.
        guard CalendarDay(daysSince1970: days) == date else { return nil }
        self.init(seconds: ((days * 24 + hour) * 60 + minute) * 60 + second)
    }
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A day of the Gregorian calendar, after Howard Hinnant's `days_from_civil` and `civil_from_days`.
private struct CalendarDay: Equatable {
    let year, month, day: Int64

    init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    /// `days`: not negative.
    init(daysSince1970 days: Int64) {
        // Years begin in March here, so that the day that comes every four years is the last of one.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    /// `year`: 1970 or later.
    var daysSince1970: Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
