// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticSettings

extension WallTime {
    /// What the machine's clock shows.
    static var now: WallTime { WallTime(seconds: Int64(time(nil))) }
}

extension WallClock {
    /// The machine's, in its zone: of $TZ or /etc/localtime, as that is now. Blocks.
    static func read() -> WallClock {
        // What was read before may be another zone's.
        tzset()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return WallClock(at: WallTime(seconds: Int64(now.tv_sec)), nanosecond: now.tv_nsec) { wall in
            var (seconds, parts) = (time_t(wall.seconds), tm())
            return localtime_r(&seconds, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
        }
    }
}
