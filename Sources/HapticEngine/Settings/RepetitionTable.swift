// SPDX-License-Identifier: MIT
import HapticCore

/// An event as far as it is the same when it comes again.
struct RepeatedEvent: Equatable {
    let owner: Owner
    let name: Text
    /// Nil: it has none.
    let id: Text?

    /// Nil: it is no event.
    init?(_ candidate: Candidate) {
        guard let source = candidate.source, let name = source.eventName else { return nil }
        owner = candidate.client.owner
        self.name = name
        if case .owner = source.identity { id = source.id } else { id = nil }
    }
}

/// The last events, and when each was last there.
///
/// At the limit the oldest event of the same owner and name is dropped. So a program with a new id for each event loses its own events,
/// not the call that comes twice.
struct RepetitionTable {
    static let mostOfUser = 256
    static let mostEvents = 512

    /// Oldest first.
    private var entries: [(event: RepeatedEvent, at: MonotonicInstant)] = []

    /// What it costs to look for an event.
    var cost: Int { entries.count * WorkBudget.Cost.notedEvent }

    /// Whether `event` was there within `QuietHours.repetitionWindow`; from now on it was.
    mutating func note(_ event: RepeatedEvent, at now: MonotonicInstant) -> Bool {
        forget(at: now)
        let known = entries.firstIndex { $0.event == event }
        if let leaving = known ?? oneToForget(for: event) { entries.remove(at: leaving) }
        entries.append((event, now))
        return known != nil
    }

    /// Nil: there is room.
    private func oneToForget(for event: RepeatedEvent) -> Int? {
        let user = event.owner.user
        let ofUser = entries.reduce(0) { $0 + ($1.event.owner.user == user ? 1 : 0) }
        guard ofUser >= Self.mostOfUser || entries.count >= Self.mostEvents else { return nil }
        let sameName = entries.firstIndex { $0.event.owner == event.owner && $0.event.name == event.name }
        if let sameName { return sameName }
        return ofUser >= Self.mostOfUser ? entries.firstIndex { $0.event.owner.user == user } : 0
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
