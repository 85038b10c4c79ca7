// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import NIOCore

/// Reads all pending lines and edges before a hold is confirmed. After a stall a timer may fire before them.
extension FeedbackServer {
    /// The time from the end of one read to the next. The event loop polls the sockets in between, because no other timer is due.
    private static let readInterval = TimeAmount.milliseconds(1)
    /// A read that takes longer was stalled itself, and proves nothing.
    private static let longestRead = Nanoseconds.milliseconds(20)
    /// The number of empty reads in a row that ends the reading.
    private static let quietReads = 2
    /// The most reads if clients send all the time.
    private static let mostPromptReads = 50
    /// The most reads on a machine that stalls each of them. They take a second or longer.
    private static let mostLateReads = 50

    private struct Reads {
        /// In a row.
        var quiet = 0
        var prompt = 0
        var late = 0

        var areEnough: Bool {
            quiet >= FeedbackServer.quietReads || prompt >= FeedbackServer.mostPromptReads || late >= FeedbackServer.mostLateReads
        }
    }

    /// Answers `Output.readPendingInput` once nothing is pending.
    func readPendingInput() { read(after: Reads()) }

    /// Takes the lines of all clients that press a hold before those of others: however much is pending, a release is read in time.
    private func readPressingClients() {
        for connection in service.pressingConnections.sorted() {
            if let session = sessions[connection] { takeTurnFirst(session) }
        }
    }

    private func read(after reads: Reads) {
        (turns.hasReceived, turns.isReading) = (false, true)
        turns.isRunScheduled = true
        let start = now()
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.readInterval) { [weak self] in
            guard let self else { return }
            var reads = reads
            let isPrompt = now() - start <= Self.longestRead
            if isPrompt { reads.prompt += 1 } else { reads.late += 1 }
            let isRead = readDevices()
            readPressingClients()
            let isQuiet = isPrompt && isRead && !turns.hasReceived && turns.waitingLines.isEmpty && turns.events.isEmpty
            reads.quiet = isQuiet ? reads.quiet + 1 : 0
            if reads.areEnough { turns.isReading = false }
            takeSlice()
            if reads.areEnough { enter(.pendingInputIsRead) } else { read(after: reads) }
        }
    }
}
