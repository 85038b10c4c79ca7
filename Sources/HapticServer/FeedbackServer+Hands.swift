// SPDX-License-Identifier: MIT
internal import HapticCore
internal import NIOCore

/// Reads all pending lines and edges before a hold is confirmed. After a stall a timer may fire before them.
extension FeedbackServer {
    /// From one look at all sockets to the next. In between the event loop has looked at them.
    private static let look = TimeAmount.milliseconds(1)
    /// A look that takes longer was stalled itself, and shows nothing.
    private static let longestLook = Nanoseconds.milliseconds(20)
    /// As many looks that find nothing in a row are enough.
    private static let quietLooks = 2
    /// Clients that speak all the time delay a confirmation by so many looks at the most.
    private static let mostPromptLooks = 50
    /// A machine that is never prompt delays it by so many, which take a second or longer.
    private static let mostLateLooks = 50

    private struct Looks {
        /// In a row.
        var quiet = 0
        var prompt = 0
        var late = 0

        var areEnough: Bool {
            quiet >= FeedbackServer.quietLooks || prompt >= FeedbackServer.mostPromptLooks || late >= FeedbackServer.mostLateLooks
        }
    }

    /// Answers `Output.hearHands` once nothing is left to be taken.
    func hearHands() { hear(after: Looks()) }

    private func hear(after looks: Looks) {
        turns.hasHeard = false
        let start = now()
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.look) { [weak self] in
            guard let self else { return }
            var looks = looks
            let isPrompt = now() - start <= Self.longestLook
            if isPrompt { looks.prompt += 1 } else { looks.late += 1 }
            let isRead = readHands()
            let isQuiet = isPrompt && isRead && !turns.hasHeard && turns.waitingLines.isEmpty && turns.events.isEmpty
            looks.quiet = isQuiet ? looks.quiet + 1 : 0
            if looks.areEnough { enter(.handsKnown) } else { hear(after: looks) }
        }
    }
}
