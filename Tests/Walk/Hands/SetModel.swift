// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What a set of things comes to, by sets of texts.
struct SetModel {
    /// The walk has rules for these.
    static let prefix = "cart."
    static let timeout: Int64 = 3_600_000_000_000
    static let bytesPerThing = 80
    static let leastOfSet = 4

    private struct Key: Hashable {
        let user: UInt32
        let name: String
    }

    private struct Part {
        let key: Key
        var ids: Set<String> = []
        var isRefused = false
        /// It is refused for what did not come.
        var missing: Reason?
    }

    enum Outcome: Equatable {
        case noRule, incomplete, tooMuch
        case partMissing(Reason)
        case settled(inserted: Int, removed: Int, kept: Int)
    }

    private var sets: [Key: (ids: Set<String>, heard: Int64)] = [:]
    private var parts: [UInt64: Part] = [:]

    mutating func take(_ present: PresentInput, _ client: ClientIdentity, at now: Int64) -> Outcome {
        if let gap = present.gap { miss(gap, client) }
        guard present.name.hasPrefix(Self.prefix) else { return .noRule }
        let key = Key(user: client.user, name: present.name)
        sets = sets.filter { $0.value.heard + Self.timeout > now }
        var part = parts.removeValue(forKey: client.connection) ?? Part(key: key)
        if part.key != key { part = Part(key: key) }
        if !part.isRefused {
            part.ids.formUnion(present.ids.map(\.string))
            part.isRefused = isTooMuch(part)
        }
        if part.isRefused { part.ids = [] }
        if present.continues {
            parts[client.connection] = part
            return refusal(of: part) ?? .incomplete
        }
        if let refusal = refusal(of: part) { return refusal }
        let old = sets[key]?.ids ?? []
        sets[key] = part.ids.isEmpty ? nil : (part.ids, now)
        return .settled(
            inserted: part.ids.subtracting(old).count, removed: old.subtracting(part.ids).count,
            kept: old.intersection(part.ids).count)
    }

    /// What a client has said of a set in between did not come.
    private mutating func miss(_ gap: PresentGap, _ client: ClientIdentity) {
        let begun = parts.removeValue(forKey: client.connection)
        let key = gap.name.map { Key(user: client.user, name: $0) } ?? begun?.key
        guard let key, gap.continues ?? (begun?.key == key) else { return }
        if let begun, begun.isRefused, begun.key == key {
            parts[client.connection] = begun
        } else {
            parts[client.connection] = Part(key: key, isRefused: true, missing: gap.reason)
        }
    }

    private func refusal(of part: Part) -> Outcome? {
        guard part.isRefused else { return nil }
        return part.missing.map { .partMissing($0) } ?? .tooMuch
    }

    private func isTooMuch(_ part: Part) -> Bool {
        let others = sets.filter { $0.key != part.key }.map { ($0.key, $0.value.ids) } + parts.values.map { ($0.key, $0.ids) }
        let all = (others + [(part.key, part.ids)]).filter { !$0.1.isEmpty }
        func isTooMuch(_ all: [(Key, Set<String>)], _ most: Int) -> Bool {
            let bytes = all.map { key, ids in key.name.utf8.count + ids.reduce(0) { $0 + $1.utf8.count } }
            return all.reduce(0) { $0 + max($1.1.count, Self.leastOfSet) } > most
                || bytes.reduce(0, +) > most * Self.bytesPerThing
        }
        return isTooMuch(all.filter { $0.0.user == part.key.user }, Board.bounds.thingsPerUser)
            || isTooMuch(all, Board.bounds.things)
    }

    /// Whether it had begun to say a set.
    mutating func connectionClosed(_ connection: UInt64) -> Bool { parts.removeValue(forKey: connection) != nil }

    mutating func slept(_ time: Int64) { for key in sets.keys { sets[key]!.heard -= time } }
}

extension Board {
    /// What has to be felt of a set that has changed: a step of 60 ms for each thing, or of the time that one takes, as far as they fit into
    /// a second. `replacement`: what its transaction wants felt in the place of the rule's patterns.
    func request(of counts: Decision.ThingCounts, replacement: String?) -> Request? {
        let pattern: String
        switch (counts.inserted > 0, counts.removed > 0) {
        case (true, false): pattern = replacement ?? Self.inserted
        case (false, true): pattern = replacement ?? Self.removed
        case (true, true): pattern = replacement ?? Self.both
        case (false, false): return nil
        }
        var request = Request(pattern: pattern)
        let count = max(counts.inserted, counts.removed)
        guard count > 1, let shape = shapes[pattern] else { return request }
        let interval = max(60_000_000, shape.length, shape.felt + shape.felt / 2)
        let most = 1 + (1_000_000_000 - shape.length) / interval
        if most > 1 { request.train = .init(steps: min(count, Int(most)), length: interval, isCharge: false, isRhythm: true) }
        return request
    }

    /// Of things that come, go, and both.
    static let (inserted, removed, both) = ("soft", "faint", "light")
}
