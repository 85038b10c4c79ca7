// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension PlayParams: ServedCall {
    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken {
        if more == true { return .answered(.result(try service.clients.begunPlays.takePart(self, of: client, on: service.line))) }
        let answer = wait == true ? CurrentLine.Answer.ending : .play
        guard more == false, let begun = try service.clients.begunPlays.end(of: client.connection) else {
            return .item(try itemWithoutParts(in: service, for: client), answer)
        }
        // Putting a large pattern together is not lateness. An instant ahead counts as now.
        let readAt = service.line.readAt + WireLimit.ahead
        return .item(
            try service.line.resolver.item(self, after: begun.parts, of: client.identity, readAt: readAt), answer)
    }

    var patternGoesOn: Bool? { more }

    /// The item of a play in one line. A last part that is all of its pattern may have mistakes because no part came before it.
    private func itemWithoutParts(in service: FeedbackService, for client: Client) throws(WireError) -> BatchItem {
        do throws(WireError) {
            return try service.line.resolver.item(self, after: nil, of: client.identity, readAt: service.line.readAt)
        } catch {
            guard more == false, error.data?.path?.begins(with: "pattern") == true else { throw error }
            var remarked = error
            remarked.message += "; no part of a pattern came before this one on the connection (`more: false` is the last part)"
            throw remarked
        }
    }

    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        try resolver.item(self, after: nil, of: client, readAt: readAt)
    }
}
