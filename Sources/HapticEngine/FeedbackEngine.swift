// SPDX-License-Identifier: MIT
public import HapticCore
import HapticPatterns
import HapticPlanning

/// Decides what should be felt: identify → gate → trigger → shape → decide → plan.
///
/// Pure: reads no clock, opens nothing, logs nothing, locks nothing. Whatever can change a decision comes in by `take`, with an instant
/// that is never earlier than the one before. What is to be done goes out into the caller's `ActionBuffer`. `FeedbackLoop` surrounds it.
/// One thread.
public struct FeedbackEngine: ~Copyable {
    var inputs = Inputs()
    var arbiter: Arbiter
    private var lastSequence: UInt64 = 0

    /// `links`: fewer than all of them are for measuring what one costs.
    public init(_ configuration: EngineConfiguration, links: [PolicyLink] = PolicyLink.chain) {
        arbiter = Arbiter(Rules(configuration), links: links)
    }

    // MARK: What happens

    /// Takes `event`, which happens at `now`, and does what is due by then; after a configuration `time` does that. `actions` is empty,
    /// and gets what is to be done. Where it has no room for all, `nextDeadline` stays in the past: empty it and go on with `time`.
    public mutating func take(_ event: EngineEvent, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        // A refusal changes nothing but counts. The next look at the time does what is due.
        if case .refusal(let input, let source, let name, let app, let reason, let mistake, let client) = event {
            var decision = Decision(
                sequence: nextSequence(), at: now, input: input, source: source, app: app, user: client?.user,
                scope: client?.scope, process: client?.process, name: name, outcome: .failed, reason: reason)
            decision.circumstance = mistake.map { .mistake($0) }
            return arbiter.conclude(decision, into: &actions)
        }
        catchUp(to: now, into: &actions)
        switch event {
        case .batch(let items, let work): decide(items, work, at: now, into: &actions)
        case .connectionClosed(let connection): connectionClosed(connection, at: now, into: &actions)
        case .actuator(let index, true, let found):
            let actuator = configuration.actuators[index.value].with(found)
            arbiter.scheduler.restore(index, as: actuator, at: now, into: &actions)
        case .actuator(let index, false, _): arbiter.scheduler.lose(index, at: now, into: &actions)
        case .configuration(let new, let replacesDevices):
            configure(new, replacesDevices: replacesDevices, at: now, into: &actions)
            // What has come by itself may play on devices that whoever owns them has yet to replace: `time` does it.
            return plan(at: now, into: &actions)
        case .settings(let stored): arbiter.changeSettings(at: now, into: &actions) { $0.restore(stored, at: now) }
        case .localTime(let time): arbiter.policy.personal.setClock(to: time, at: now)
        case .slept(let time): slept(time, at: now, into: &actions)
        case .holdsWait(let wait): inputs.holds.areWaiting = wait
        case .shutdown:
            endHolds(at: now, into: &actions)
            arbiter.endPlaybacks(.immediate, as: (.cancelled, .shutdown), at: now, into: &actions) { _ in true }
        case .time, .refusal: break
        }
        advanceByItself(to: now, into: &actions)
        plan(at: now, into: &actions)
    }

    private mutating func decide(
        _ items: [BatchItem], _ work: WorkBudget, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        // trap: a larger batch is refused when its line is read.
        precondition(items.count <= WorkBudget.mostItems, "a batch has at most \(WorkBudget.mostItems) items")
        arbiter.work = work
        // By index: in a debug build an array's iterator is an allocation a turn.
        for index in items.indices {
            switch items[index] {
            case .input(let input): decide(input, at: now, into: &actions)
            case .cancel(let request):
                if request.untilResumed {
                    arbiter.policy.conditions.suspension.begin(at: now)
                    endHolds(at: now, into: &actions)
                }
                let count = arbiter.cancel(request, at: now, into: &actions)
                actions.results.append(.cancelled(count))
            case .change(let change): actions.results.append(take(change, at: now, into: &actions))
            case .condition(let request):
                let configuration = configuration
                let change = arbiter.changeConditions(at: now, into: &actions) { $0.take(request, configuration) }
                actions.results.append(.condition(change))
            }
        }
        arbiter.commit()
    }

    /// Decides on an input: its part says what it requests.
    private mutating func decide(_ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        if case .release = input.kind { release(input, at: now, into: &actions) }
        var decision = Decision(on: input, sequence: nextSequence(), at: now)
        let isSuspended = arbiter.policy.conditions.suspension.contains(now)
        let requested = inputs.take(
            input, arbiter.rules, isSuspended: isSuspended, work: &arbiter.work, at: now, &decision)
        decide(requested, decision, at: now, into: &actions)
    }

    private mutating func decide(
        _ requested: RequestedFeedback, _ decision: consuming Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        switch requested {
        case .none(let reason): arbiter.suppress(decision, reason, into: &actions)
        case .feedback(let candidate): arbiter.play(candidate, decision, at: now, into: &actions)
        case .followed(let value): inputs.follows.decide(value, decision, &arbiter, at: now, into: &actions)
        }
    }

    /// Takes the source of `input` back to 0, and with it what it began in this batch; what plays until its release goes on with its next
    /// phase.
    private mutating func release(_ input: borrowing Input, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let key = SourceKey(client: input.client, id: input.id)
        if inputs.sources.release(key, by: input.client, at: now, configuration.bounds) {
            arbiter.endBegun(by: key, at: now, into: &actions)
            inputs.follows.release(key, &arbiter.scheduler, at: now, into: &actions)
        }
        arbiter.advancePlaybacks(arbiter.scheduler.playbacks.about(key), past: .released, at: now, into: &actions)
    }

    /// Takes a change of the settings of a person.
    private mutating func take(
        _ change: SettingsChange, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> ItemResult {
        do throws(Settings.TooManyApps) {
            try arbiter.changeSettings(at: now, into: &actions) { personal throws(Settings.TooManyApps) in
                try personal.take(change, at: now)
            }
            return .changed(settings)
        } catch {
            return .notChanged(error)
        }
    }

    private mutating func connectionClosed(_ connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        inputs.sources.forgetSources(ofConnection: connection)
        inputs.things.forgetParts(ofConnection: connection)
        arbiter.policy.conditions.release(ofConnection: connection, configuration)
        for hold in inputs.holds.release(ofConnection: connection, arbiter.rules, at: now) {
            decideRelease(of: hold, .released, at: now, into: &actions)
        }
        inputs.follows.release(ofConnection: connection, &arbiter.scheduler, at: now, into: &actions)
        arbiter.endPlaybacks(.graceful, as: (.cancelled, .clientGone), at: now, into: &actions) {
            $0.traits.endsWithClient && $0.client.connection == connection
        }
    }

    private mutating func configure(
        _ new: EngineConfiguration, replacesDevices: Bool, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let old = arbiter.rules
        if replacesDevices || new.actuators != old.configuration.actuators {
            arbiter.endPlaybacks(.immediate, as: (.cancelled, .reload), at: now, into: &actions) { _ in true }
            arbiter.scheduler.flushEnds(into: &actions)
            arbiter.scheduler = arbiter.scheduler.renewed(actuators: new.actuators)
        }
        if new.classes != old.configuration.classes { arbiter.policy.configure(new.classes) }
        inputs.holds.outdateRules(old.configuration.holdRules, at: now)
        arbiter.rules = Rules(new, generation: old.generation + 1)
        arbiter.changeConditions(at: now, into: &actions) { $0.configure(new) }
        findHoldRules(at: now, into: &actions)
        inputs.tasks.outdateRules(at: now)
        arbiter.changeSettings(at: now, into: &actions) { $0.configure(new.settings) }
    }

    /// What was playing ends: it is of another day, and so may its source be.
    private mutating func slept(_ time: Nanoseconds, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        arbiter.policy.conditions.suspension.end()
        arbiter.policy.personal.pass(time, before: now)
        arbiter.endPlaybacks(.immediate, as: (.cancelled, .suspended), at: now, into: &actions) { _ in true }
        arbiter.scheduler.cool(for: time)
        endHolds(at: now, into: &actions)
        inputs.age(by: time, at: now, configuration.bounds)
    }

    private mutating func catchUp(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        if now >= arbiter.scheduler.nextDeadline { arbiter.scheduler.finishEnded(by: now, into: &actions) }
        if now >= inputs.follows.nextDeadline { inputs.follows.advance(to: now, &arbiter.scheduler, into: &actions) }
        arbiter.policy.personal.endOff(by: now)
        inputs.sources.forgetSources(heardBefore: now - configuration.bounds.sourceTimeout)
    }

    private mutating func plan(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        if now >= arbiter.scheduler.nextDeadline { arbiter.scheduler.advance(to: now, into: &actions) }
    }

    /// Each decision has its own, in the order in which they are made.
    private mutating func nextSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }

    // MARK: By itself

    /// The most of holds and tasks that one call does; what is left is due in the next one.
    static let mostByItself = 64

    /// What has come by itself, in the order in which it came. It may cost what one line may, and costs the line at hand nothing.
    private mutating func advanceByItself(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard inputs.nextDeadline <= now else { return }
        if inputs.holds.nextDeadline <= now { findHoldRules(at: now, into: &actions) }
        let remainder = arbiter.work
        arbiter.work = WorkBudget()
        defer { arbiter.work = remainder }
        for _ in 0..<Self.mostByItself {
            let isHold = inputs.holds.nextDeadline <= inputs.tasks.nextDeadline
            guard isHold ? advanceHold(to: now, into: &actions) : advanceTask(to: now, into: &actions) else { break }
        }
        arbiter.commit()
    }

    /// Does the next thing that has come of a hold by `now`; false: nothing has.
    private mutating func advanceHold(to now: MonotonicInstant, into actions: inout ActionBuffer) -> Bool {
        switch inputs.holds.advance(to: now, arbiter.rules) {
        case nil: return false
        case .nothing: break
        case .leaseEnded(let hold): decideRelease(of: hold, .leaseExpired, at: now, into: &actions)
        case .due(let hold, let due, let value):
            switch due.what {
            case .began(let value): actions.append(hold.change(.began, value, at: now))
            case .step(let value):
                actions.append(hold.change(.progress, value, at: now))
                decideStep(of: hold, value, isCompletion: false, planned: due.at, at: now, into: &actions)
            case .confirmed:
                actions.append(hold.change(.confirmed, .one, at: now))
                decideStep(of: hold, .one, isCompletion: true, planned: due.at, at: now, into: &actions)
                // What was confirmed is felt, however late that was seen: its event is one of now.
                decideEvent(of: hold, .confirmed, planned: now, at: now, into: &actions)
            case .released:
                actions.append(hold.change(.released, value, at: now))
                decideEvent(of: hold, .released, planned: due.at, at: now, into: &actions)
            }
        }
        return true
    }

    /// `planned`: the instant at which it was to be felt.
    private mutating func decideStep(
        of hold: Hold, _ value: Progress, isCompletion: Bool, planned: MonotonicInstant, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let input = hold.input(.hold(.down), planned: planned)
        var decision = Decision(on: input, sequence: nextSequence(), at: now)
        let candidate = hold.step(value, isCompletion: isCompletion, of: input, arbiter.rules, &decision)
        arbiter.play(candidate, decision, at: now, into: &actions)
    }

    private mutating func decideEvent(
        of hold: Hold, _ state: HoldChange.State, planned: MonotonicInstant, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        let event = EventInput(name: "\(hold.key.id).\(state.rawValue)")
        // Nobody sent it, so nobody asks what became of it if no rule is for it.
        if arbiter.rules.hasNoEventRule(for: event.name, work: &arbiter.work) { return }
        var input = hold.input(.event(event), planned: planned)
        if input.feedback != .off { input.feedback = .normal }
        decide(input, at: now, into: &actions)
    }

    /// Decides as if the client had released the hold.
    private mutating func decideRelease(
        of hold: Hold, _ reason: Reason, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        var decision = Decision(on: hold.input(.hold(.up), planned: now), sequence: nextSequence(), at: now)
        (decision.value, decision.origin) = (.string(Text(HoldState.up.rawValue)), hold.client.origin)
        arbiter.suppress(decision, reason, into: &actions)
    }

    /// Finds the rules of outdated holds within the budget of a line; the other holds follow later.
    private mutating func findHoldRules(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard inputs.holds.rulesDue != nil else { return }
        noteEnds(of: inputs.holds.findRules(arbiter.rules, at: now, work: WorkBudget()), at: now, into: &actions)
    }

    /// All of them end without a hand.
    private mutating func endHolds(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        noteEnds(of: inputs.holds.removeAll(), at: now, into: &actions)
    }

    /// These end without the hand: nothing is felt of them, no event follows, and whoever shows one no longer waits.
    private func noteEnds(of holds: [Hold], at now: MonotonicInstant, into actions: inout ActionBuffer) {
        for hold in holds where hold.machine.isShown { actions.append(hold.change(.released, .zero, at: now)) }
    }

    /// Does the next thing that a task has to do by `now`; false: none has.
    private mutating func advanceTask(to now: MonotonicInstant, into actions: inout ActionBuffer) -> Bool {
        switch inputs.tasks.advance(to: now, arbiter.rules, work: &arbiter.work) {
        case nil: return false
        case .nothing: break
        case .timedOut(let task):
            let input = task.input(at: now)
            var decision = Decision(on: input, sequence: nextSequence(), at: now)
            decision.value = .string(Text(TaskState.failed.rawValue))
            decision.circumstance = .timedOut(after: task.timeout)
            let requested = task.feedback(.failed, of: input, arbiter.rules, &decision)
            decide(requested, decision, at: now, into: &actions)
        case .working(let task, let rule, let working):
            let input = task.input(at: now)
            var decision = Decision(on: input, sequence: nextSequence(), at: now)
            let candidate = task.feedback(working, rule: rule, of: input, arbiter.rules, &decision)
            arbiter.play(candidate, decision, at: now, into: &actions)
        }
        return true
    }
}
