// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// The clock of everything real: CLOCK_MONOTONIC, which no one sets.
public enum SystemClock {
    /// Any thread; no system call on common machines.
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
