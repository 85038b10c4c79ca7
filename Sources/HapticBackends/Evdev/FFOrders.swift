// SPDX-License-Identifier: MIT
private import Synchronization

/// A command on its way to a device's thread.
struct FFOrder: Sendable {
    let command: FFCommand
    fileprivate let number: UInt32
}

/// Numbers the commands to a device, so that a slow one shows the newest level and not, ever later, all of them.
///
/// Only a level that another one has taken the place of is left out: every vibration begins, and every stop is done.
final class FFOrders: Sendable {
    /// The numbers of the first and the last play without a stop between them, half a word each, so that they are read together.
    /// After a stop both are its own.
    private let series = Atomic<UInt64>(0)
    private let isPlaying = Atomic<Bool>(false)

    /// One thread, the executor's.
    func order(_ command: FFCommand) -> FFOrder {
        let before = series.load(ordering: .relaxed)
        let number = UInt32(truncatingIfNeeded: before) &+ 1
        let isPlay = command != .stop
        let first = isPlay && isPlaying.load(ordering: .relaxed) ? UInt32(truncatingIfNeeded: before >> 32) : number
        isPlaying.store(isPlay, ordering: .relaxed)
        series.store(UInt64(first) << 32 | UInt64(number), ordering: .releasing)
        return FFOrder(command: command, number: number)
    }

    /// Whether a later level has taken the place of this one. Any thread.
    func isOutdated(_ order: FFOrder) -> Bool {
        let series = series.load(ordering: .acquiring)
        let (first, last) = (UInt32(truncatingIfNeeded: series >> 32), UInt32(truncatingIfNeeded: series))
        return order.number &- first < last &- first
    }
}
