// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticWire

/// What people set: who waits for it to be stored, who hears of it, what it costs to say it.
extension FeedbackService {
    // MARK: Storing

    /// Whether what people set is kept: each change comes out as `Output.store`. To be set before anyone connects.
    public var keepsSettings: Bool {
        get { pending.storing.isKept }
        set { pending.storing.isKept = newValue }
    }

    /// To be set before anyone connects. `damage`: what people had set and could not be read, which is said until the daemon ends.
    /// `obstacle`: why what they set will not be stored. Nil: all is well.
    public func startSettings(damage: String?, obstacle: String?) {
        (pending.storing.damage, pending.storing.failure) = (damage, obstacle)
    }

    /// What people have set, and what is configured below that.
    public var settingsInForce: SettingsInForce { loop.engine.settings }

    /// This is what people had set when the daemon last ran. It takes the place of whatever is set.
    public func restore(_ stored: Settings, at now: MonotonicInstant) {
        pending.storing.restore(stored)
        pass(.settings(stored), at: now)
        noteSettings(at: now, by: nil)
    }

    /// This is what the clocks on the wall show now.
    public func setClock(_ time: LocalTime, at now: MonotonicInstant) {
        pass(.localTime(time), at: now)
        noteQuietHours(at: now)
    }

    /// Somebody may have set the clocks on the wall. Where something is stored that ends by them, it is stored again.
    public func clockWasSet(at now: MonotonicInstant) {
        guard case .until = loop.engine.settings.chosen.off else { return }
        pending.storing.storeAgain()
        storeSettings(at: now)
    }

    /// What came of `Output.store`.
    public func stored(_ result: Result<Void, SettingsFailure>, at now: MonotonicInstant) {
        let failure: SettingsFailure? = if case .failure(let failure) = result { failure } else { nil }
        let former = pending.storing.failure
        for ticket in pending.storing.end(failure?.sentence, loop.engine.settings.chosen, at: now) {
            outputs.append(.settled(ticket, failure.map { WireError(notStored: $0) }))
        }
        if pending.storing.failure != former { notify(of: ["trouble"], at: now, by: nil) }
        storeSettings(at: now)
    }

    /// Has them stored, where they are not, nothing is being stored, and the last time is long enough ago.
    func storeSettings(at now: MonotonicInstant) {
        let settings = loop.engine.settings.chosen
        if pending.storing.begin(settings, at: now, isLast: isStopping) { outputs.append(.store(settings)) }
    }

    // MARK: Saying

    /// Has what people have set stored, and says what of the settings has changed.
    func noteSettings(at now: MonotonicInstant, by peer: Peer?) {
        let (former, inForce) = (noted, loop.engine.settings)
        noted = NotedSettings(loop.engine, at: now)
        storeSettings(at: now)
        let turn = noted.isQuiet == former.isQuiet ? [] : [Self.quietTurn]
        let conditions = noted.conditions == former.conditions ? [] : ["conditions"]
        notify(of: inForce.names(ofChangesFrom: former.settings) + turn + conditions, at: now, by: peer)
    }

    /// Says it where quiet hours have begun or ended.
    func noteQuietHours(at now: MonotonicInstant) {
        let wasQuiet = noted.isQuiet
        noted.lookAtClock(of: loop.engine, at: now)
        if noted.isQuiet != wasQuiet { notify(of: [Self.quietTurn], at: now, by: nil) }
    }

    /// What has changed where the quiet hours are as they were, and have begun or ended.
    private static var quietTurn: String { "quiet" }

    private func notify(of changed: [String], at now: MonotonicInstant, by peer: Peer?) {
        guard !changed.isEmpty else { return }
        outputs.noteState()
        publish(.settings) {
            let notice = SettingsNotice(
                changed, settingsNow(loop.engine.settings, at: now), at: now, user: peer?.user, process: peer?.process)
            return .settings(notice)
        }
    }

    /// Takes from the line at hand what it costs to change the settings and to say all of them. False: there is too little left to say
    /// them, but this switches feedback off, which is always done.
    func chargeSettings(_ params: SettingsParams) throws(WireError) -> Bool {
        var cost = loop.engine.settings.cost + loop.engine.conditionNames.map { Text($0) }.cost
        if case .set(let apps) = params.set?.apps { cost += apps.keys.cost }
        if case .set(let hours) = params.set?.quietHours { cost += hours.cost }
        if line.resolver.work.take(min(cost, WorkBudget.Cost.mostSettings)) { return true }
        guard case .set? = params.set?.off else {
            throw WireError(
                .quota,
                "the settings of this line are too many at once; ask for them, or set them, once in a line, and in a short one")
        }
        return false
    }

    /// `isStored`: it is said only once these are stored.
    func settingsResult(
        _ settings: SettingsInForce, at now: MonotonicInstant, isStored: Bool = false, inShort: Bool = false
    ) -> SettingsResult {
        SettingsResult(settings, settingsNow(settings, at: now, isStored: isStored), inShort: inShort)
    }

    func settingsNow(_ settings: SettingsInForce, at now: MonotonicInstant, isStored: Bool = false) -> SettingsNow {
        let failure = isStored ? nil : pending.storing.failure
        let trouble = [pending.storing.damage, failure].compactMap(\.self)
        return SettingsNow(
            settings, at: now, loop.engine.localTime(at: now), conditions: loop.engine.conditionNames,
            isKept: keepsSettings && failure == nil, trouble: trouble.isEmpty ? nil : trouble.joined(separator: "; "))
    }
}

/// What was known of the engine's settings when they were last looked at.
struct NotedSettings {
    let generation: UInt64
    let conditions: [String]
    var settings: SettingsInForce
    /// These are quiet hours.
    private(set) var isQuiet = false
    /// When these may begin or end.
    private(set) var quietTurn = MonotonicInstant.distantFuture

    init(_ engine: borrowing FeedbackEngine, at now: MonotonicInstant) {
        (generation, conditions, settings) = (engine.settingsGeneration, engine.conditionNames, engine.settings)
        lookAtClock(of: engine, at: now)
    }

    mutating func lookAtClock(of engine: borrowing FeedbackEngine, at now: MonotonicInstant) {
        let settings = engine.settings
        isQuiet = engine.localTime(at: now).map { settings.quietHours(at: $0) != nil } ?? false
        quietTurn = engine.quietTurn(after: now)
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

extension WireError {
    fileprivate init(notStored failure: SettingsFailure) {
        self.init(
            .notStored, "it counts, but only until hapticd is started again, for it could not be stored: \(failure.sentence)")
    }
}
