// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticRuntime

/// The events of an engine without a service, and the results and actions of any engine.
extension World {
    mutating func send(_ batch: [BatchItem]) { take(.batch(batch)) }

    mutating func connectionClosed(_ connection: UInt64) {
        count(.clientGone)
        loop.take(.connectionClosed(connection), at: now)
        if loop.actions.actions.contains(where: { if case .order(.revoke) = $0 { true } else { false } }) {
            oracle.seen.note("client gone")
        }
        carryOut(.connectionClosed(connection))
    }

    /// Applies another configuration. With other motors it replaces the executor, as the daemon does.
    mutating func reload(profile: Profile, replacing: Bool) {
        countReload(replacing: replacing)
        let configuration = EngineEvent.configuration(board.configuration(profile: profile, hasOtherMotors: hasOtherMotors))
        loop.take(configuration, at: now)
        handOut(of: configuration)
        if replacing { replaceExecutor() }
        proceed()
    }

    mutating func countReload(replacing: Bool) {
        count(replacing ? .replaced : .reload)
        if oracle.playing > 0 { oracle.seen.note(replacing ? "replaced in play" : "reload in play") }
        if replacing { hasOtherMotors.toggle() }
    }

    /// Passes `event` to the engine, and carries out its actions.
    mutating func take(_ event: EngineEvent) {
        loop.take(event, at: now)
        carryOut(event)
    }

    private mutating func carryOut(_ event: EngineEvent) {
        handOut(of: event)
        proceed()
    }

    private mutating func handOut(of event: EngineEvent) {
        took(event, at: now, loop.actions.results, loop.actions.actions)
        for case .order(let order) in loop.actions.actions { handOver(order) }
    }

    /// Carries out all due work of the engine.
    private mutating func proceed() {
        while loop.proceed(at: now) { handOut(of: .time) }
        commit()
        oracle.require(loop.engine.sourceCount <= Board.bounds.sources, "\(loop.engine.sourceCount) sources")
        oracle.require(loop.engine.playbackCount <= Board.bounds.playbacks, "\(loop.engine.playbackCount) playbacks")
        let playing = oracle.playing
        oracle.require(
            loop.engine.playbackCount == playing, "\(loop.engine.playbackCount) playbacks, of which \(playing) began")
    }

    // MARK: What comes out

    /// Judges the results and actions of `event`, with a service or without.
    mutating func took(_ event: EngineEvent, at instant: MonotonicInstant, _ results: [ItemResult], _ actions: [EngineAction]) {
        oracle.now = instant.nanoseconds
        defer { oracle.now = now.nanoseconds }
        tell(words(event))
        trace.combine(results)
        trace.combine(actions)
        switch event {
        case .batch(let batch, _): judge(results, of: batch)
        case .actuator(let index, isAvailable: true, _):
            oracle.restored(index.value)
            judge(results, of: [])
        case .refusal:
            for case .decided(let decision, _) in results { judge(decision, nil) }
        default: judge(results, of: [])
        }
        handRules.took(event, at: instant, results, actions)
        conditionRules.took(event, results)
        if let complaint = handRules.complaint ?? conditionRules.complaint { oracle.fail(complaint) }
        switch event {
        case .actuator(let index, isAvailable: false, _): oracle.lost(index.value)
        case .slept(let time):
            if offUntil < .distantFuture { offUntil = offUntil - time }
            if actions.contains(where: { if case .ended = $0 { true } else { false } }) { oracle.seen.note("slept") }
            oracle.slept(time.count)
        default: break
        }
        for action in actions {
            tell(words(action))
            judge(action, isLater: event == .time)
        }
        oracle.require(instant >= offUntil || oracle.playing == 0, "something plays while feedback is off")
    }

    /// Judges the result of each item of `batch`, and the decisions without an item.
    private mutating func judge(_ results: [ItemResult], of batch: [BatchItem]) {
        if batch.count > 1 { oracle.seen.note("batch") }
        oracle.require(results.count >= batch.count, "\(results.count) results of \(batch.count) items")
        for (index, result) in results.enumerated() {
            let item = index < batch.count ? batch[index] : nil
            switch (item, result) {
            case (.input(let input), .decided(let decision, let summary)):
                inputs += 1
                judge(decision, summary)
                oracle.decided(decision, on: input, isSingle: batch.count == 1)
                if case .play(let play) = input.kind, decision.playback != nil {
                    if case .stagger = play.spread { oracle.seen.note("staggered") }
                    if case .handOver = play.spread { oracle.seen.note("handed over") }
                }
            case (nil, .decided(let decision, let summary)): judge(decision, summary)
            case (.cancel(let request), .cancelled(let count)):
                oracle.cancelled(request, count)
                guard request.mode == .advance, case .playback(let id) = request.target else { break }
                if oracle.live[id.value] != nil { oracle.seen.note(count > 0 ? "advanced" : "late ending") }
            case (.change(let change), .changed): take(change)
            case (.change, .notChanged), (.condition, .condition): break
            default: oracle.fail("\(result) is no result of \(String(describing: item))")
            }
        }
    }

    private mutating func take(_ change: SettingsChange) {
        switch change.off {
        case .set(.forGood): offUntil = .distantFuture
        case .set(.until(let end)): offUntil = end
        case .restore: offUntil = .zero
        case nil: break
        }
    }

    private mutating func judge(_ decision: Decision, _ summary: PlaySummary?) {
        tell(words(decision))
        oracle.decided(decision)
        let resumes = board.rules.resumes && decision.rule == Board.resuming
        // The length of an open phase is not decided beforehand.
        let isOpen = board.open.contains { $0.name == decision.pattern }
        oracle.began(decision, pulses: isOpen ? nil : summary?.pulses, resumes: resumes)
        note(decision, summary)
    }

    private mutating func note(_ decision: Decision, _ summary: PlaySummary?) {
        oracle.seen.note(decision)
        if let summary, summary.mergedByMinGap > 0 { oracle.seen.note("merged pulse") }
        guard decision.playback != nil, let name = decision.pattern else { return }
        for kind in ["composed", "dense", "open"] where name.hasPrefix(kind) { oracle.seen.note(kind) }
    }

    /// - Parameter isLater: The action follows from time alone.
    private mutating func judge(_ action: EngineAction, isLater: Bool) {
        switch action {
        case .ended(let end):
            if let reason = end.reason { oracle.seen.note("ended \(reason.rawValue)") }
            if end.reason == .requested, isLater { oracle.seen.note("fade") }
            oracle.ended(end)
        case .held: break
        case .order(.actuate(let actuation)): oracle.handedOut(actuation)
        case .order(.revoke(_, let actuator, let from, _)): oracle.revoked(actuator.value, from: from.nanoseconds)
        case .interruption(let interruption): oracle.interruption(interruption)
        }
    }

    /// Sends `order` to the executor. A revocation may come too late: then the executor switches off again what it has just
    /// switched on.
    mutating func handOver(_ order: ActuationOrder) {
        backlog.append(.planned(order))
        guard case .revoke(_, let actuator, _, _) = order else { return }
        let motor = oracle.motors[actuator.value]
        guard motor.isOn, motor.lastChange >= now.nanoseconds - options.jitter else { return }
        oracle.seen.note("revoked on")
        let gap = motor.limits.limits.minGap.count
        oracle.disturb(actuator.value, from: now.nanoseconds, to: now.nanoseconds + gap + Self.settling)
    }
}
