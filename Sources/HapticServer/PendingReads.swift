// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import NIOCore

/// How often all pending lines and edges have been read before a hold is confirmed. After a stall a timer may fire before them.
struct PendingReads {
    /// The time from the end of one read to the next. No other timer reschedules itself while input is read, so the event loop polls the
    /// sockets before each read.
    static let interval = TimeAmount.milliseconds(1)
    /// A read that begins later, or takes longer, was stalled itself, and proves nothing.
    private static let longest = Nanoseconds.milliseconds(20)
    /// The number of empty reads in a row that ends the reading.
    private static let mostQuiet = 2
    /// The most reads if clients send all the time.
    private static let mostPrompt = 50
    /// The most reads on a machine that stalls each of them. They take a second or longer.
    private static let mostLate = 50

    /// The empty reads in a row.
    private var quiet = 0
    private var prompt = 0
    private var late = 0
    /// The clients whose hold would end now and whose lines wait, user by user, each once.
    private var waiting = FairQueue<UInt32, Session>()
    private var waitingConnections: Set<UInt64> = []

    var areEnough: Bool { quiet >= Self.mostQuiet || prompt >= Self.mostPrompt || late >= Self.mostLate }

    /// The lines of `session` wait, and its hold would end now.
    mutating func add(_ session: Session) {
        guard waitingConnections.insert(session.client.connection).inserted else { return }
        waiting.add(session, of: session.user.id)
    }

    /// Takes the next session whose lines are to be read before those of others.
    mutating func next() -> Session? {
        let session = waiting.next()
        if let session { waitingConnections.remove(session.client.connection) }
        return session
    }

    /// Counts a read. `took`: from its scheduling to its end. `isQuiet`: nothing has arrived, and nothing else waits.
    mutating func add(took: Nanoseconds, isQuiet: Bool) {
        let isPrompt = took <= Self.longest
        if isPrompt { prompt += 1 } else { late += 1 }
        quiet = isPrompt && isQuiet && waiting.isEmpty ? quiet + 1 : 0
    }
}
