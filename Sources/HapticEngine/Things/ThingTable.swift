// SPDX-License-Identifier: MIT
import HapticCore

/// The sets of things that exist now, and those that are being said. Bounded by their ids.
struct ThingTable {
    /// A set is forgotten this long after its last input: a cart waits for its customer.
    static let timeout = Nanoseconds.seconds(3600)
    /// What the ids of a user, or of all, may have in bytes for each that they may be: 8 MB for 100,000.
    static let bytesPerID = 80

    struct Key: Hashable, Sendable {
        let user: UInt32
        let name: Text
    }

    private struct Settled {
        var things: ThingSet
        var lastInput: MonotonicInstant
        /// Another number for each set that has been settled.
        var generation: UInt64
    }

    private struct Growing {
        let key: Key
        var things = ThingSet()
        /// How many of them the settled set of this generation has, too.
        var kept = 0
        var generation: UInt64
        /// It was too much; what is still to come of it is, too.
        var refusal: Bound?
    }

    private struct Usage {
        var ids = 0
        var bytes = 0

        mutating func add(_ things: ThingSet) { (ids, bytes) = (ids + things.count, bytes + things.bytes) }
        mutating func remove(_ things: ThingSet) { (ids, bytes) = (ids - things.count, bytes - things.bytes) }
        func isAbove(_ most: Int) -> Bool { ids > most || bytes > most * ThingTable.bytesPerID }
    }

    private var settled: [Key: Settled] = [:]
    /// By connection.
    private var growing: [UInt64: Growing] = [:]
    /// Of what is settled and what grows, by user.
    private var usage: [UInt32: Usage] = [:]
    private var total = Usage()
    private var lastGeneration: UInt64 = 0

    /// What came of a part of a set.
    enum Taken: Hashable {
        /// The set goes on.
        case incomplete
        /// There is no room for it; it stays as it was. Nil: it costs more than the line may.
        case refused(Bound?)
        /// `areShifted`: all ids are positions, probably, and one further than before.
        case settled(Decision.ThingCounts, areShifted: Bool)
    }

    /// Takes `ids` as all that there is of the set, or as a part of it where it `continues`. `isAffordable`: the line may cost that.
    mutating func take(
        _ ids: [Text], of key: Key, continues: Bool, isAffordable: Bool, connection: UInt64, at now: MonotonicInstant,
        _ bounds: EngineBounds
    ) -> Taken {
        if let old = settled[key], old.lastInput + Self.timeout <= now { forget(key) }
        var part = takeGrowing(of: key, connection)
        if part.refusal == nil, !isAffordable {
            if continues { growing[connection] = Growing(key: key, generation: 0, refusal: .thingsPerUser) }
            return .refused(nil)
        }
        if part.refusal == nil {
            add(ids, to: &part)
            part.refusal = reached(by: part, at: now, bounds)
        }
        if let refusal = part.refusal {
            if continues { growing[connection] = Growing(key: key, generation: 0, refusal: refusal) }
            return .refused(refusal)
        }
        guard !continues else {
            keep(part, connection)
            return .incomplete
        }
        return settle(part, at: now)
    }

    mutating func forgetParts(ofConnection connection: UInt64) {
        if let part = growing.removeValue(forKey: connection) { release(part.things, of: part.key.user) }
    }

    /// Makes every set older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) {
        for key in settled.keys { if let heard = settled[key]?.lastInput { settled[key]?.lastInput = heard - time } }
    }

    // MARK: Inside

    /// What there is of a set that `connection` has begun to say; what it has begun of another one is dropped.
    private mutating func takeGrowing(of key: Key, _ connection: UInt64) -> Growing {
        if let part = growing.removeValue(forKey: connection) {
            release(part.things, of: part.key.user)
            if part.key == key { return part }
        }
        return Growing(key: key, generation: settled[key]?.generation ?? 0)
    }

    private mutating func add(_ ids: [Text], to part: inout Growing) {
        let old = settled[part.key]
        if part.generation != old?.generation ?? 0 {
            // Another connection has said the same set in between.
            part.generation = old?.generation ?? 0
            part.kept = old.map { old in part.things.ids.count { old.things.contains($0) } } ?? 0
        }
        for id in ids where part.things.insert(id) {
            if let old, old.things.contains(id) { part.kept += 1 }
        }
    }

    /// The bound that leaves no room for `part` in place of its settled set.
    private mutating func reached(by part: Growing, at now: MonotonicInstant, _ bounds: EngineBounds) -> Bound? {
        guard excess(of: part, bounds) != nil else { return nil }
        // Only now it matters what nobody has spoken of for long.
        for (key, old) in settled where old.lastInput + Self.timeout <= now { forget(key) }
        return excess(of: part, bounds)
    }

    private func excess(of part: Growing, _ bounds: EngineBounds) -> Bound? {
        var (ofUser, all) = (usage[part.key.user] ?? Usage(), total)
        if let old = settled[part.key] {
            ofUser.remove(old.things)
            all.remove(old.things)
        }
        ofUser.add(part.things)
        all.add(part.things)
        if ofUser.isAbove(bounds.thingsPerUser) { return .thingsPerUser }
        return all.isAbove(bounds.things) ? .things : nil
    }

    private mutating func keep(_ part: Growing, _ connection: UInt64) {
        growing[connection] = part
        usage[part.key.user, default: Usage()].add(part.things)
        total.add(part.things)
    }

    private mutating func settle(_ part: Growing, at now: MonotonicInstant) -> Taken {
        let old = settled[part.key]
        let counts = Decision.ThingCounts(
            inserted: part.things.count - part.kept, removed: (old?.things.count ?? 0) - part.kept, kept: part.kept)
        let areShifted = old.map { part.things.positions.isShifted(from: $0.things.positions) } ?? false
        forget(part.key)
        if part.things.count > 0 {
            lastGeneration += 1
            settled[part.key] = Settled(things: part.things, lastInput: now, generation: lastGeneration)
            usage[part.key.user, default: Usage()].add(part.things)
            total.add(part.things)
        }
        return .settled(counts, areShifted: areShifted)
    }

    private mutating func forget(_ key: Key) {
        if let old = settled.removeValue(forKey: key) { release(old.things, of: key.user) }
    }

    private mutating func release(_ things: ThingSet, of user: UInt32) {
        total.remove(things)
        usage[user]?.remove(things)
        if usage[user]?.ids == 0 { usage[user] = nil }
    }
}
