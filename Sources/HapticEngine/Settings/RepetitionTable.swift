// SPDX-License-Identifier: MIT
import HapticCore

/// An event as far as it is the same when it comes again.
struct RepeatedEvent: Equatable {
    let user: UInt32
    let name: Text
    /// Nil: it has none.
    let id: Text?

    /// Nil: it is no event.
    init?(_ candidate: Candidate) {
        guard let source = candidate.source, let name = source.eventName else { return nil }
        user = candidate.client.user
        self.name = name
        if case .user = source.owner { id = source.id } else { id = nil }
    }
}

/// The last events, and when each was last there.
struct RepetitionTable {
    /// Past these, the one that was not there for longest is forgotten.
    static let mostEvents = 256

    /// Oldest first.
    private var entries: [(event: RepeatedEvent, at: MonotonicInstant)] = []

    /// Whether `event` was there within `QuietHours.repetitionWindow`; from now on it was.
    mutating func note(_ event: RepeatedEvent, at now: MonotonicInstant) -> Bool {
        forget(at: now)
        let known = entries.firstIndex { $0.event == event }
        if let known { entries.remove(at: known) }
        if entries.count == Self.mostEvents { entries.removeFirst() }
        entries.append((event, now))
        return known != nil
    }

    /// Each was there that much earlier.
    mutating func age(by time: Nanoseconds, at now: MonotonicInstant) {
        for index in entries.indices { entries[index].at = entries[index].at - time }
        forget(at: now)
    }

    private mutating func forget(at now: MonotonicInstant) {
        entries.removeFirst(entries.prefix { now - $0.at > QuietHours.repetitionWindow }.count)
    }
}
