// SPDX-License-Identifier: MIT
private import Synchronization

/// An operation on its way to a device's thread.
struct FFOrder: Sendable {
    let operation: FFOperation
    fileprivate let number: UInt32
}

/// Numbers the operations for a device, so that a slow one shows the newest level and not, ever later, all of them.
///
/// Only a level that a later one has replaced is left out: every vibration begins, and every stop is done.
final class FFOrders: Sendable {
    /// The numbers of the first and the last play without a stop between them, half a word each, so that they are read together.
    /// After a stop both are its own.
    private let series = Atomic<UInt64>(0)
    private let isPlaying = Atomic<Bool>(false)

    /// One thread, the executor's.
    func order(_ operation: FFOperation) -> FFOrder {
        let before = series.load(ordering: .relaxed)
        let number = UInt32(truncatingIfNeeded: before) &+ 1
        let isPlay = operation != .stop
        let first = isPlay && isPlaying.load(ordering: .relaxed) ? UInt32(truncatingIfNeeded: before >> 32) : number
        isPlaying.store(isPlay, ordering: .relaxed)
        series.store(UInt64(first) << 32 | UInt64(number), ordering: .releasing)
        return FFOrder(operation: operation, number: number)
    }

    /// Whether a later level has replaced this one. Any thread.
    func isOutdated(_ order: FFOrder) -> Bool {
        let series = series.load(ordering: .acquiring)
        let (first, last) = (UInt32(truncatingIfNeeded: series >> 32), UInt32(truncatingIfNeeded: series))
        return order.number &- first < last &- first
    }
}
