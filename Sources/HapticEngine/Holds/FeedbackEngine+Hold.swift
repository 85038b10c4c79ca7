// SPDX-License-Identifier: MIT
public import HapticCore

/// Press and hold, to confirm.
extension FeedbackEngine {
    /// The connections of the clients with a hold that is confirmed, or whose lease ends, by `now` if it is not released.
    public func connectionsOfHoldEnds(by now: MonotonicInstant) -> Set<UInt64> {
        Set(holds.ends(by: now, configuration.holdRules).filter { !$0.client.isDevice }.map(\.client.connection))
    }

    /// Whether this connection presses the hold with this id.
    public func presses(_ id: String, by client: ClientIdentity) -> Bool {
        guard let hold = holds[OwnedID(client, id: id)] else { return false }
        return hold.machine.isDown && hold.client.connection == client.connection
    }

    /// Decides a press, or letting go. Of a press its `pressed` is felt now; the rest comes later, by `advanceHold`.
    mutating func decideHold(
        _ input: borrowing Input, _ hand: HandInput, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var decision = decision(on: hand.state, input.id, by: input.client, app: input.app, at: now)
        let key = OwnedID(input.client, id: input.id ?? "")
        guard hand.state == .down else { return suppress(decision, letGo(key, input, hand, at: now), into: &actions) }
        let reason = press(key, input, hand, &decision, at: now)
        guard reason == .pressed, let hold = holds[key], let pattern = configuration.holdRules[hold.rule].pressed else {
            return suppress(decision, reason, into: &actions)
        }
        var feedback = configuration.holdRules[hold.rule].feedback
        (feedback.pattern, feedback.feedbackClass) = (pattern, .interaction)
        decision.feedbackClass = feedback.feedbackClass
        let source = SourceKey(client: input.client, id: input.id)
        play(candidate(feedback, input, source: source, intensity: nil), decision, at: now, into: &actions)
    }

    private mutating func decision(
        on state: HoldState, _ id: String?, by client: ClientIdentity, app: String?, at now: MonotonicInstant
    ) -> Decision {
        var decision = Decision(
            sequence: nextSequence(), at: now, input: .hold, source: id, app: app, user: client.user, scope: client.scope,
            process: client.process,
            value: .string(Text(state.rawValue)), outcome: .suppressed)
        decision.origin = client.origin
        return decision
    }

    private mutating func press(
        _ key: OwnedID, _ input: borrowing Input, _ hand: HandInput, _ decision: inout Decision, at now: MonotonicInstant
    ) -> Reason {
        if key.user != nil, configuration.reserved.names.contains(key.id) { return .reserved }
        // Nobody could let go of it while the machine sleeps.
        if conditions.suspension.contains(now) { return .suspended }
        // A device's rule is found by its name, a client's by globs.
        guard key.user == nil || work.take(ruleCosts.holds.units(key.id.utf8.count)) else { return .quota }
        guard let rule = HoldRule.index(for: key, among: configuration.holdRules) else { return .noRule }
        decision.rule = configuration.holdRules[rule].text
        decision.feedbackClass = configuration.holdRules[rule].feedback.feedbackClass
        let shape = configuration.holdRules[rule].shape
        let known = holds[key]
        if var known, known.machine.isDown {
            // Another connection says nothing about the hand that holds it.
            guard known.client.connection == input.client.connection else { return .duplicate }
            let isRenewed = known.lease == nil ? hand.lease != nil : known.isLeased(at: min(input.at, now))
            known.renew(for: hand.lease, at: min(input.at, now))
            holds.put(known)
            return isRenewed ? .renewed : .duplicate
        }
        guard known != nil || holds.hasRoom(for: key.user) else { return .quota }
        var hold =
            known
            ?? Hold(key: key, rule: rule, client: input.client, app: input.app, feedback: input.feedback, lastAt: .zero)
        // However long ago it was pressed, the charge does not begin before now.
        let earliest = hold.former == nil ? now - shape.press : now
        let at = max(min(input.at, now), hold.lastAt, earliest)
        hold.adopt(rule, of: configuration.holdRules, at: now, isWaiting: holds.areWaiting)
        (hold.client, hold.app, hold.feedback, hold.lastAt) = (input.client, input.app, input.feedback, at)
        hold.machine.press(at: at, shape)
        hold.renew(for: hand.lease, at: min(input.at, now))
        holds.put(hold)
        return .pressed
    }

    private mutating func letGo(
        _ key: OwnedID, _ input: borrowing Input, _ hand: HandInput, at now: MonotonicInstant
    ) -> Reason {
        if key.user != nil, configuration.reserved.names.contains(key.id) { return .reserved }
        guard var hold = holds[key], hold.machine.isDown else { return .unchanged }
        guard hold.client.isDevice || hold.client.connection == input.client.connection else { return .notAllowed }
        letGo(&hold, at: max(min(input.at, now), hold.lastAt), isDated: hand.isDated)
        return .released
    }

    private mutating func letGo(_ hold: inout Hold, at instant: MonotonicInstant, isDated: Bool) {
        // After the end of its lease it was not down any more.
        let end = min(instant, hold.lease?.end ?? instant)
        hold.machine.letGo(at: end, isDated: isDated, hold.shape(configuration.holdRules))
        (hold.lastAt, hold.lease) = (end, nil)
        holds.put(hold)
    }

    /// The client has not repeated the press in time: it ends as if it had been released at the end of its lease.
    private mutating func endLease(of hold: inout Hold, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        letGo(&hold, at: now, isDated: true)
        suppress(decision(on: .up, hold.key.id.string, by: hold.client, app: hold.app, at: now), .leaseExpired, into: &actions)
    }

    /// A hand does not outlive the connection that speaks of it: it is decided as if the client had let go.
    mutating func letGoHolds(ofConnection connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        for var hold in holds.ofConnection(connection) where hold.machine.isDown {
            letGo(&hold, at: now, isDated: false)
            suppress(decision(on: .up, hold.key.id.string, by: hold.client, app: hold.app, at: now), .released, into: &actions)
        }
    }

    // MARK: By itself

    /// Finds the rules of outdated holds within the budget of a line; the other holds follow later.
    mutating func findHoldRules(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let forgotten = holds.findRules(in: configuration, costing: ruleCosts.holds, at: now, work: WorkBudget())
        for hold in forgotten { noteEnd(of: hold, at: now, into: &actions) }
    }

    /// Does the next thing that has come of a hold by `now`; false: nothing has.
    mutating func advanceHold(to now: MonotonicInstant, into actions: inout ActionBuffer) -> Bool {
        guard var hold = holds.due(by: now) else { return false }
        let rule = configuration.holdRules[hold.rule]
        // Nothing comes of a press after its lease, however late that is seen.
        let end = Canary.is("lease-outlived") ? now : min(now, hold.lease?.end ?? now)
        if hold.machine.nextDeadline > end {
            endLease(of: &hold, at: now, into: &actions)
            return true
        }
        let value = hold.machine.value(at: end, rule.shape)
        let due = hold.machine.next(by: end, rule.shape)
        holds.put(hold)
        guard let due else { return true }
        switch due.what {
        case .began(let value): note(hold, .began, value, at: now, into: &actions)
        case .step(let value):
            note(hold, .progress, value, at: now, into: &actions)
            feel(hold, rule, value, isCompletion: false, planned: due.at, at: now, into: &actions)
        case .confirmed:
            note(hold, .confirmed, .one, at: now, into: &actions)
            feel(hold, rule, .one, isCompletion: true, planned: due.at, at: now, into: &actions)
            // What was confirmed is felt, however late that was seen: its event is one of now.
            decideEvent(of: hold, .confirmed, planned: now, at: now, into: &actions)
        case .released:
            note(hold, .released, value, at: now, into: &actions)
            decideEvent(of: hold, .released, planned: due.at, at: now, into: &actions)
        }
        return true
    }

    private mutating func note(
        _ hold: Hold, _ state: HoldChange.State, _ value: Progress, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        actions.append(
            .held(
                HoldChange(
                    id: hold.key.id.string, origin: hold.client.origin, user: hold.client.user, scope: hold.client.scope,
                    state: state, value: value, at: now)))
    }

    /// All of them end without a hand.
    mutating func endHolds(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        for hold in holds.removeAll() { noteEnd(of: hold, at: now, into: &actions) }
    }

    /// It ends without the hand: nothing is felt of it, no event follows, and who shows it no longer waits.
    mutating func noteEnd(of hold: Hold, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        if hold.machine.isShown { note(hold, .released, .zero, at: now, into: &actions) }
    }

    /// `planned`: when it was to be felt. A step may be too old to be felt, the completion never is.
    private mutating func feel(
        _ hold: Hold, _ rule: HoldRule, _ value: Progress, isCompletion: Bool, planned: MonotonicInstant,
        at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var feedback = rule.feedback
        if isCompletion, let complete = rule.complete {
            (feedback.pattern, feedback.feedbackClass) = (complete, rule.completeClass)
        }
        let input = Input(
            client: hold.client, id: hold.key.id.string, app: hold.app, at: planned, feedback: hold.feedback, kind: .hold(.down))
        var decision = Decision(
            sequence: nextSequence(), at: now, input: .hold, source: input.id, app: hold.app, user: hold.client.user,
            scope: hold.client.scope, process: hold.client.process, value: .number(value.value),
            feedbackClass: feedback.feedbackClass, rule: rule.text,
            outcome: .suppressed)
        decision.origin = hold.client.origin
        var candidate = candidate(
            feedback, input, source: SourceKey(client: hold.client, id: input.id), intensity: nil)
        if isCompletion { (candidate.isLimited, candidate.deadline) = (false, nil) }
        play(candidate, decision, at: now, into: &actions)
    }

    private mutating func decideEvent(
        of hold: Hold, _ state: HoldChange.State, planned: MonotonicInstant, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let feedback: Input.FeedbackOverride = hold.feedback == .off ? .off : .normal
        let event = EventInput(name: "\(hold.key.id).\(state.rawValue)")
        // Nobody sent it, so nobody asks what became of it if no rule is for it.
        if hasNoEventRule(for: event.name) { return }
        decide(
            Input(
                client: hold.client, id: hold.key.id.string, app: hold.app, at: planned, feedback: feedback, kind: .event(event)),
            at: now, into: &actions)
    }
}
