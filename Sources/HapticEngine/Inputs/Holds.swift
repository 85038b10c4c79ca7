// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// Press and hold, to confirm.
extension HoldTable {
    /// Takes a press, or its release. The feedback is that of the press itself; the rest follows by `advance`.
    mutating func take(
        _ holdInput: borrowing HoldInput, of input: borrowing Input, _ rules: Rules, isSuspended: Bool, work: inout WorkBudget,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        (decision.value, decision.origin) = (.string(Text(holdInput.state.rawValue)), input.client.origin)
        let key = OwnedID(input.client, id: input.id ?? "")
        if key.user != nil, rules.configuration.reserved.names.contains(key.id) { return .none(.reserved) }
        guard holdInput.state == .down else { return .none(release(key, input, holdInput, rules, at: now)) }
        // Nobody could release it while the machine sleeps.
        if isSuspended { return .none(.suspended) }
        // A device's rule is found by its name, a client's by globs.
        guard key.user == nil || work.take(rules.costs.holds.units(key.id.utf8.count)) else { return .none(.quota) }
        guard let rule = HoldRule.index(for: key, among: rules.configuration.holdRules) else { return .none(.noRule) }
        decision.rule = rules.configuration.holdRules[rule].text
        decision.feedbackClass = rules.configuration.holdRules[rule].feedback.feedbackClass
        let reason = press(key, input, holdInput, rule: rule, rules, at: now)
        guard reason == .pressed, self[key] != nil, let pattern = rules.configuration.holdRules[rule].pressed else {
            return .none(reason)
        }
        var feedback = rules.configuration.holdRules[rule].feedback
        (feedback.pattern, feedback.feedbackClass) = (pattern, .interaction)
        decision.feedbackClass = feedback.feedbackClass
        return .feedback(rules.candidate(feedback, for: input, source: SourceKey(client: input.client, id: input.id)))
    }

    private mutating func press(
        _ key: OwnedID, _ input: borrowing Input, _ holdInput: borrowing HoldInput, rule: Int, _ rules: Rules,
        at now: MonotonicInstant
    ) -> Reason {
        let shape = rules.configuration.holdRules[rule].shape
        let known = self[key]
        if var known, known.machine.isDown {
            // Another connection says nothing about the hand that holds it.
            guard known.client.connection == input.client.connection else { return .duplicate }
            let isRenewed = known.lease == nil ? holdInput.lease != nil : known.isLeased(at: min(input.at, now))
            known.renew(for: holdInput.lease, at: min(input.at, now))
            put(known)
            return isRenewed ? .renewed : .duplicate
        }
        guard known != nil || hasRoom(for: key.user) else { return .quota }
        var hold =
            known
            ?? Hold(key: key, rule: rule, client: input.client, app: input.app, feedback: input.feedback, lastAt: .zero)
        // However long ago it was pressed, the charge does not begin before now.
        let earliest = hold.former == nil ? now - shape.press : now
        let at = max(min(input.at, now), hold.lastAt, earliest)
        hold.adopt(rule, of: rules.configuration.holdRules, at: now, isWaiting: areWaiting)
        (hold.client, hold.app, hold.feedback, hold.lastAt) = (input.client, input.app, input.feedback, at)
        hold.machine.press(at: at, shape)
        hold.renew(for: holdInput.lease, at: min(input.at, now))
        put(hold)
        return .pressed
    }

    private mutating func release(
        _ key: OwnedID, _ input: borrowing Input, _ holdInput: borrowing HoldInput, _ rules: Rules, at now: MonotonicInstant
    ) -> Reason {
        guard var hold = self[key], hold.machine.isDown else { return .unchanged }
        guard hold.client.isDevice || hold.client.connection == input.client.connection else { return .notAllowed }
        release(&hold, at: max(min(input.at, now), hold.lastAt), isDated: holdInput.isDated, rules)
        return .released
    }

    private mutating func release(_ hold: inout Hold, at instant: MonotonicInstant, isDated: Bool, _ rules: Rules) {
        // After the end of its lease it was not down any more.
        let end = min(instant, hold.lease?.end ?? instant)
        hold.machine.release(at: end, isDated: isDated, hold.shape(rules.configuration.holdRules))
        (hold.lastAt, hold.lease) = (end, nil)
        put(hold)
    }

    /// Releases the holds of a connection that is closed, and returns them: a hand does not outlive the connection that speaks of it.
    mutating func release(ofConnection connection: UInt64, _ rules: Rules, at now: MonotonicInstant) -> [Hold] {
        var released: [Hold] = []
        for var hold in ofConnection(connection) where hold.machine.isDown {
            release(&hold, at: now, isDated: false, rules)
            released.append(hold)
        }
        return released
    }

    // MARK: By itself

    /// The next step of a hold that comes by itself.
    enum Step {
        /// The client has not repeated the press in time: the hold ends as if it had been released at the end of its lease.
        case leaseEnded(Hold)
        /// `value`: the progress of the hold before this step.
        case due(Hold, HoldMachine.Due, value: Progress)
        case nothing
    }

    /// Takes the next step that a hold has come to by `now`; `nil` if none has.
    mutating func advance(to now: MonotonicInstant, _ rules: Rules) -> Step? {
        guard var hold = due(by: now) else { return nil }
        let shape = rules.configuration.holdRules[hold.rule].shape
        // Nothing comes of a press after its lease, however late that is seen.
        let end = Canary.is("lease-outlived") ? now : min(now, hold.lease?.end ?? now)
        if hold.machine.nextDeadline > end {
            release(&hold, at: now, isDated: true, rules)
            return .leaseEnded(hold)
        }
        let value = hold.machine.value(at: end, shape)
        let due = hold.machine.next(by: end, shape)
        put(hold)
        return due.map { .due(hold, $0, value: value) } ?? .nothing
    }
}

extension Hold {
    /// The input that a step or an event of the hold counts as. `planned`: the instant at which it was to come.
    func input(_ kind: Input.Kind, planned: MonotonicInstant) -> Input {
        Input(client: client, id: key.id.string, app: app, at: planned, feedback: feedback, kind: kind)
    }

    func change(_ state: HoldChange.State, _ value: Progress, at now: MonotonicInstant) -> EngineAction {
        .held(
            HoldChange(
                id: key.id.string, origin: client.origin, user: client.user, scope: client.scope, state: state, value: value,
                at: now))
    }

    /// The feedback of a step, or of the completion. A step may be too old to be felt, the completion never is.
    func step(_ value: Progress, isCompletion: Bool, of input: Input, _ rules: Rules, _ decision: inout Decision) -> Candidate {
        var feedback = rules.configuration.holdRules[rule].feedback
        if isCompletion, let complete = rules.configuration.holdRules[rule].complete {
            (feedback.pattern, feedback.feedbackClass) = (complete, rules.configuration.holdRules[rule].completeClass)
        }
        (decision.value, decision.origin) = (.number(value.value), client.origin)
        (decision.feedbackClass, decision.rule) = (feedback.feedbackClass, rules.configuration.holdRules[rule].text)
        var candidate = rules.candidate(feedback, for: input, source: SourceKey(client: client, id: input.id))
        if isCompletion { (candidate.traits.isLimited, candidate.deadline) = (false, nil) }
        return candidate
    }
}
