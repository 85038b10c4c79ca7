// SPDX-License-Identifier: MIT
public import Synchronization

/// A bounded queue from one thread to one other that never blocks, locks or allocates after `init`: it says "full" or "empty".
///
/// `push` is for one thread only, the producer, and `pop` for one, the consumer. Values are moved through, so that a
/// reference inside one is never counted by both. Lives inside of what both share, so that neither counts references to it.
public struct SPSCRing<Element: Sendable>: ~Copyable, @unchecked Sendable {
    // Unchecked, because the compiler cannot see that a slot belongs to the producer until `tail` has passed it, and to the
    // consumer until `head` has. Both only ever grow; a slot is their value modulo the capacity.
    //
    // Why that is enough on a processor that lets loads and stores pass each other, as arm64 does:
    // - `push` fills a slot, then stores `tail` with release; `pop` loads `tail` with acquire, then empties the slot. So who sees the
    //   new `tail` sees all that was written before it: the slot, and what the element refers to. On arm64: stlr, ldar.
    // - `pop` empties a slot, then stores `head` with release; `push` loads `head` with acquire, then fills the slot again. So it is
    //   filled only after the consumer has read it: a later write may not pass the load (ldar), nor an earlier read the store (stlr).
    // - Each thread reads the index that it alone writes; for that no order is needed. An old value of the other's says "full" or
    //   "empty" too long, never too short a time.
    // `make races` has the thread sanitizer judge this, also with each order left out; `make deb-arm64` looks at the instructions.
    //
    // Inlinable throughout, so that the element's type is known where it is used: unspecialised it would be ten times as slow.
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    public let capacity: Int
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let tail = Atomic<Int>(0)

    /// `capacity` is 1 or more.
    @inlinable public init(capacity: Int) {
        // trap: a constant of ours.
        precondition(capacity > 0, "a ring holds at least one element")
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        // Touched, so that no one waits for the kernel to find a page when it is first used.
        UnsafeMutableRawPointer(slots).initializeMemory(
            as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Element>.stride)
    }

    @inlinable deinit {
        while pop() != nil {}
        slots.deallocate()
    }

    /// False where no more than `reserve` slots are free; then nothing has changed. The producer's thread.
    @inlinable public func push(_ element: consuming Element, keeping reserve: Int = 0) -> Bool {
        let tail = self.tail.load(ordering: .relaxed)
        guard tail - head.load(ordering: .acquiring) < capacity - reserve else { return false }
        (slots + tail % capacity).initialize(to: element)
        self.tail.store(tail + 1, ordering: .releasing)
        return true
    }

    /// The oldest element; nil where there is none. The consumer's thread.
    @inlinable public func pop() -> Element? {
        let head = self.head.load(ordering: .relaxed)
        guard head < tail.load(ordering: .acquiring) else { return nil }
        let element = (slots + head % capacity).move()
        self.head.store(head + 1, ordering: .releasing)
        return element
    }
}
