// SPDX-License-Identifier: MIT
internal import HapticCore

/// Keeps what may happen with every actuation from filling the log: each kind is logged once in `quiet`, with how often it happened.
struct RepeatedWarning<Kind: Hashable> {
    static var quiet: Nanoseconds { .seconds(60) }

    private struct Entry {
        var logged: MonotonicInstant
        var unlogged: UInt64 = 0
    }

    /// As many as there are kinds.
    private var entries: [Kind: Entry] = [:]

    /// `kind` has happened `count` times more. Nil: not to be logged now; else how often it has happened since it was logged last.
    mutating func happened(_ kind: Kind, times count: UInt64 = 1, at now: MonotonicInstant) -> UInt64? {
        guard let entry = entries[kind] else {
            entries[kind] = Entry(logged: now)
            return count
        }
        guard now - entry.logged >= Self.quiet else {
            entries[kind]?.unlogged += count
            return nil
        }
        entries[kind] = Entry(logged: now)
        return entry.unlogged + count
    }

    /// When something that was not logged is to be logged; nil where there is nothing.
    var deadline: MonotonicInstant? {
        entries.values.lazy.filter { $0.unlogged > 0 }.map { $0.logged + Self.quiet }.min()
    }

    /// What is to be logged by `now`, and how often it has happened since it was logged last.
    mutating func due(at now: MonotonicInstant) -> [(kind: Kind, count: UInt64)] {
        let due = entries.filter { $0.value.unlogged > 0 && now - $0.value.logged >= Self.quiet }
        for kind in due.keys { entries[kind] = Entry(logged: now) }
        return due.map { ($0.key, $0.value.unlogged) }
    }

    /// Begins again. Returns the kinds that were counted and not logged, with their counts.
    mutating func end() -> [(kind: Kind, count: UInt64)] {
        defer { entries = [:] }
        return entries.filter { $0.value.unlogged > 0 }.map { ($0.key, $0.value.unlogged) }
    }
}
