// SPDX-License-Identifier: MIT
public import HapticCore

/// How long to wait before a device is tried again: 100 ms, twice as long each time, 30 s at most.
public struct BackOff: Hashable, Sendable {
    private static let longest = Nanoseconds.seconds(30)
    private var upcoming = Nanoseconds.milliseconds(100)

    public init() {}

    public mutating func next() -> Nanoseconds {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }
}
