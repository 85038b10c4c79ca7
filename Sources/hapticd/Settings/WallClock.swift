// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticSettings

/// What the clock on the wall shows, and when somebody has to look at it again.
struct WallClock: Hashable, Sendable {
    /// A zone's offset may change by a rule, which is foreseen, or because another zone is chosen, which is not: so it is looked at once
    /// an hour at least.
    static let longestPause: Int64 = 3600

    let now: WallTime
    let local: LocalTime
    /// When the zone has another offset; `longestPause` after `now` at most.
    let next: WallTime

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

extension LocalTime {
    /// What the clocks of a zone show that is so many seconds ahead of UTC.
    init(_ wall: WallTime, nanosecond: Int = 0, offset: Int) {
        // 1970 began on a Thursday.
        let (day, second) = (wall.seconds + Int64(offset)).quotientAndRemainder(dividingBy: 86_400)
        self.init(Weekday.thu.advanced(by: Int(day % 7)), second: Int(second), nanosecond: nanosecond)
    }
}
