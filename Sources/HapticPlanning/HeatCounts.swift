// SPDX-License-Identifier: MIT
import HapticCore

/// The numbers of playbacks that were felt less, and that were cut, because the motor was hot.
struct HeatCounts {
    private(set) var lowered: UInt64 = 0
    private(set) var cut: UInt64 = 0

    /// Counts a playback that has ended with `counts`.
    mutating func add(_ counts: MotorLimiter.Counts) {
        if counts.cutReason == .thermal { cut += 1 } else if counts.leastStrength < 1 { lowered += 1 }
    }
}
