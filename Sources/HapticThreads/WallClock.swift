// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// One reading of the wall clock, and when it has to be read again.
public struct WallClock: Hashable, Sendable {
    /// The longest time between two readings. A zone's offset changes by a rule, which is foreseen, or because another zone is chosen,
    /// which is not.
    static let longestPause: Int64 = 3600

    public let now: WallTime
    public let local: LocalTime
    /// When the zone has another offset; `longestPause` after `now` at most.
    let next: WallTime

    /// The machine's clock in its zone, of $TZ or /etc/localtime as it is now. Blocks.
    public static func read() -> WallClock {
        // The zone that was read before may be another one.
        tzset()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return WallClock(at: WallTime(seconds: Int64(now.tv_sec)), nanosecond: now.tv_nsec) { wall in
            var (seconds, parts) = (time_t(wall.seconds), tm())
            return localtime_r(&seconds, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
        }
    }

    /// `nanosecond`: how far that second is gone. `offset`: by how many seconds the zone is ahead of UTC at a time.
    init(at now: WallTime, nanosecond: Int = 0, offset: (WallTime) -> Int) {
        let offsetNow = offset(now)
        self.now = now
        local = LocalTime(now, nanosecond: nanosecond, offset: offsetNow)
        // Between two times with different offsets, the first of the later one.
        var (same, other) = (now.seconds, now.seconds + Self.longestPause)
        guard offset(WallTime(seconds: other)) != offsetNow else {
            next = WallTime(seconds: other)
            return
        }
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if offset(WallTime(seconds: middle)) == offsetNow { same = middle } else { other = middle }
        }
        next = WallTime(seconds: other)
    }

    /// Until `next`.
    var pause: Nanoseconds { .seconds(next.seconds - now.seconds) - Nanoseconds(Int64(local.nanosecond)) }
}

extension WallTime {
    /// The machine's clock now.
    public static var now: WallTime { WallTime(seconds: Int64(time(nil))) }
}

extension LocalTime {
    /// What the clocks of a zone show that is so many seconds ahead of UTC.
    init(_ wall: WallTime, nanosecond: Int = 0, offset: Int) {
        // 1970 began on a Thursday.
        let (day, second) = (wall.seconds + Int64(offset)).quotientAndRemainder(dividingBy: 86_400)
        self.init(Weekday.thu.advanced(by: Int(day % 7)), second: Int(second), nanosecond: nanosecond)
    }
}
