// SPDX-License-Identifier: MIT
internal import HapticService
internal import HapticWire

/// The answers to one line of a client, in order.
struct LineAnswers {
    struct Answer {
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

    init(_ answers: [Answer], areBatch: Bool) {
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
