// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// The clock of everything real: CLOCK_MONOTONIC, which no one sets, and which stands still while the machine sleeps.
public enum SystemClock {
    /// Any thread; no system call on common machines.
    public static var now: MonotonicInstant { MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC)) }

    /// How long the machine has slept since it was started; too low by what passes between the readings of two clocks. As `now`.
    public static var suspended: Nanoseconds {
        let sinceStart = read(CLOCK_BOOTTIME)
        return Nanoseconds(sinceStart - read(CLOCK_MONOTONIC))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
