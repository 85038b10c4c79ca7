// SPDX-License-Identifier: MIT

/// The last entries of something that goes on for ever, and how many there were. Its memory is taken at the start.
public struct RecentLog<Entry: Sendable>: Sendable {
    public let capacity: Int
    /// All entries there ever were, those that have left included.
    public private(set) var total = 0
    private var ring: [Entry] = []
    private var start = 0

    /// `capacity` is 1 or more.
    public init(capacity: Int) {
        // trap: a constant of ours.
        precondition(capacity > 0, "a log keeps at least one entry")
        self.capacity = capacity
        ring.reserveCapacity(capacity)
    }

    /// O(1), allocates nothing; the oldest entry leaves where the log is full.
    public mutating func append(_ entry: Entry) {
        total += 1
        if ring.count < capacity {
            ring.append(entry)
        } else {
            ring[start] = entry
            start = (start + 1) % capacity
        }
    }

    /// Oldest first.
    public var entries: [Entry] { Array(ring[start...] + ring[..<start]) }

    public mutating func removeAll() {
        ring.removeAll(keepingCapacity: true)
        start = 0
        total = 0
    }
}
