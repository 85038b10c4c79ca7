// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension CancelParams: ServedCall {
    func privilege(in service: FeedbackService, for client: Client) -> Privilege? {
        // The engine lets a scope end only its own playbacks.
        guard !client.isScoped else { return nil }
        switch target {
        case .source: return nil
        case .all: return .cancelAll
        // Or one could cancel all of them, one after the other.
        case .playback(let playback):
            let owner = service.loop.engine.owner(of: playback)
            let isFree = owner == nil || owner == client.owner || Canary.is("cancel-others-one-by-one")
            return isFree ? nil : .cancelAll
        }
    }

    func checkAccess(in service: FeedbackService, for client: Client, at now: MonotonicInstant) throws(WireError) {
        if untilResumed, !service.clients.rights.isOwn(client) {
            throw service.outputs.refused(Refusal(cause: .suspension, isScoped: client.isScoped), to: client.peer.user, at: now)
        }
        try checkPrivilege(in: service, for: client, at: now)
    }

    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken {
        if mode == .advance, case .all = target { try service.line.chargeAdvance(in: service) }
        return .item(item(of: client.identity), untilResumed ? .onceOff : .plain)
    }

    func item(
        _: inout CallResolver, of client: ClientIdentity, readAt _: MonotonicInstant
    ) throws(WireError) -> BatchItem? { item(of: client) }

    private func item(of client: ClientIdentity) -> BatchItem {
        .cancel(CancelRequest(client: client, target: target, mode: mode, untilResumed: untilResumed))
    }
}
