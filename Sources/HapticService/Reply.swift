// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticWire

/// What a request is answered with.
public enum Reply: Sendable {
    case result(any WireResult)
    /// One that many ask for.
    case written(WrittenResult)
    case error(WireError)
    /// It comes later, as an `Output` with this ticket.
    case later(Ticket)
    /// It is this, and is said once `Output.settled` with this ticket says so.
    indirect case onceStored(Reply, Ticket)
}

extension Reply {
    /// The result, also of one that is said later; nil where it is another.
    public func result<Result: WireResult>(as _: Result.Type = Result.self) -> Result? {
        switch self {
        case .result(let result): result as? Result
        case .written(let written): written.result as? Result
        case .onceStored(let reply, _): reply.result()
        case .error, .later: nil
        }
    }
}

/// A result with its text, which is made once.
public final class WrittenResult: Sendable {
    public let result: any WireResult
    public let text: [UInt8]

    init(_ result: any WireResult) {
        self.result = result
        text = WireWriter.result(result)
    }
}

/// What a reply that comes later is known by.
public struct Ticket: Hashable, Sendable {
    /// Whose it is; nil: the daemon's own.
    public let connection: UInt64?
    let number: UInt64
}

/// What the service wants said or done, beside what it hands to its sink and the replies to the line at hand.
public enum Output: Sendable {
    /// What became of an input, or of a playback.
    public enum Record: Sendable {
        case decision(Decision)
        case ending(PlaybackEnd)
    }

    /// For those who have subscribed to its topic.
    case notice(Notice)
    /// Its client may have gone.
    case reply(Reply, Ticket)
    /// Only where records are kept.
    case record(Record)
    /// For the log: never more often than a log can bear.
    case refusal(RefusalNotice)
    /// For the log: once a set.
    case shifted(ShiftedSetNotice)
    /// These are to be made ready; `prepared` follows.
    case prepare([Timeline], on: [ActuatorIndex], Ticket)
    /// Whether every output is off is to be found out; `offAwaited` follows.
    case awaitOff(Ticket)
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
