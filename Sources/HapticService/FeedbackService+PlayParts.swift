// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// Patterns that come in several `play`s. Only the last one is an input.
extension FeedbackService {
    /// Keeps a part before the last one.
    ///
    /// The part is charged for the entries that it may continue: they are copied, and a line may have many small parts.
    func takePart(_ params: PlayParams, of client: Client) throws(WireError) -> PlayPartResult {
        let entries = clients.begunPlays.lastTrackEntryCount(of: client.connection)
        guard entries == 0 || line.resolver.work.take(entries * WorkBudget.Cost.partEntry) else {
            throw WireError(.quota, "the parts in this line cost more than it may; send fewer parts in a line")
        }
        let bytes = try clients.begunPlays.take(
            params.pattern, line.takeBytes(), of: client.connection, user: client.peer.user)
        return PlayPartResult(bytes: bytes)
    }

    /// Returns whether `request` is the last part of a pattern. No rate refuses that: the earlier parts were charged.
    func endsPattern(_ request: Request, of client: Client) -> Bool {
        request.more == false && clients.begunPlays.hasBegun(of: client.connection)
    }

    /// Refuses the rest of a pattern if `request` was a part of it. A request that may be sent again in its place leaves no gap.
    func refusePart(_ request: Request, for error: WireError, of client: Client) {
        let comesAgain = request.wantsReply && error.data?.retryAfterMs != nil
        guard !comesAgain else { return }
        if let more = request.more {
            clients.begunPlays.refuse(for: error, more: more, of: client.connection)
        } else if request.mayHaveBeenPart, !request.wantsReply || request.isAnonymous {
            clients.begunPlays.mayHaveMissed(for: error, of: client.connection)
        }
    }
}
