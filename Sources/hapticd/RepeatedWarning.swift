// SPDX-License-Identifier: MIT
internal import HapticCore

/// Keeps what may happen with every actuation from filling the log: each kind is told once in `quiet`, with how often it was not told.
struct RepeatedWarning<Kind: Hashable> {
    static var quiet: Nanoseconds { .seconds(60) }

    private struct Entry {
        var told: MonotonicInstant
        var untold: UInt64 = 0
    }

    /// As many as there are kinds.
    private var entries: [Kind: Entry] = [:]

    /// `kind` has happened `count` times more. Nil: not to be told now; else how often it has happened since it was told last.
    mutating func happened(_ kind: Kind, times count: UInt64 = 1, at now: MonotonicInstant) -> UInt64? {
        guard let entry = entries[kind] else {
            entries[kind] = Entry(told: now)
            return count
        }
        guard now - entry.told >= Self.quiet else {
            entries[kind]?.untold += count
            return nil
        }
        entries[kind] = Entry(told: now)
        return entry.untold + count
    }

    /// When something that was not told is to be told; nil where there is nothing.
    var deadline: MonotonicInstant? {
        entries.values.lazy.filter { $0.untold > 0 }.map { $0.told + Self.quiet }.min()
    }

    /// What is to be told by `now`, and how often it has happened since it was told last.
    mutating func due(at now: MonotonicInstant) -> [(kind: Kind, count: UInt64)] {
        let due = entries.filter { $0.value.untold > 0 && now - $0.value.told >= Self.quiet }
        for kind in due.keys { entries[kind] = Entry(told: now) }
        return due.map { ($0.key, $0.value.untold) }
    }

    /// Begins again. Returns the kinds that were counted and not logged, with their counts.
    mutating func end() -> [(kind: Kind, count: UInt64)] {
        defer { entries = [:] }
        return entries.filter { $0.value.untold > 0 }.map { ($0.key, $0.value.untold) }
    }
}
