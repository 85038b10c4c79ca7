// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// How the monitor shows when something happened.
enum TimeStyle: String, CaseIterable {
    /// Since the first line.
    case relative
    /// The time of day.
    case clock
}

/// Instants of CLOCK_MONOTONIC as the time of day, here and now.
enum WallClock {
    /// `17:45:03.250`. A clock that is set changes what instants before it are said to be.
    static func text(of monotonic: Int64) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let real = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        let (instant, hasOverflown) = real.subtractingReportingOverflow(MonotonicClock.now - monotonic)
        guard !hasOverflown else { return "at an unknown time" }
        var (seconds, parts) = (time_t(instant / 1_000_000_000), tm())
        localtime_r(&seconds, &parts)
        let fields = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int64($0), to: 2) }
        return fields.joined(separator: ":") + "." + padded(instant % 1_000_000_000 / 1_000_000, to: 3)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let text = "\(abs(number))"
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
