// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension ReloadParams: ServedCall {
    func privilege(in _: FeedbackService, for _: Client) -> Privilege? { .reload }

    /// Also for a client that has hung up.
    func answer(in service: FeedbackService, for client: Client, wantsReply: Bool, at _: MonotonicInstant) -> Reply? {
        guard !service.pending.reload.isFull else {
            return wantsReply ? .error(WireError(.quota, "too many wait for a reload already; try again later")) : nil
        }
        let ticket = wantsReply ? service.pending.ticket(for: client.connection) : nil
        service.requestReload(for: ticket)
        return ticket.map { .later($0) }
    }
}
