// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What a set of things comes to, by sets of texts.
struct SetModel {
    /// The walk has rules for these.
    static let prefix = "cart."
    static let timeout: Int64 = 3_600_000_000_000
    static let bytesPerID = 80

    private struct Key: Hashable {
        let user: UInt32
        let name: String
    }

    private struct Part {
        let key: Key
        var ids: Set<String> = []
        var isRefused = false
    }

    enum Outcome: Equatable {
        case noRule, incomplete, refused
        case settled(inserted: Int, removed: Int, kept: Int)
    }

    private var sets: [Key: (ids: Set<String>, heard: Int64)] = [:]
    private var parts: [UInt64: Part] = [:]

    mutating func take(_ present: PresentInput, _ client: ClientIdentity, at now: Int64) -> Outcome {
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
            return part.isRefused ? .refused : .incomplete
        }
        if part.isRefused { return .refused }
        let old = sets[key]?.ids ?? []
        sets[key] = part.ids.isEmpty ? nil : (part.ids, now)
        return .settled(
            inserted: part.ids.subtracting(old).count, removed: old.subtracting(part.ids).count,
            kept: old.intersection(part.ids).count)
    }

    private func isTooMuch(_ part: Part) -> Bool {
        let others =
            sets.filter { $0.key != part.key }.map { ($0.key.user, $0.value.ids) } + parts.values.map { ($0.key.user, $0.ids) }
        func isTooMuch(_ all: [Set<String>], _ most: Int) -> Bool {
            all.reduce(0) { $0 + $1.count } > most || all.joined().reduce(0) { $0 + $1.utf8.count } > most * Self.bytesPerID
        }
        return isTooMuch(others.filter { $0.0 == part.key.user }.map(\.1) + [part.ids], Board.bounds.thingsPerUser)
            || isTooMuch(others.map(\.1) + [part.ids], Board.bounds.things)
    }

    /// Whether it had begun to say a set.
    mutating func connectionClosed(_ connection: UInt64) -> Bool { parts.removeValue(forKey: connection) != nil }

    mutating func slept(_ time: Int64) { for key in sets.keys { sets[key]!.heard -= time } }
}

extension Board {
    /// What has to be felt of a set that has changed: a step of 60 ms for each thing, as far as they fit into a second.
    func request(of counts: Decision.ThingCounts) -> Request? {
        let pattern: String
        switch (counts.inserted > 0, counts.removed > 0) {
        case (true, false): pattern = Self.inserted
        case (false, true): pattern = Self.removed
        case (true, true): pattern = Self.both
        case (false, false): return nil
        }
        var request = Request(pattern: pattern)
        let (count, interval): (Int, Int64) = (max(counts.inserted, counts.removed), 60_000_000)
        let most = 1 + Int((1_000_000_000 - shapes[pattern]!.length) / interval)
        if count > 1 { request.train = .init(steps: min(count, most), length: interval, isCharge: false, isRhythm: true) }
        return request
    }

    /// Of things that come, go, and both.
    static let (inserted, removed, both) = ("soft", "faint", "light")
}
