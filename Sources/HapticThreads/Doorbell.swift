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

    public init() { self.init(count: 0) }

    /// For a test: one that has been rung so often.
    package init(count: UInt32) {
        rings = .allocate(capacity: 1)
        rings.initialize(to: Atomic(count))
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
        // Beyond the greatest number it goes on from 0, at 1,000 rings a second after 50 days: only whether it is another one counts.
        rings.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        // Either the sleeper sees the new count and does not sleep, or this sees it asleep: both are in one order. Acquire and release
        // would let each thread's load pass its own store, and both miss, even on x86-64. On arm64 a load by ldar passes no earlier store by
        // stlr, stlxr or ldaddal; one by ldapr would.
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
