// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime

/// What goes into the engine where no service is around it, and what comes out of it either way.
extension World {
    /// Has the engine decide `batch`; `requests`, by their index: what each is to feel like.
    mutating func send(_ batch: [BatchItem], _ requests: [Request?]) {
        loop.take(.batch(batch), at: now)
        if let complaint = people.complaint(of: batch, loop.actions.results, at: now) { oracle.fail(complaint) }
        judge(loop.actions.results, of: batch) { index, _ in requests[index] }
        carryOut(.batch(batch))
        oracle.require(!people.isOff(now) || oracle.playing == 0, "something plays while feedback is off")
    }

    mutating func setClock(to time: LocalTime) {
        people.hasSet(time, at: now)
        take(.localTime(time))
    }

    mutating func connectionClosed(_ connection: UInt64) {
        count(.clientGone)
        oracle.cancelled()
        loop.take(.connectionClosed(connection), at: now)
        if loop.actions.actions.contains(where: { if case .revoke = $0 { true } else { false } }) {
            oracle.seen.note(.clientGone)
        }
        carryOut(.connectionClosed(connection))
    }

    /// Takes another configuration; with other motors the executor is replaced, as by the daemon.
    mutating func reload(profile: Profile, replacing: Bool) {
        countReload(replacing: replacing)
        oracle.cancelled()
        let configuration = EngineEvent.configuration(board.configuration(profile: profile, hasOtherMotors: hasOtherMotors))
        loop.take(configuration, at: now)
        handOut(of: configuration)
        if replacing { replaceExecutor() }
        goOn()
    }

    mutating func countReload(replacing: Bool) {
        count(replacing ? .replaced : .reload)
        if oracle.playing > 0 { oracle.seen.note(replacing ? .replacedInPlay : .reloadInPlay) }
        if replacing { hasOtherMotors.toggle() }
    }

    /// The machine sleeps, and no clock counts it.
    mutating func sleep(_ time: Nanoseconds) {
        oracle.cancelled()
        people.slept(time)
        loop.take(.slept(time), at: now)
        if loop.actions.actions.contains(where: { if case .ended = $0 { true } else { false } }) { oracle.seen.note(.slept) }
        carryOut(.slept(time))
        oracle.slept(time.count)
    }

    mutating func shutdown() {
        take(.shutdown)
    }

    /// What is said is sent as a batch.
    mutating func take(_ event: EngineEvent) {
        loop.take(event, at: now)
        carryOut(event)
    }

    /// What came of `event`, which the engine has taken; what became of the items of a batch has been judged.
    mutating func carryOut(_ event: EngineEvent) {
        handOut(of: event)
        goOn()
    }

    private mutating func handOut(of event: EngineEvent) {
        var isLater = false
        switch event {
        case .batch: break
        case .time:
            isLater = true
            judgeByItself()
        default: judgeByItself()
        }
        judgeHands(event)
        handOut(isLater)
    }

    /// Does what is due.
    private mutating func goOn() {
        while loop.goOn(at: now) {
            judgeByItself()
            judgeHands(.time)
            handOut(true)
        }
        commit()
        oracle.require(loop.engine.sourceCount <= Board.bounds.sources, "\(loop.engine.sourceCount) sources")
        oracle.require(loop.engine.playbackCount <= Board.bounds.playbacks, "\(loop.engine.playbackCount) playbacks")
        let playing = oracle.playing
        oracle.require(
            loop.engine.playbackCount == playing, "\(loop.engine.playbackCount) playbacks, of which \(playing) began")
    }

    private mutating func judgeByItself() { judge(loop.actions.results, of: []) { _, _ in nil } }

    private mutating func judgeHands(_ event: EngineEvent) {
        handJudge.took(event, at: now, loop.actions.results, loop.actions.actions)
        if let complaint = handJudge.complaint { oracle.fail(complaint) }
    }

    private mutating func handOut(_ isLater: Bool) {
        for action in loop.actions.actions {
            judge(action, isLater: isLater)
            if let order = ExecutorOrder(action) { handOver(order) }
        }
    }

    // MARK: What comes out

    /// Takes what became of each of `batch`, and what came by itself then; `request`: what the decision at an index was asked for, where that was a `play`.
    mutating func judge(
        _ results: [ItemResult], of batch: [BatchItem], request: (_ index: Int, Decision) -> Request?
    ) {
        let isInput = batch.map { if case .input = $0 { true } else { false } }
        inputs += isInput.count { $0 }
        if batch.count > 1 { oracle.seen.note(.batch) }
        for item in batch {
            switch item {
            case .cancel(let request) where request.mode == .advance: break
            case .cancel, .change: oracle.cancelled()
            case .input: break
            }
        }
        if story != nil { for item in batch { tell(Self.text(item)) } }
        oracle.require(results.count >= batch.count, "\(results.count) results of \(batch.count) items")
        var tookBack = false
        for (index, outcome) in results.enumerated() {
            guard case .decided(let decision, let summary) = outcome else {
                oracle.require(index < batch.count && !isInput[index], "an input without a decision")
                continue
            }
            oracle.require(index >= batch.count || isInput[index], "a decision on what is no input")
            if index >= batch.count, decision.playback != nil {
                let mayBegin = decision.feedbackClass.map { people.mayBeFelt($0, at: now) } ?? false
                oracle.require(mayBegin, "it began against people's will: \(decision)")
            }
            judge(decision)
            if batch.count == 1 { oracle.judgeRefusal(decision) }
            if decision.outcome == .preempted || decision.outcome == .cancelled { tookBack = true }
            if decision.outcome != .played { oracle.seen.note(decision.reason == .quota ? .refusedInput : .judged) }
            switch decision.policy?.objection {
            case .off: oracle.seen.note(.refusedOff)
            case .quietHours: oracle.seen.note(.refusedQuiet)
            case .strength: oracle.seen.note(.refusedStrength)
            case .access: oracle.seen.note(.refusedAlarm)
            default: break
            }
            if case .hot = decision.circumstance { oracle.seen.note(.heated) }
            if let summary, summary.mergedByMinGap > 0 { oracle.seen.note(.mergedPulse) }
        }
        if tookBack {
            oracle.seen.note(.takenBack)
            oracle.tookBack()
        }
        for (index, outcome) in results.enumerated() {
            guard index < batch.count else {
                beganByItself(outcome)
                continue
            }
            switch (batch[index], outcome) {
            case (.input(let input), .decided(let decision, let summary)):
                let source = input.id.map { Oracle.Source(user: input.client.user, id: $0) }
                if case .release = input.kind, let source {
                    oracle.released(source)
                    oracle.letGo(source)
                }
                if let followed = Follower.source(of: input, decision) {
                    let motors = decision.actuators.map(Board.number)
                    oracle.said(
                        followed, decision, on: motors,
                        like: Expectation(board.shapes["soft"]!, gain: 1, train: nil, repetitions: 1))
                    continue
                }
                guard let id = decision.playback else { continue }
                let ofThings = decision.things.flatMap { board.request(of: $0, replacement: input.feedback.replacement) }
                let wanted = ofThings ?? request(index, decision)
                let parts = board.parts(of: decision, summary, wanted)
                oracle.began(
                    id.value, parts, pulses: summary?.pulses, source: source, event: Oracle.EventSource(input),
                    resumes: board.resumes && decision.rule.map(Board.resuming.contains) ?? false, user: input.client.user)
            case (.cancel(let request), .cancelled(let count)) where request.mode == .advance:
                let waited = oracle.advanced(request.target, by: request.client.user)
                // What else is in the batch may have ended some of them.
                let isRight = batch.count > 1 || waited.contains(count)
                oracle.require(isRight, "\(count) had a phase that waited, and there were \(waited)")
            default: break
            }
        }
        // What began in this batch may have lost motors to what was taken back.
        if tookBack { oracle.tookBack() }
    }

    /// A step of a hold, an event that follows it, or what a task has to say.
    private mutating func beganByItself(_ outcome: ItemResult) {
        guard case .decided(let decision, let summary) = outcome, let id = decision.playback else { return }
        let user = decision.user ?? 0
        let source = decision.source.map { Oracle.Source(user: user, id: $0) }
        let event = decision.name.map { Oracle.EventSource(name: $0, id: decision.source, owner: UInt64(user)) }
        let parts = board.parts(of: decision, summary, nil)
        oracle.began(id.value, parts, pulses: summary?.pulses, source: source, event: event, resumes: false, user: user)
    }

    mutating func judge(_ decision: Decision) {
        oracle.decided(decision)
        trace.add(decision)
        tell(
            "\(decision.outcome) \(decision.reason.map { "\($0)" } ?? "") \(decision.pattern ?? "") \(decision.playback?.value ?? 0) on \(decision.actuators)"
        )
    }

    /// `isLater`: it comes of time alone.
    mutating func judge(_ action: EngineAction, isLater: Bool) {
        trace.add(action)
        tell(Self.text(action))
        switch action {
        case .ended(let end):
            // Each walk ends with a sleep, which shows nothing of cancels.
            if end.ending == .cancelled, end.reason != .suspended { oracle.seen.note(isLater ? .fade : .immediateCancel) }
            if end.reason == .profile { oracle.seen.note(.profileEnd) }
            if end.reason == .off { oracle.seen.note(.offEnd) }
            oracle.ended(end)
        case .held: break
        case .actuate(let actuation): oracle.handedOut(actuation)
        case .revoke(_, let actuator, let from, _): oracle.revoked(actuator.value, from: from.nanoseconds)
        case .interruption(let interruption): oracle.interruption(interruption)
        }
    }

    /// It is on its way to the executor.
    mutating func handOver(_ order: ExecutorOrder) {
        if case .revoke(_, let actuator, _, _) = order { noteRevoked(actuator.value) }
        backlog.append(order)
    }

    /// The executor may have been quicker than the revocation: what it switched on just now it switches off again.
    private mutating func noteRevoked(_ actuator: Int) {
        let motor = oracle.motors[actuator]
        guard motor.isOn, motor.lastChange >= now.nanoseconds - options.jitter else { return }
        oracle.seen.note(.revokedOn)
        oracle.disturb(actuator, from: now.nanoseconds, to: now.nanoseconds + motor.limits.minGap + Self.settling)
    }
}

extension Oracle.EventSource {
    /// Nil: it is no event.
    init?(_ input: Input) {
        guard case .event(let event) = input.kind else { return nil }
        let owner = input.id == nil ? input.client.connection : UInt64(input.client.user)
        self.init(name: event.name, id: input.id, owner: owner)
    }
}

extension ExecutorOrder {
    /// What the engine wants of the executor; nil: nothing.
    init?(_ action: EngineAction) {
        switch action {
        case .actuate(let actuation): self = .actuate(actuation)
        case .revoke(let playback, let actuator, let from, let goesOn):
            self = .revoke(playback, actuator, from: from, goesOn: goesOn)
        case .ended, .interruption, .held: return nil
        }
    }
}

extension Input.FeedbackOverride {
    /// The pattern that is felt in the place of the rule's.
    fileprivate var replacement: String? { if case .pattern(let pattern) = self { pattern.name } else { nil } }
}
