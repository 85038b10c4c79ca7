// SPDX-License-Identifier: MIT
internal import HapticCore

/// The arithmetic of a PWM channel: whole nanoseconds, as the kernel takes them. Pure.
enum PWMDuty {
    /// How long of each period the output is active: a share of `period`, linear, for that is the motor's mean voltage. All of it is
    /// `mostDrive`: where a motor may be overdriven its supply has that much more than its rated voltage.
    ///
    /// 0 where the drive is 0 or less; else 1 ns at least, so that it is not off, and `period` at most, beyond which the kernel refuses.
    static func nanoseconds(_ drive: Drive, mostDrive: Drive = .rated, period: Nanoseconds) -> Int64 {
        guard drive.value > 0 else { return 0 }
        return min(max(period.scaled(by: drive.value / mostDrive.value).count, 1), period.count)
    }
}
