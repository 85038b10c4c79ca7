// SPDX-License-Identifier: MIT

/// A time of the week in which nothing is felt, but for what is excepted.
public struct QuietHours: Hashable, Sendable, Codable {
    /// Those on which it begins; one that goes across midnight ends on the day after. Where there are
    /// none it never is.
    public var days: Set<Weekday>
    /// Where `to` is not later than `from`, it is on the day after.
    public var from: TimeOfDay
    public var to: TimeOfDay
    public var except: Exceptions

    public struct Exceptions: Hashable, Sendable, Codable {
        public var classes: Set<FeedbackClass>
        /// Of clients that may speak for others only.
        public var apps: Set<Text>
        /// An event with the same name, id and owner for the second time within `repetitionWindow`.
        public var repeated: Bool

        public init(classes: Set<FeedbackClass> = [], apps: Set<Text> = [], repeated: Bool = false) {
            self.classes = classes
            self.apps = apps
            self.repeated = repeated
        }
    }

    /// Why something is felt all the same.
    public enum Exception: String, CaseIterable, Hashable, Sendable, Encodable {
        case feedbackClass = "class"
        case app, repeated
    }

    /// Of those that except something no more are noted than this: there may be many at once, and one is as good as another.
    public static let mostNoted = 2

    public static let repetitionWindow = Nanoseconds.seconds(15 * 60)

    public init(
        days: Set<Weekday> = Set(Weekday.allCases), from: TimeOfDay, to: TimeOfDay, except: Exceptions = Exceptions()
    ) {
        self.days = days
        self.from = from
        self.to = to
        self.except = except
    }

    /// Whether it is now. From its first second to the one before `to`.
    public func contains(_ time: LocalTime) -> Bool {
        if from < to { return days.contains(time.weekday) && time.second >= from.seconds && time.second < to.seconds }
        if time.second >= from.seconds { return days.contains(time.weekday) }
        let day = Canary.is("quiet-day-after-midnight") ? time.weekday : time.weekday.before
        return time.second < to.seconds && days.contains(day)
    }

    /// How long it still is, at a time that is in it: more than 0, and 24 hours at most.
    public func left(at time: LocalTime) -> Nanoseconds {
        let isBeforeMidnight = from >= to && time.second >= from.seconds
        return .seconds(Int64(to.seconds - time.second + (isBeforeMidnight ? 86_400 : 0))) - Nanoseconds(Int64(time.nanosecond))
    }
}

extension [QuietHours] {
    /// How many apps they except, each counted as often as it is named.
    public var exceptedApps: Int { reduce(0) { $0 + $1.except.apps.count } }

    /// In seconds of the week, in order; what overlaps or follows at once is one. The last may end after the week.
    var stretches: [Range<Int>] {
        var all = flatMap { hours in
            let length = hours.to.seconds - hours.from.seconds
            return hours.days.map { day in
                let start = day.index * 86_400 + hours.from.seconds
                return start..<(start + length + (length > 0 ? 0 : 86_400))
            }
        }
        all.sort { $0.lowerBound < $1.lowerBound }
        var stretches: [Range<Int>] = []
        for stretch in all {
            if let last = stretches.last, stretch.lowerBound <= last.upperBound {
                stretches[stretches.count - 1] = last.lowerBound..<Swift.max(last.upperBound, stretch.upperBound)
            } else {
                stretches.append(stretch)
            }
        }
        return stretches
    }
}

public enum Weekday: String, CaseIterable, Hashable, Sendable, Codable {
    case mon, tue, wed, thu, fri, sat, sun

    /// `allCases`, which the compiler makes as an array each time.
    private static let week = allCases

    /// From 0 for Monday.
    public var index: Int {
        switch self {
        case .mon: 0
        case .tue: 1
        case .wed: 2
        case .thu: 3
        case .fri: 4
        case .sat: 5
        case .sun: 6
        }
    }

    /// So many days later; earlier where that is negative.
    public func advanced(by days: Int) -> Weekday { Self.week[((index + days) % 7 + 7) % 7] }
    public var before: Weekday { advanced(by: -1) }
}

/// A time that a clock on the wall shows, to the minute: from 00:00 to 24:00.
public struct TimeOfDay: Hashable, Comparable, Sendable, SingleValueCodable {
    /// 0…1440.
    public let minutes: Int

    /// Of its text, for descriptions of what is read.
    public static let pattern = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"

    /// Nil outside 0…1440.
    public init?(minutes: Int) {
        guard (0...1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Such as `07:00`: two digits, a colon, two digits. Nil where `text` is no such time.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        var digits: [Int] = []
        for index in [0, 1, 3, 4] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
            digits.append(Int(bytes[index] - UInt8(ascii: "0")))
        }
        let minute = digits[2] * 10 + digits[3]
        guard minute < 60 else { return nil }
        self.init(minutes: (digits[0] * 10 + digits[1]) * 60 + minute)
    }

    public var seconds: Int { minutes * 60 }
    public var coded: Int { minutes }
    public init?(coded: Int) { self.init(minutes: coded) }

    public static func < (a: Self, b: Self) -> Bool { a.minutes < b.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    public var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

/// What the clocks on the wall show at one instant.
public struct LocalTime: Hashable, Sendable, Codable {
    public var weekday: Weekday
    /// Since midnight, 0…86,399.
    public var second: Int
    /// How far that second is gone, 0…999,999,999: what begins on the minute is not to come up to a second late.
    public var nanosecond: Int

    private static var day: Int { 86_400 }

    /// `second` beyond a day is on a day after, and a negative one on a day before.
    public init(_ weekday: Weekday, second: Int, nanosecond: Int = 0) {
        let days = second >= 0 ? second / Self.day : -((Self.day - 1 - second) / Self.day)
        self.weekday = weekday.advanced(by: days)
        self.second = second - days * Self.day
        self.nanosecond = nanosecond
    }

    /// What they show this much later, as long as nobody sets them and their zone keeps its offset.
    public func later(by time: Nanoseconds) -> LocalTime {
        let (seconds, rest) = time.count.quotientAndRemainder(dividingBy: 1_000_000_000)
        let part = nanosecond + Int(rest)
        let carry = part >= 1_000_000_000 ? 1 : part < 0 ? -1 : 0
        return LocalTime(weekday, second: second + Int(seconds) + carry, nanosecond: part - carry * 1_000_000_000)
    }
}
