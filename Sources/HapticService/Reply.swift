// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticWire

/// What a request is answered with.
public enum Reply: Hashable, Sendable {
    case decision(DecisionResult)
    case play(PlayResult)
    /// The answer to a part before the last one.
    case playPart(PlayPartResult)
    case cancel(CancelResult)
    case transaction(TransactionResult)
    case settings(SettingsResult)
    case prepare(PrepareResult)
    case patterns(PatternsResult)
    /// One that was asked for by its name, or the rest of a long list.
    case pattern(PatternsResult)
    case actuators(ActuatorsResult)
    case subscribe(SubscribeResult)
    case status(StatusResult)
    case history(HistoryResult)
    case reload(ReloadResult)
    /// A description of the wire, which is for those to give who speak on it.
    case discover
    case error(WireError)
    /// It comes later, as an `Output` with this ticket.
    case later(Ticket)
    /// It is this, and is said once `Output.settled` with this ticket says so.
    indirect case onceStored(Reply, Ticket)
}

/// What a reply that comes later is known by.
public struct Ticket: Hashable, Sendable {
    /// Whose it is; nil: the daemon's own.
    public let connection: UInt64?
    let number: UInt64
}

/// What the service wants said or done, beside what it hands to its sink and the replies to the line at hand.
public enum Output: Sendable {
    /// For those who have subscribed to its topic.
    case notice(Notice)
    /// Its client may have gone.
    case reply(Reply, Ticket)
    /// Only where records are kept.
    case record(FeedbackService.Record)
    /// For the log: never more often than a log can bear.
    case refusal(RefusalNotice)
    /// For the log: once a set.
    case shifted(ShiftedSetNotice)
    /// These are to be made ready; `prepared` follows.
    case prepare([Timeline], on: [ActuatorIndex], Ticket)
    /// Whether every output is off is to be found out; `rested` follows.
    case rest(Ticket)
    /// The configuration is to be read again and compared with the one in force; `reloaded` follows.
    case reload
    /// What people have set is to be stored; `stored` follows. Only where it is kept, and never two at a time.
    case store(Settings)
    /// Asks for all pending lines and edges; `pendingInputIsRead` follows. Until then no hold changes its state by time.
    case readPendingInput
    /// What is held until this, `Reply.onceStored`, is said now; the error in its place, where there is one.
    case settled(Ticket, WireError?)
}

/// Why what people have set could not be stored.
public struct SettingsFailure: Error, Hashable, Sendable {
    /// What has happened, to what, and what to do: a sentence without its end.
    public var sentence: String

    public init(_ sentence: String) { self.sentence = sentence }
}

/// What the last calls have led to, until it is taken. Its memory is kept.
public struct Outputs: Sendable {
    /// In order.
    public private(set) var all: [Output] = []
    /// What `FeedbackService.state` says has changed, or may have: not once an event.
    public private(set) var hasStateChanged = false
    var keepsRecords = false

    mutating func append(_ output: Output) { all.append(output) }

    mutating func append(_ notices: [RefusalNotice]) { for notice in notices { all.append(.refusal(notice)) } }

    mutating func noteState() { hasStateChanged = true }

    mutating func removeAll() {
        if !all.isEmpty { all.removeAll(keepingCapacity: true) }
        hasStateChanged = false
    }
}
