// SPDX-License-Identifier: MIT

/// A length of time in whole nanoseconds; negative where an instant lies before another.
///
/// Plain 64-bit arithmetic: `Swift.Duration` is 128 bits wide and costs more than the comparison it serves on the timing path.
/// ±292 years; arithmetic beyond that traps, and every value from outside is range-checked where it is parsed.
public struct Nanoseconds: Hashable, Comparable, Sendable {
    public var count: Int64

    @inlinable public init(_ count: Int64) { self.count = count }

    // Computed, as every constant of the timing path: a stored one is made at its first use, under a lock.
    @inlinable public static var zero: Nanoseconds { Nanoseconds(0) }

    @inlinable public static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1000) }
    @inlinable public static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000) }
    @inlinable public static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000_000) }

    /// The nearest whole number of nanoseconds; nil where `seconds` is not finite or beyond ±100 years.
    public init?(seconds: Double) {
        guard seconds.isFinite, abs(seconds) <= 3_155_760_000 else { return nil }
        // trap: at most 100 years.
        count = Int64((seconds * 1e9).rounded())
    }

    @inlinable public var inSeconds: Double { Double(count) / 1e9 }
    @inlinable public var inMilliseconds: Double { Double(count) / 1e6 }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.count < b.count }
    @inlinable public static func + (a: Self, b: Self) -> Self { Self(a.count + b.count) }
    @inlinable public static func - (a: Self, b: Self) -> Self { Self(a.count - b.count) }
    @inlinable public static func * (a: Self, b: Int) -> Self { Self(a.count * Int64(b)) }
    @inlinable public static func / (a: Self, b: Int) -> Self { Self(a.count / Int64(b)) }
    @inlinable public static func += (a: inout Self, b: Self) { a.count += b.count }
    @inlinable public static func -= (a: inout Self, b: Self) { a.count -= b.count }

    /// Scaled and rounded to the nearest nanosecond. `factor` is finite.
    // trap: factors are shares and constants; times are bounded by where they are read.
    @inlinable public func scaled(by factor: Double) -> Nanoseconds { Nanoseconds(Int64((Double(count) * factor).rounded())) }
}

extension Nanoseconds: CustomStringConvertible {
    /// The largest unit that needs no more than three decimals: `8ms`, `1.6s`, `250us`, `1ns`.
    public var description: String {
        for (unit, name) in [(1_000_000_000 as Int64, "s"), (1_000_000, "ms"), (1000, "us")]
        where abs(count) >= unit && count % (unit / 1000) == 0 {
            let whole = count / unit
            var fraction = String(abs(count % unit) / (unit / 1000))
            guard fraction != "0" else { return "\(whole)\(name)" }
            fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
            while fraction.last == "0" { fraction.removeLast() }
            return "\(whole).\(fraction)\(name)"
        }
        return "\(count)ns"
    }
}

/// A point on the monotonic clock, in nanoseconds since its origin (`CLOCK_MONOTONIC` in the daemon, 0 in a simulation).
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static var zero: MonotonicInstant { MonotonicInstant(nanoseconds: 0) }
    /// Earlier than every instant that occurs, by more than any time that is added to one.
    @inlinable public static var distantPast: MonotonicInstant { MonotonicInstant(nanoseconds: .min / 2) }
    /// Later than every instant that occurs: "never".
    @inlinable public static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

    @inlinable public static func == (a: Self, b: Self) -> Bool { a.nanoseconds == b.nanoseconds }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    @inlinable public static func + (a: Self, b: Nanoseconds) -> Self { Self(nanoseconds: a.nanoseconds + b.count) }
    @inlinable public static func - (a: Self, b: Nanoseconds) -> Self { Self(nanoseconds: a.nanoseconds - b.count) }
    @inlinable public static func - (a: Self, b: Self) -> Nanoseconds { Nanoseconds(a.nanoseconds - b.nanoseconds) }

    /// This instant with `origin` as instant 0; `distantFuture` stays what it is.
    @inlinable public func relative(to origin: Self) -> Self { self == .distantFuture ? self : .zero + (self - origin) }
}

extension MonotonicInstant: CustomStringConvertible {
    public var description: String { Nanoseconds(nanoseconds).description }
}
