// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension SettingsParams: ServedCall {
    /// What is set counts: the profile has a right of its own.
    func privilege(in _: FeedbackService, for _: Client) -> Privilege? {
        set.map { $0.isProfileOnly ? .profile : .settings }
    }

    func item(
        _: inout CallResolver, of _: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? { set.map { .change($0.change(at: readAt)) } }

    func take(in service: FeedbackService, for client: Client) throws(WireError) -> LineAtHand.Taken {
        let isShort = try !service.chargeSettings(self)
        let item = try item(&service.line.resolver, of: client.identity, readAt: service.line.readAt)
        return item.map { .item($0, isShort ? .settingsInShort : .plain) } ?? .question
    }

    func reply(in service: FeedbackService, for _: Client, at now: MonotonicInstant) -> Reply? {
        .result(service.settingsResult(service.loop.engine.settings, at: now))
    }
}
