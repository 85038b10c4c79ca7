// SPDX-License-Identifier: MIT
internal import HapticCore
private import HapticThreads
private import Synchronization

/// A value that one thread waits for and another one gives, once.
final class Reply<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let bell = Doorbell()

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        bell.ring()
    }

    /// Nil where nothing came within `limit`.
    func wait(_ limit: Nanoseconds) -> Value? {
        let end = SystemClock.now + limit
        while bell.count == 0, SystemClock.now < end { bell.wait(after: 0, until: end) }
        return value.withLock { $0 }
    }
}
