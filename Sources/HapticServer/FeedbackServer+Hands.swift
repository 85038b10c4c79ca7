// SPDX-License-Identifier: MIT
internal import HapticCore
internal import NIOCore

/// Before a hold is confirmed, what clients had said by then is read, and what hands had done: after a stall of the daemon, or of the
/// machine, a timer may fire first.
extension FeedbackServer {
    /// From one look at all sockets to the next. In between the event loop has looked at them, and the threads that wait for keys have run.
    private static let look = TimeAmount.milliseconds(1)
    /// A look that takes longer was stalled itself, and shows nothing.
    private static let longestLook = Nanoseconds.milliseconds(20)
    /// As many looks that find nothing in a row are enough.
    private static let quietLooks = 2
    /// Clients that speak all the time delay a confirmation by so many looks at the most.
    private static let mostLooks = 50

    /// Answers `Output.hearHands` once nothing is left to be taken.
    func hearHands() { hear(quiet: 0, left: Self.mostLooks) }

    private func hear(quiet: Int, left: Int) {
        turns.hasHeard = false
        let start = now()
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.look) { [weak self] in
            guard let self else { return }
            let isPrompt = now() - start <= Self.longestLook
            let isQuiet = isPrompt && !turns.hasHeard && turns.waitingLines.isEmpty && turns.events.isEmpty
            let quiet = isQuiet ? quiet + 1 : 0
            guard quiet < Self.quietLooks, left > 1 else { return enter(.handsKnown) }
            hear(quiet: quiet, left: left - 1)
        }
    }
}
