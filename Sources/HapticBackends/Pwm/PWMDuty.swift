// SPDX-License-Identifier: MIT
internal import HapticCore

/// The arithmetic of a PWM channel: whole nanoseconds, as the kernel takes them. Pure.
enum PWMDuty {
    /// How long of each period the output is active: a share of `period`, linear, for that is the motor's mean voltage.
    ///
    /// 0 where the intensity is 0; else 1 ns at least, so that it is not off, and `period` at most, beyond which the kernel refuses.
    static func nanoseconds(_ intensity: Intensity, period: Nanoseconds) -> Int64 {
        guard intensity.value > 0 else { return 0 }
        return min(max(period.scaled(by: intensity.value).count, 1), period.count)
    }
}
