// SPDX-License-Identifier: MIT
import HapticCore

/// At most so many in any one second: a ring of the instants of the last ones.
struct RateLimiter {
    static let window = Nanoseconds.seconds(1)

    private var times: [MonotonicInstant]
    private var next = 0
    private var used = 0
    private let limit: Int?

    /// `limit` nil: no limit; else 0 or more.
    init(limit: Int?) {
        self.limit = limit
        times = Array(repeating: .zero, count: limit ?? 0)
    }

    /// Whether one at `now` keeps the limit.
    func admits(at now: MonotonicInstant) -> Bool {
        guard let limit else { return true }
        guard used == limit else { return true }
        return limit > 0 && now - times[next] >= Self.window
    }

    /// Counts one that `admits` allowed.
    mutating func record(at now: MonotonicInstant) {
        guard let limit else { return }
        times[next] = now
        next = (next + 1) % limit
        used = min(used + 1, limit)
    }

    /// Takes the last one back: it was withdrawn before it began.
    mutating func refund() {
        guard let limit, used > 0 else { return }
        next = (next + limit - 1) % limit
        used -= 1
    }
}
