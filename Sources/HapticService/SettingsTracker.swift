// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// What people set: has its changes stored, and notifies clients of them.
struct SettingsTracker {
    var storing = SettingsQueue()
    private var noted: NotedSettings

    init(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant) { noted = NotedSettings(loop.engine, at: now) }

    /// These are quiet hours.
    var isQuiet: Bool { noted.isQuiet }
    /// When quiet hours may begin or end.
    var quietTurn: MonotonicInstant { noted.quietTurn }
    /// When there is something to do; `distantFuture`: never.
    var nextDeadline: MonotonicInstant { min(noted.quietTurn, storing.due) }

    // MARK: Storing

    /// Has them stored, where they are not, nothing is being stored, and the last time is long enough ago.
    mutating func store(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, _ outputs: inout Outputs) {
        let settings = loop.engine.settings.chosen
        if storing.begin(settings, at: now) { outputs.append(.store(settings)) }
    }

    /// Somebody may have set the clocks on the wall. Where something is stored that ends by them, it is stored again.
    mutating func clockWasSet(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, _ outputs: inout Outputs) {
        guard case .until = loop.engine.settings.chosen.off else { return }
        storing.storeAgain()
        store(loop, at: now, &outputs)
    }

    /// They have been stored, or have not, and `failure` is why.
    mutating func stored(
        _ failure: SettingsFailure?, _ loop: borrowing FeedbackLoop, at now: MonotonicInstant, _ outputs: inout Outputs
    ) {
        let former = storing.failure
        for ticket in storing.end(failure?.sentence, loop.engine.settings.chosen, at: now) {
            outputs.append(.settled(ticket, failure.map { WireError(notStored: $0) }))
        }
        if storing.failure != former { notify(of: ["trouble"], loop, at: now, by: nil, &outputs) }
        store(loop, at: now, &outputs)
    }

    // MARK: Changes

    /// Notes what an event has changed. `peer`: who set it.
    mutating func follow(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, by peer: Peer?, _ outputs: inout Outputs) {
        if loop.engine.settingsGeneration != noted.generation || loop.engine.conditionNames != noted.conditions {
            note(loop, at: now, by: peer, &outputs)
        } else if now >= noted.quietTurn {
            noteQuietHours(loop, at: now, &outputs)
        }
    }

    /// Has what people have set stored, and says what of the settings has changed.
    mutating func note(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, by peer: Peer?, _ outputs: inout Outputs) {
        let (former, inForce) = (noted, loop.engine.settings)
        noted = NotedSettings(loop.engine, at: now)
        store(loop, at: now, &outputs)
        let turn = noted.isQuiet == former.isQuiet ? [] : [Self.quietTurn]
        let conditions = noted.conditions == former.conditions ? [] : ["conditions"]
        notify(of: inForce.names(ofChangesFrom: former.settings) + turn + conditions, loop, at: now, by: peer, &outputs)
    }

    /// Says it where quiet hours have begun or ended.
    mutating func noteQuietHours(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, _ outputs: inout Outputs) {
        let wasQuiet = noted.isQuiet
        noted.lookAtClock(of: loop.engine, at: now)
        if noted.isQuiet != wasQuiet { notify(of: [Self.quietTurn], loop, at: now, by: nil, &outputs) }
    }

    /// The machine was asleep. The end of `off` has come nearer on our clock, and is the same to people.
    mutating func slept(_ loop: borrowing FeedbackLoop, at now: MonotonicInstant, _ outputs: inout Outputs) {
        noted.settings = loop.engine.settings
        noteQuietHours(loop, at: now, &outputs)
    }

    /// What has changed where the quiet hours are as they were, and have begun or ended.
    private static var quietTurn: String { "quiet" }

    private func notify(
        of changed: [String], _ loop: borrowing FeedbackLoop, at now: MonotonicInstant, by peer: Peer?, _ outputs: inout Outputs
    ) {
        guard !changed.isEmpty else { return }
        outputs.noteState()
        guard outputs.wants(.settings) else { return }
        let state = state(loop.engine.settings, loop, at: now)
        outputs.append(.notice(.settings(SettingsNotice(changed, state, at: now, user: peer?.user, process: peer?.process))))
    }

    // MARK: Saying

    /// `isStored`: it is said only once these are stored.
    func result(
        _ settings: SettingsInForce, _ loop: borrowing FeedbackLoop, at now: MonotonicInstant, isStored: Bool = false,
        inShort: Bool = false
    ) -> SettingsResult {
        SettingsResult(settings, state(settings, loop, at: now, isStored: isStored), inShort: inShort)
    }

    func state(
        _ settings: SettingsInForce, _ loop: borrowing FeedbackLoop, at now: MonotonicInstant, isStored: Bool = false
    ) -> SettingsNow {
        let failure = isStored ? nil : storing.failure
        let trouble = [storing.damage, failure].compactMap(\.self)
        return SettingsNow(
            settings, at: now, loop.engine.localTime(at: now), conditions: loop.engine.conditionNames,
            isKept: storing.isKept && failure == nil, trouble: trouble.isEmpty ? nil : trouble.joined(separator: "; "))
    }
}

/// What was known of the engine's settings when they were last looked at.
private struct NotedSettings {
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

extension WireError {
    fileprivate init(notStored failure: SettingsFailure) {
        self.init(
            .notStored, "it counts, but only until hapticd is started again, for it could not be stored: \(failure.sentence)")
    }
}
