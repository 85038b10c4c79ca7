// SPDX-License-Identifier: MIT
import HapticCore

/// Who an input is about.
struct SourceKey: Hashable, Sendable {
    enum Identity: Hashable, Sendable {
        /// Explicit identity: the peer's user, or its scope; outlives connections.
        case owner(Owner)
        /// Structural identity: the connection; dies with it.
        case connection(UInt64)
    }

    let identity: Identity
    /// Empty where the connection is the source.
    let id: Text
    /// The name of the event whose value is kept; nil for progress.
    let eventName: Text?

    init(client: ClientIdentity, id: String?, eventName: String? = nil) {
        identity = id == nil ? .connection(client.connection) : .owner(client.owner)
        self.id = Text(id ?? "")
        self.eventName = eventName.map { Text($0) }
    }

    /// Fewer and simpler parts than the compiler would make of it: this is a good share of what an input costs.
    func hash(into hasher: inout Hasher) {
        switch identity {
        case .owner(let owner): hasher.combine(UInt64(owner.scope ?? 0) << 32 | UInt64(owner.user))
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
    /// The connection that was the first to name it.
    let maker: UInt64
    var gate = GateState()
    /// Of a value that is followed.
    var detents = DetentState()
    /// The progress rule for it, found once; nil where none matches.
    var rule: Int?
    /// The generation of the rules in which it was found; 0: it has not been looked for.
    var ruleGeneration: UInt64 = 0
    /// The event's last value.
    var value = Scalar.null
    fileprivate(set) var lastInput: MonotonicInstant
}

/// All sources, bounded, forgotten a fixed time after their last input.
///
/// Slots of an array, found by key, and chained by age: an input costs the same with one source as with all of them.
struct SourceTable {
    private var slots: [Source?] = []
    /// An input moves its source to the end of it.
    private var chain = AgeChain()
    private var free: [Int] = []
    private var index: [SourceKey: Int] = [:]
    private var perUser: [UInt32: Int] = [:]
    /// How many there are of each connection's making, also of one that has gone.
    private var perMaker: [UInt64: Int] = [:]
    private var perConnection: [UInt64: Set<Int>] = [:]

    var count: Int { index.count }

    /// When the oldest source was heard last; nil where there is none.
    var oldestInput: MonotonicInstant? { chain.oldest < 0 ? nil : slots[chain.oldest]?.lastInput }

    func slot(of key: SourceKey) -> Int? { index[key] }

    /// What came of `touch`.
    enum Touch {
        case known(slot: Int)
        case new(slot: Int)
        /// There is no room for another one.
        case refused(Bound)
    }

    /// The slot of `key`, of which `client` speaks; made where it is new and there is room within `bounds`.
    mutating func touch(
        _ key: SourceKey, by client: ClientIdentity, at now: MonotonicInstant, _ bounds: EngineBounds
    ) -> Touch {
        if let slot = index[key] {
            chain.makeNewest(slot)
            // trap: the index names taken slots only.
            slots[slot]!.lastInput = now
            return .known(slot: slot)
        }
        if let bound = reached(bounds, by: client) { return .refused(bound) }
        let source = Source(key: key, user: client.user, maker: client.connection, lastInput: now)
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot] = source
        } else {
            slot = slots.count
            slots.append(source)
        }
        index[key] = slot
        perUser[client.user, default: 0] += 1
        perMaker[client.connection, default: 0] += 1
        if case .connection(let connection) = key.identity { perConnection[connection, default: []].insert(slot) }
        chain.add(slot)
        return .new(slot: slot)
    }

    /// The bound that leaves `client` no room for another source.
    private func reached(_ bounds: EngineBounds, by client: ClientIdentity) -> Bound? {
        if count >= bounds.sources { return .sources }
        let isByConnection = Canary.is("sources-per-user-by-connection")
        let ofUser = isByConnection ? perMaker[client.connection, default: 0] : perUser[client.user, default: 0]
        if ofUser >= bounds.sourcesPerUser { return .sourcesPerUser }
        if let most = bounds.sourcesPerClient, perMaker[client.connection, default: 0] >= most { return .sourcesPerClient }
        return nil
    }

    /// The source in a slot that `touch` or `slot(of:)` has returned.
    // trap: slots that `touch` and `slot(of:)` return are taken.
    mutating func withSource<R>(_ slot: Int, _ body: (inout Source) -> R) -> R { body(&slots[slot]!) }

    mutating func forgetSources(heardBefore limit: MonotonicInstant) {
        // trap: the chain runs through taken slots only.
        while chain.oldest >= 0, slots[chain.oldest]!.lastInput <= limit { remove(chain.oldest) }
    }

    /// Makes every source older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) {
        // By index: an iterator would hold the array, and each change copy it.
        for slot in slots.indices {
            if let lastInput = slots[slot]?.lastInput { slots[slot]?.lastInput = lastInput - time }
        }
    }

    mutating func forgetSources(ofConnection connection: UInt64) {
        for slot in perConnection[connection] ?? [] { remove(slot) }
    }

    private mutating func remove(_ slot: Int) {
        chain.remove(slot)
        // trap: index and chain name taken slots only.
        let source = slots[slot]!
        slots[slot] = nil
        free.append(slot)
        index[source.key] = nil
        Self.takeOne(from: &perUser[source.user])
        Self.takeOne(from: &perMaker[source.maker])
        if case .connection(let connection) = source.key.identity {
            perConnection[connection]?.remove(slot)
            if perConnection[connection]?.isEmpty == true { perConnection[connection] = nil }
        }
    }

    private static func takeOne(from count: inout Int?) {
        // trap: each source was counted when it came.
        let left = count! - 1
        count = left > 0 ? left : nil
    }
}
