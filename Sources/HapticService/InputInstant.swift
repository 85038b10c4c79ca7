// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// The instant of an input, by its `atNs`.
///
/// An instant up to `WireLimit.ahead` after the reading is valid and counts as now: a client may read the clock later than the daemon
/// did for the line, and clocks of a virtual machine may jump. An instant farther ahead is from another clock, such as the wall clock.
/// An instant that in another unit would be about now is in that unit. A hold is not older than `WireLimit.oldestHold`; other inputs may
/// have any age: after a long absence a client sends its last value, which is `stale` and moves the gate.
struct InputInstant {
    let instant: MonotonicInstant

    /// Younger instants are never taken for another unit.
    private static let surelyLate = Nanoseconds.seconds(60)
    /// How near to now an instant in another unit is.
    private static let near = 60.0
    private static let units: [(name: String, seconds: Double)] = [
        ("milliseconds", 1e-3), ("microseconds", 1e-6), ("seconds", 1),
    ]

    /// - Parameters:
    ///   - nanoseconds: The `atNs`; `nil`: the input happened when it was read.
    ///   - kind: The input.
    ///   - readAt: The instant of the reading.
    /// - Throws: If the instant is of another clock or in another unit.
    init(_ nanoseconds: Int64?, of kind: Input.Kind, readAt: MonotonicInstant) throws(WireError) {
        guard let nanoseconds else {
            instant = readAt
            return
        }
        instant = MonotonicInstant(nanoseconds: nanoseconds)
        let age = readAt - instant
        if instant - readAt > WireLimit.ahead {
            throw Self.error("is \((instant - readAt).words) ahead", "not of the wall clock")
        }
        if age > Self.surelyLate, let unit = Self.unit(of: nanoseconds, readAt) {
            throw Self.error("is \(age.words) old", "and this one is probably in \(unit)")
        }
        if case .hold = kind, age > WireLimit.oldestHold {
            throw Self.error("is \(age.words) old, too old for a hold", "not of another clock")
        }
    }

    /// The other unit in which `count` is about now, if any.
    private static func unit(of count: Int64, _ now: MonotonicInstant) -> String? {
        let seconds = Double(now.nanoseconds) / 1e9
        return units.first { abs(Double(count) * $0.seconds - seconds) <= near }?.name
    }

    private static func error(_ fault: String, _ clock: String) -> WireError {
        .invalid(
            "atNs",
            "\(fault); it counts nanoseconds of CLOCK_MONOTONIC, \(clock): send `time.monotonic_ns()` of Python, or leave it out"
        )
    }
}
