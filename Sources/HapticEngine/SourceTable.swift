// SPDX-License-Identifier: MIT
import HapticCore

/// Who an input is about.
struct SourceKey: Hashable, Sendable {
    enum Owner: Hashable, Sendable {
        /// Explicit identity: the peer's user; outlives connections.
        case user(UInt32)
        /// Structural identity: the connection; dies with it.
        case connection(UInt64)
    }

    let owner: Owner
    /// Empty where the connection is the source.
    let id: String
    /// The name of the event whose value is kept; nil for progress.
    let eventName: String?

    init(client: ClientIdentity, id: String?, eventName: String? = nil) {
        owner = id == nil ? .connection(client.connection) : .user(client.user)
        self.id = id ?? ""
        self.eventName = eventName
    }

    /// Fewer and simpler parts than the compiler would make of it: this is a good share of what an input costs.
    func hash(into hasher: inout Hasher) {
        switch owner {
        case .user(let user): hasher.combine(UInt64(user))
        case .connection(let connection): hasher.combine(~connection)
        }
        hasher.combine(id)
        if let eventName { hasher.combine(eventName) }
    }
}

/// What is remembered of a source.
struct Source {
    let key: SourceKey
    let user: UInt32
    var gate = GateState()
    /// The progress rule for it, found once; nil where none matches.
    var rule: Int?
    /// The event's last value.
    var value = Scalar.null
    fileprivate(set) var lastInput: MonotonicInstant
}

/// All sources, bounded, forgotten a fixed time after their last input.
///
/// Slots of an array, found by key, and chained by age: the one to be forgotten next is always at hand, and an input costs
/// the same with one source as with all of them.
struct SourceTable {
    /// Places of the sources heard before and after one; -1 for none.
    private struct Link {
        var older: Int32 = -1
        var newer: Int32 = -1
    }

    private var slots: [Source?] = []
    /// By slot. Apart from the sources, which are large: an input moves its source to the end of the chain.
    private var links: [Link] = []
    private var free: [Int] = []
    private var index: [SourceKey: Int] = [:]
    private var perUser: [UInt32: Int] = [:]
    private var perConnection: [UInt64: Set<Int>] = [:]
    private var oldest = -1
    private var newest = -1

    var count: Int { index.count }

    /// When the oldest source was heard last; nil where there is none.
    var oldestInput: MonotonicInstant? { oldest < 0 ? nil : slots[oldest]?.lastInput }

    func slot(of key: SourceKey) -> Int? { index[key] }

    /// The slot of `key`, made where it is new and there is room within `bounds`, nil where there is none.
    mutating func touch(
        _ key: SourceKey, user: UInt32, at now: MonotonicInstant, _ bounds: EngineBounds
    ) -> (slot: Int, isNew: Bool)? {
        if let slot = index[key] {
            if slot != newest {
                unlink(slot)
                linkNewest(slot)
            }
            slots[slot]!.lastInput = now
            return (slot, false)
        }
        guard count < bounds.sources, perUser[user, default: 0] < bounds.sourcesPerUser else { return nil }
        let source = Source(key: key, user: user, lastInput: now)
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot] = source
        } else {
            slot = slots.count
            slots.append(source)
            links.append(Link())
        }
        index[key] = slot
        perUser[user, default: 0] += 1
        if case .connection(let connection) = key.owner { perConnection[connection, default: []].insert(slot) }
        linkNewest(slot)
        return (slot, true)
    }

    /// The source in a slot that `touch` or `slot(of:)` has returned.
    mutating func withSource<R>(_ slot: Int, _ body: (inout Source) -> R) -> R { body(&slots[slot]!) }

    mutating func forgetSources(heardBefore limit: MonotonicInstant) {
        while oldest >= 0, slots[oldest]!.lastInput <= limit { remove(oldest) }
    }

    mutating func forgetSources(ofConnection connection: UInt64) {
        for slot in perConnection[connection] ?? [] { remove(slot) }
    }

    mutating func updateAll(_ body: (inout Source) -> Void) {
        for slot in slots.indices where slots[slot] != nil { body(&slots[slot]!) }
    }

    private mutating func remove(_ slot: Int) {
        unlink(slot)
        let source = slots[slot]!
        slots[slot] = nil
        free.append(slot)
        index[source.key] = nil
        let left = perUser[source.user]! - 1
        perUser[source.user] = left > 0 ? left : nil
        if case .connection(let connection) = source.key.owner {
            perConnection[connection]?.remove(slot)
            if perConnection[connection]?.isEmpty == true { perConnection[connection] = nil }
        }
    }

    private mutating func unlink(_ slot: Int) {
        let link = links[slot]
        if link.older >= 0 { links[Int(link.older)].newer = link.newer } else { oldest = Int(link.newer) }
        if link.newer >= 0 { links[Int(link.newer)].older = link.older } else { newest = Int(link.older) }
    }

    private mutating func linkNewest(_ slot: Int) {
        links[slot] = Link(older: Int32(newest))
        if newest >= 0 { links[newest].newer = Int32(slot) } else { oldest = slot }
        newest = slot
    }
}
