// SPDX-License-Identifier: MIT
private import CLinux
public import HapticCore
private import Synchronization

/// Lets one thread sleep until an instant or until another one rings. A ring is never missed, and costs a system call only
/// where someone sleeps. Lives inside of what the threads share, so that none counts references to it.
public struct Doorbell: ~Copyable, @unchecked Sendable {
    // Unchecked and with a pointer, because the kernel needs the address of the word: `Atomic` lives at it and is all that touches it.
    private let rings: UnsafeMutablePointer<Atomic<UInt32>>
    private let isSomeoneAsleep = Atomic<Bool>(false)

    public init() {
        rings = .allocate(capacity: 1)
        rings.initialize(to: Atomic(0))
    }

    deinit {
        rings.deinitialize(count: 1)
        rings.deallocate()
    }

    private var word: UnsafePointer<UInt32> { UnsafeRawPointer(rings).assumingMemoryBound(to: UInt32.self) }

    /// How often it has been rung. Read it, then look for work, then `wait` with it.
    public var count: UInt32 { rings.pointee.load(ordering: .sequentiallyConsistent) }

    /// Any thread; never blocks.
    @_noLocks
    public func ring() {
        rings.pointee.add(1, ordering: .sequentiallyConsistent)
        // Either the sleeper sees the new count and does not sleep, or this sees it asleep: both are in one order. Acquire and release
        // would let each thread's load pass its own store, and both miss. On arm64 a load by ldar does not pass a store by stlr or casal.
        if isSomeoneAsleep.load(ordering: .sequentiallyConsistent) {
            let word = word
            // One system call.
            _unsafePerformance { clinux_futex_wake(word) }
        }
    }

    /// Returns when it has been rung more often than `count`, at `deadline`, or now and then earlier. One thread.
    @_noLocks
    public func wait(after count: UInt32, until deadline: MonotonicInstant) {
        isSomeoneAsleep.store(true, ordering: .sequentiallyConsistent)
        if self.count == count {
            let word = word
            // One system call.
            _ = _unsafePerformance { clinux_futex_wait(word, count, deadline.nanoseconds) }
        }
        isSomeoneAsleep.store(false, ordering: .relaxed)
    }
}
