// SPDX-License-Identifier: MIT
internal import HapticService
internal import HapticWire

/// The answers to one line of a client, in order.
struct LineAnswers {
    private struct Answer {
        let id: RequestID
        /// With its LF.
        var line: [UInt8]
        /// Until what was set by it is stored.
        let ticket: Ticket?

        /// `line`: how `reply` is written.
        init(_ id: RequestID, _ line: [UInt8], _ reply: Reply) {
            (self.id, self.line) = (id, line)
            ticket = if case .onceStored(_, let ticket) = reply { ticket } else { nil }
        }
    }

    private var answers: [Answer]
    private let areBatch: Bool
    /// Nil: they can be given at once.
    let ticket: Ticket?

    /// The answer to a single request. `line`: how `reply` is written.
    init(_ line: [UInt8], of reply: Reply, to id: RequestID) { self.init([Answer(id, line, reply)], areBatch: false) }

    /// The answers to a batch, in the order of `messages`, as far as there are any.
    init(of replies: [Reply?], to messages: [Message]) {
        var answers: [Answer] = []
        var size = 0
        for (message, reply) in zip(messages, replies) {
            guard let id = message.id, var reply else { continue }
            // Nobody gets more than a line, and writing it takes everybody's time.
            if size > WireLimit.daemonLine, reply.isLong { reply = .error(.answerTooLong) }
            guard let line = reply.line(to: id) else { continue }
            answers.append(Answer(id, line, reply))
            size += line.count
        }
        self.init(answers, areBatch: true)
    }

    private init(_ answers: [Answer], areBatch: Bool) {
        (self.answers, self.areBatch) = (answers, areBatch)
        // One line waits once.
        ticket = answers.lazy.compactMap(\.ticket).first
    }

    /// Bytes.
    var size: Int { answers.reduce(0) { $0 + $1.line.count } }

    /// What was set by some of them could not be stored.
    mutating func fail(_ error: WireError) {
        for index in answers.indices where answers[index].ticket != nil {
            answers[index].line = WireWriter.error(error, to: answers[index].id)
        }
    }

    /// As one line; nil where there are none.
    var line: [UInt8]? { areBatch ? WireWriter.batch(answers.map { ($0.id, $0.line) }) : answers.first?.line }
}

/// The answers that one session does not give at once.
struct LateAnswers {
    /// The requests whose answers are made later.
    private var awaited: [Ticket: RequestID] = [:]
    /// The answers that are given once what was set is stored.
    private var held: [Ticket: LineAnswers] = [:]

    var areAwaited: Bool { !awaited.isEmpty }
    var areHeld: Bool { !held.isEmpty }

    mutating func expect(_ ticket: Ticket, for id: RequestID) { awaited[ticket] = id }

    /// Ends the wait for `ticket`. Returns the request that its answer is for.
    mutating func end(_ ticket: Ticket) -> RequestID? { awaited.removeValue(forKey: ticket) }

    mutating func hold(_ answers: LineAnswers, until ticket: Ticket) { held[ticket] = answers }

    mutating func release(_ ticket: Ticket) -> LineAnswers? { held.removeValue(forKey: ticket) }

    mutating func releaseAll() -> some Collection<LineAnswers> {
        defer { held = [:] }
        return held.values
    }
}

extension Reply {
    /// As an answer to request `id`; nil where it comes later.
    func line(to id: RequestID) -> [UInt8]? {
        switch self {
        case .result(let result): WireWriter.answer(result, to: id)
        case .written(let result): WireWriter.answer(written: result.text, to: id)
        case .error(let error): WireWriter.error(error, to: id)
        case .later: nil
        case .onceStored(let reply, _): reply.line(to: id)
        }
    }

    /// Whether it may be left out where there is no room.
    fileprivate var isLong: Bool {
        switch self {
        case .error, .later: false
        case .result(let result): !(result is SubscribeResult)
        case .written, .onceStored: true
        }
    }
}
