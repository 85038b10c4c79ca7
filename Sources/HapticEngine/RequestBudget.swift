// SPDX-License-Identifier: MIT
public import HapticCore

/// What is left of a rate: as many at once as the rate allows in a second, refilled evenly.
///
/// One instant, whatever the rate: there is one for each client. (A token bucket as the generic cell rate algorithm of ITU-T I.371 has it;
/// `RateLimiter`, which keeps the instant of each, holds its limit in any second exactly.)
public struct RequestBudget: Hashable, Sendable {
    /// The rates that there may be.
    public static let rates = 1...1_000_000

    /// From here on it is full.
    private var fullAt: MonotonicInstant

    /// A full one.
    public init() { fullAt = .zero }

    public func isFull(at now: MonotonicInstant) -> Bool { fullAt <= now }

    /// How long until there is one, at `rate` a second; nil: there is.
    public func wait(for rate: Int, at now: MonotonicInstant) -> Nanoseconds? {
        let share = Self.share(of: rate)
        let missing = max(fullAt, now) - now + share - Nanoseconds(share.count * Int64(rate))
        return missing > .zero ? missing : nil
    }

    /// Takes one. After `wait` has said that there is one.
    public mutating func take(of rate: Int, at now: MonotonicInstant) { fullAt = max(fullAt, now) + Self.share(of: rate) }

    /// The time in which one is refilled; rounded up, so that there are never more than the rate.
    private static func share(of rate: Int) -> Nanoseconds {
        let second = Nanoseconds.seconds(1).count
        return Nanoseconds((second + Int64(rate) - 1) / Int64(rate))
    }
}
