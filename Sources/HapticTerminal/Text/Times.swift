// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// How the monitor shows when something happened.
package enum TimeStyle: String, CaseIterable {
    /// Since the first line.
    case relative
    /// The time of day.
    case clock
}

/// Instants of CLOCK_MONOTONIC as the time of day, here and now.
enum TimeOfInstant {
    /// `17:45:03.250`. A clock that is set changes what instants before it are said to be.
    static func text(of monotonic: Int64) -> String {
        guard let (parts, nanoseconds) = parts(of: monotonic) else { return unknown }
        let fields = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int64($0), to: 2) }
        return fields.joined(separator: ":") + "." + padded(nanoseconds / 1_000_000, to: 3)
    }

    /// Of an instant to come, such as `07:00`; one on another day with the day before it: `2026-08-01 07:00`.
    static func minute(of monotonic: Int64) -> String {
        guard let (parts, _) = parts(of: monotonic), let (today, _) = self.parts(of: MonotonicClock.now) else { return unknown }
        let time = "\(padded(Int64(parts.tm_hour), to: 2)):\(padded(Int64(parts.tm_min), to: 2))"
        if parts.tm_yday == today.tm_yday, parts.tm_year == today.tm_year { return time }
        let day = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)].map { padded(Int64($0), to: $1) }
        return "\(day.joined(separator: "-")) \(time)"
    }

    private static let unknown = "at an unknown time"

    private static func parts(of monotonic: Int64) -> (tm, nanoseconds: Int64)? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let real = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        let (instant, hasOverflown) = real.subtractingReportingOverflow(MonotonicClock.now - monotonic)
        guard !hasOverflown else { return nil }
        var (seconds, parts) = (time_t(instant / 1_000_000_000), tm())
        localtime_r(&seconds, &parts)
        return (parts, instant % 1_000_000_000)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let text = "\(abs(number))"
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
