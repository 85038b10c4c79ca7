// SPDX-License-Identifier: MIT
import HapticCore

/// The sets of things that exist now, and those that are being said. Bounded by their things.
struct ThingTable {
    /// A set is forgotten this long after its last input: a cart waits for its customer.
    static let timeout = Nanoseconds.seconds(3600)
    /// What ids and names of a user, or of all, may have in bytes for each thing that they may have: 8 MB for 100,000.
    static let bytesPerThing = 80
    /// A set with fewer things counts as so many: it has a name and a place, too.
    static let leastOfSet = 4
    /// How many sets that are too old one input forgets. No input makes more than one, so none of them stays for long.
    static let mostForgotten = 256

    struct Key: Hashable, Sendable {
        let owner: Owner
        let name: Text
        /// It has the one thing that the events of this name are about.
        var isOfEvents = false
    }

    /// Why a set is refused.
    struct Refused: Hashable {
        var reason = Reason.quota
        /// Nil: the line would cost too much, or it was refused before it came here.
        var bound: Bound?
    }

    private struct Settled {
        let key: Key
        var things: ThingSet
        var lastInput: MonotonicInstant
        /// Another number for each set that has been settled.
        var generation: UInt64
    }

    private struct Growing {
        let key: Key
        var things = ThingSet()
        /// How many of them the settled set has, too, for as long as that is of `generation`.
        var kept = 0
        var generation: UInt64 = 0
        /// What is still to come of it is refused, too. It has nothing.
        var refusal: Refused?
    }

    private struct Usage {
        var things = 0
        var bytes = 0

        mutating func add(_ set: ThingSet, _ key: Key) {
            guard set.count > 0 else { return }
            things += max(set.count, ThingTable.leastOfSet)
            bytes += set.bytes + key.name.utf8.count
        }

        mutating func remove(_ set: ThingSet, _ key: Key) {
            guard set.count > 0 else { return }
            things -= max(set.count, ThingTable.leastOfSet)
            bytes -= set.bytes + key.name.utf8.count
        }

        func isAbove(_ most: Int) -> Bool { things > most || bytes > most * ThingTable.bytesPerThing }
    }

    private var slots: [Settled?] = []
    private var free: [Int] = []
    private var index: [Key: Int] = [:]
    private var chain = AgeChain()
    /// By connection.
    private var growing: [UInt64: Growing] = [:]
    /// Of what is settled and what grows, by user.
    private var usage: [UInt32: Usage] = [:]
    private var total = Usage()
    private var lastGeneration: UInt64 = 0

    /// Those that are settled.
    var count: Int { index.count }

    /// What came of a part of a set.
    enum Taken: Hashable {
        /// The set goes on.
        case incomplete
        /// It stays as it was.
        case refused(Refused)
        /// `areShifted`: all ids are positions, probably, and one further than before.
        case settled(Decision.ThingCounts, areShifted: Bool)
    }

    /// Takes `ids` as the whole set, or as a part of the set if `continues`. `work`: the rest of the budget of the line.
    mutating func take(
        _ ids: [Text], of key: Key, continues: Bool, work: inout WorkBudget, connection: UInt64, at now: MonotonicInstant,
        _ bounds: EngineBounds
    ) -> Taken {
        forgetOld(by: now, and: key)
        var part = takeGrowing(of: key, connection)
        let isAffordable = work.take(ids.count * WorkBudget.Cost.thing)
        if part.refusal == nil { part.refusal = isAffordable ? add(ids, to: &part, bounds) : Refused() }
        if let refusal = part.refusal {
            if continues { growing[connection] = Growing(key: key, refusal: refusal) }
            return .refused(refusal)
        }
        guard !continues else {
            growing[connection] = part
            charge(part.things, part.key)
            return .incomplete
        }
        guard let kept = kept(of: part, &work) else { return .refused(Refused()) }
        return settle(part, kept: kept, at: now)
    }

    /// Has `id` take the place of the one thing that there was; nil: there is none any more.
    mutating func replace(with id: Text?, of key: Key, at now: MonotonicInstant, _ bounds: EngineBounds) -> Taken {
        forgetOld(by: now, and: key)
        var part = Growing(key: key, generation: generation(of: key))
        if let id, let refusal = add([id], to: &part, bounds) { return .refused(refusal) }
        return settle(part, kept: part.kept, at: now)
    }

    /// A part of the set was refused for what it would cost to look at it: so is what is still to come of the set.
    mutating func refuse(_ key: Key, continues: Bool, connection: UInt64) {
        let refusal = takeGrowing(of: key, connection).refusal ?? Refused()
        if continues { growing[connection] = Growing(key: key, refusal: refusal) }
    }

    /// A part of a set did not come here.
    mutating func miss(_ gap: PresentGap, of owner: Owner, connection: UInt64) {
        let begun = takeGrowing(connection)
        let key = gap.name.map { Key(owner: owner, name: Text($0)) } ?? begun?.key
        // Where nobody knows whether the set went on: as if it did, if it had begun.
        guard let key, gap.continues ?? (begun?.key == key) else { return }
        let refusal = begun?.key == key ? begun?.refusal : nil
        growing[connection] = Growing(key: key, refusal: refusal ?? Refused(reason: gap.reason))
    }

    mutating func forgetParts(ofConnection connection: UInt64) { _ = takeGrowing(connection) }

    /// Makes every set older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) {
        // By index: an iterator would hold the array, and each change copy it.
        for slot in slots.indices {
            if let lastInput = slots[slot]?.lastInput { slots[slot]?.lastInput = lastInput - time }
        }
    }

    // MARK: Inside

    /// What there is of a set that `connection` has begun to say; what it has begun of another one is dropped.
    private mutating func takeGrowing(of key: Key, _ connection: UInt64) -> Growing {
        if let part = takeGrowing(connection), part.key == key { return part }
        return Growing(key: key, generation: generation(of: key))
    }

    private mutating func takeGrowing(_ connection: UInt64) -> Growing? {
        guard let part = growing.removeValue(forKey: connection) else { return nil }
        release(part.things, part.key)
        return part
    }

    /// 0: there is no such set.
    private func generation(of key: Key) -> UInt64 { index[key].flatMap { slots[$0]?.generation } ?? 0 }

    /// Why there is no room for it.
    private mutating func add(_ ids: [Text], to part: inout Growing, _ bounds: EngineBounds) -> Refused? {
        let old = index[part.key].flatMap { slots[$0] }
        // Where another connection has said the same set in between, they are counted when it is settled.
        let counts = old != nil && old?.generation == part.generation
        part.kept += part.things.insert(ids, countingThoseIn: counts ? old?.things : nil)
        return excess(of: part, in: old, bounds).map { Refused(bound: $0) }
    }

    /// The bound that leaves no room for `part` in place of its settled set.
    private func excess(of part: Growing, in old: Settled?, _ bounds: EngineBounds) -> Bound? {
        var (ofUser, all) = (usage[part.key.owner.user] ?? Usage(), total)
        if let old {
            ofUser.remove(old.things, old.key)
            all.remove(old.things, old.key)
        }
        ofUser.add(part.things, part.key)
        all.add(part.things, part.key)
        if ofUser.isAbove(bounds.thingsPerUser) { return .thingsPerUser }
        return all.isAbove(bounds.things) ? .things : nil
    }

    /// The number of its things in the settled set; `nil` if the line cannot pay for a comparison. All things are compared only if another
    /// connection has replaced the settled set meanwhile: a set that is sent again is compared part by part.
    private func kept(of part: Growing, _ work: inout WorkBudget) -> Int? {
        guard let old = index[part.key].flatMap({ slots[$0] }) else { return 0 }
        if old.generation == part.generation { return part.kept }
        guard work.take(min(part.things.count, old.things.count) * WorkBudget.Cost.thing) else { return nil }
        return part.things.common(with: old.things)
    }

    private mutating func settle(_ part: Growing, kept: Int, at now: MonotonicInstant) -> Taken {
        let old = index[part.key].flatMap { slots[$0] }
        let counts = Decision.ThingCounts(
            inserted: part.things.count - kept, removed: (old?.things.count ?? 0) - kept, kept: kept)
        let areShifted = old.map { part.things.positions.isShifted(from: $0.things.positions) } ?? false
        forget(part.key)
        if part.things.count > 0 {
            lastGeneration += 1
            keep(Settled(key: part.key, things: part.things, lastInput: now, generation: lastGeneration))
        }
        return .settled(counts, areShifted: areShifted)
    }

    private mutating func keep(_ set: Settled) {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot] = set
        } else {
            slot = slots.count
            slots.append(set)
        }
        index[set.key] = slot
        chain.add(slot)
        charge(set.things, set.key)
    }

    private mutating func forget(_ key: Key) {
        guard let slot = index.removeValue(forKey: key), let old = slots[slot] else { return }
        slots[slot] = nil
        free.append(slot)
        chain.remove(slot)
        release(old.things, key)
    }

    /// `key`: of the set that matters now, which may be one of many.
    private mutating func forgetOld(by now: MonotonicInstant, and key: Key) {
        func oldKey(_ slot: Int?) -> Key? {
            guard let slot, slot >= 0, let set = slots[slot], set.lastInput + Self.timeout <= now else { return nil }
            return set.key
        }
        for _ in 0..<Self.mostForgotten {
            guard let old = oldKey(chain.oldest) else { return }
            forget(old)
        }
        if let old = oldKey(index[key]) { forget(old) }
    }

    private mutating func charge(_ set: ThingSet, _ key: Key) {
        usage[key.owner.user, default: Usage()].add(set, key)
        total.add(set, key)
    }

    private mutating func release(_ set: ThingSet, _ key: Key) {
        total.remove(set, key)
        let user = key.owner.user
        usage[user]?.remove(set, key)
        if usage[user]?.things == 0 { usage[user] = nil }
    }
}
