// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// The replies that come later, and what each of them waits for.
struct PendingReplies {
    /// A `play` that is answered when it has ended.
    struct Wait {
        var ticket: Ticket
        var result: PlayResult
    }

    /// No more than there are playbacks: each waits for one of its own.
    private(set) var waits: [PlaybackID: Wait] = [:]
    /// Requests that wait for patterns to be made ready, and how many may.
    private var preparations: [Ticket: Preparation] = [:]
    static let mostPreparations = 64
    /// Requests that wait for every output to be off, and how many may.
    private var offWaits: [Ticket: CancelResult] = [:]
    static let mostOffWaits = 8
    var reload = ReloadQueue()
    private var lastTicket: UInt64 = 0

    /// `connection`: nil for the daemon itself.
    mutating func ticket(for connection: UInt64?) -> Ticket {
        lastTicket += 1
        return Ticket(connection: connection, number: lastTicket)
    }

    mutating func wait(for playback: PlaybackID, _ result: PlayResult, of connection: UInt64) -> Ticket {
        let ticket = ticket(for: connection)
        waits[playback] = Wait(ticket: ticket, result: result)
        return ticket
    }

    /// The reply that waits for this ending, if any.
    mutating func ended(_ end: PlaybackEnd) -> Output? {
        guard var wait = waits.removeValue(forKey: end.playback) else { return nil }
        wait.result.ending = EndingResult(end)
        return .reply(.result(wait.result), wait.ticket)
    }

    /// Nil where too many wait already.
    mutating func wait(for preparation: Preparation, of connection: UInt64) -> Ticket? {
        guard preparations.count < Self.mostPreparations else { return nil }
        let ticket = ticket(for: connection)
        preparations[ticket] = preparation
        return ticket
    }

    /// The reply that waits for the devices; `answers` as for `Preparation.result`.
    mutating func prepared(_ ticket: Ticket, _ answers: [[Bool]?]) -> Output? {
        preparations.removeValue(forKey: ticket).map { .reply(.result($0.result(answers)), ticket) }
    }

    /// Nil where too many wait already.
    mutating func wait(forOff result: CancelResult, of connection: UInt64) -> Ticket? {
        guard offWaits.count < Self.mostOffWaits else { return nil }
        let ticket = ticket(for: connection)
        offWaits[ticket] = result
        return ticket
    }

    /// The reply that waits for every output to be off. `isOff`: whether all of them are.
    mutating func offAwaited(_ ticket: Ticket, isOff: Bool) -> Output? {
        guard let result = offWaits.removeValue(forKey: ticket) else { return nil }
        let error = WireError(
            .internalError,
            "everything is cancelled, but a device has not shown that it is off; `hapticctl actuators` names one that hangs")
        return .reply(isOff ? .result(result) : .error(error), ticket)
    }

    /// Its connection is closed. What devices are still asked for is kept: they have not answered.
    mutating func forget(_ connection: UInt64) { waits = waits.filter { $0.value.ticket.connection != connection } }
}

/// A `prepare` that waits for the devices.
struct Preparation {
    var patterns: [String]
    var actuators: [String]

    /// `answers`: for each actuator, whether each pattern is ready; nil where it hung or went while it was asked.
    func result(_ answers: [[Bool]?]) -> PrepareResult {
        let there = zip(actuators, answers).compactMap { name, answer in answer.map { (name, $0) } }
        let ready = patterns.indices.filter { index in there.allSatisfy { $0.1[index] } }.map { patterns[$0] }
        return PrepareResult(patterns: there.isEmpty ? [] : ready, actuators: there.map(\.0), readyForMs: nil)
    }
}

/// Those who asked for a reload. One runs at a time; who asks while it runs gets one of their own, together with all others who
/// do.
struct ReloadQueue {
    /// Who may wait at one time.
    static let limit = 256

    /// Those whom the one that runs is for; nil where none runs. One who wants no reply has no ticket.
    private var running: [Ticket?]?
    private var waiting: [Ticket?] = []

    var isFull: Bool { waiting.count >= Self.limit }

    mutating func add(_ ticket: Ticket?) { waiting.append(ticket) }

    /// Whether another run is to begin: one is asked for, and none is running.
    mutating func begin() -> Bool {
        guard running == nil, !waiting.isEmpty else { return false }
        running = waiting
        waiting = []
        return true
    }

    /// Those whom it was for.
    mutating func end() -> [Ticket?] {
        defer { running = nil }
        return running ?? []
    }
}
