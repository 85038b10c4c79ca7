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

    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken {
        let isShort = try !charge(in: service)
        let item = try item(&service.line.resolver, of: client.identity, readAt: service.line.readAt)
        return item.map { .item($0, isShort ? .settingsInShort : .plain) } ?? .question
    }

    func reply(in service: FeedbackService, for _: Client, at now: MonotonicInstant) -> Reply? {
        .result(service.settings.result(service.loop.engine.settings, service.loop, at: now))
    }

    /// Takes from the line at hand what it costs to change the settings and to say all of them. False: there is too little left to say
    /// them, but this switches feedback off, which is always done.
    private func charge(in service: FeedbackService) throws(WireError) -> Bool {
        var cost = service.loop.engine.settings.cost + service.loop.engine.conditionNames.map { Text($0) }.cost
        if case .set(let apps) = set?.apps { cost += apps.keys.cost }
        if case .set(let hours) = set?.quietHours { cost += hours.cost }
        if service.line.resolver.work.take(min(cost, WorkBudget.Cost.mostSettings)) { return true }
        guard case .set? = set?.off else {
            throw WireError(
                .quota,
                "the settings of this line are too many at once; ask for them, or set them, once in a line, and in a short one")
        }
        return false
    }
}

extension SettingsInForce {
    /// What it costs to write all of them.
    fileprivate var cost: Int { configured.apps.keys.cost + chosen.apps.keys.cost + quietHours.cost }
}

extension Collection<Text> {
    fileprivate var cost: Int {
        count * WorkBudget.Cost.namedSetting + reduce(0) { $0 + $1.utf8.count } * WorkBudget.Cost.settingByte
    }
}

extension [QuietHours] {
    fileprivate var cost: Int {
        reduce(count * WorkBudget.Cost.quietTime * WorkBudget.Cost.namedSetting) { $0 + $1.except.apps.cost }
    }
}
