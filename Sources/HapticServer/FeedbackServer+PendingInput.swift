// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import NIOCore

/// Reads all pending lines and edges before a hold is confirmed. After a stall a timer may fire before them.
extension FeedbackServer {
    /// The time from the end of one read to the next. No other timer reschedules itself while input is read, so the event loop polls the
    /// sockets before each read.
    private static let readInterval = TimeAmount.milliseconds(1)
    /// A read that begins later, or takes longer, was stalled itself, and proves nothing.
    private static let longestRead = Nanoseconds.milliseconds(20)
    /// The time for the lines of clients whose hold would end.
    private static let slice = Nanoseconds.milliseconds(2)
    /// The number of empty reads in a row that ends the reading.
    private static let quietReads = 2
    /// The most reads if clients send all the time.
    private static let mostPromptReads = 50
    /// The most reads on a machine that stalls each of them. They take a second or longer.
    private static let mostLateReads = 50

    private struct Reads {
        /// The empty reads in a row.
        var quiet = 0
        var prompt = 0
        var late = 0
        /// The clients whose hold would end now and whose lines wait, user by user, each once.
        var waiting = FairQueue<UInt32, Session>()
        var waitingConnections: Set<UInt64> = []

        var areEnough: Bool {
            quiet >= FeedbackServer.quietReads || prompt >= FeedbackServer.mostPromptReads || late >= FeedbackServer.mostLateReads
        }
    }

    /// Answers `Output.readPendingInput` once nothing is pending.
    func readPendingInput() { read(after: Reads()) }

    /// Takes lines of the clients whose hold would end now before those of others, for a slice: however much is pending, a release is
    /// read in time.
    private func readReleases(_ reads: inout Reads) {
        for connection in service.connectionsOfHoldEnds(by: now()).subtracting(reads.waitingConnections).sorted() {
            guard let session = sessions[connection], session.turn != .idle else { continue }
            reads.waiting.add(session, of: session.user.id)
            reads.waitingConnections.insert(connection)
        }
        let end = now() + Self.slice
        while let session = reads.waiting.next() {
            reads.waitingConnections.remove(session.client.connection)
            takeTurnFirst(session, until: end)
            if now() >= end { return }
        }
    }

    private func read(after reads: Reads) {
        (turns.hasReceived, turns.isReading) = (false, true)
        turns.isRunScheduled = true
        let start = now()
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.readInterval) { [weak self] in
            guard let self else { return }
            var reads = reads
            let begun = now()
            let isRead = readDevices()
            readReleases(&reads)
            let worked = now() - begun
            let isPrompt = now() - start <= Self.longestRead
            if isPrompt { reads.prompt += 1 } else { reads.late += 1 }
            let isQuiet =
                isPrompt && isRead && !turns.hasReceived && turns.waitingLines.isEmpty && turns.events.isEmpty
                && reads.waiting.isEmpty
            reads.quiet = isQuiet ? reads.quiet + 1 : 0
            guard reads.areEnough else {
                takeSlice(after: worked)
                return read(after: reads)
            }
            turns.isReading = false
            takeSlice(after: worked, first: .pendingInputIsRead)
        }
    }
}
