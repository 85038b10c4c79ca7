// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Playbacks that end before their time, or go on to their next phase.
extension FeedbackEngine {
    mutating func cancel(_ request: CancelRequest, at now: MonotonicInstant, into actions: inout ActionBuffer) -> Int {
        if request.untilResumed {
            suspension.begin(at: now)
            endHolds(at: now, into: &actions)
        }
        func isMeant(_ playback: Playback) -> Bool {
            switch request.target {
            case .all: true
            case .playback(let id): playback.id == id
            case .source(let id): playback.source.map { $0.owner == .user(request.client.user) && $0.id == Text(id) } ?? false
            }
        }
        if request.mode == .advance { return advancePlaybacks(past: .advanced, at: now, into: &actions, where: isMeant) }
        let reason: Reason = request.untilResumed ? .suspended : .requested
        return endPlaybacks(request.mode, as: (.cancelled, reason), at: now, into: &actions, where: isMeant)
    }

    /// Ends an open phase, present or to come, of those that `isMeant` that lasts `until` this, and returns how many had one.
    @discardableResult
    mutating func advancePlaybacks(
        past until: Pattern.Phase.Until, at now: MonotonicInstant, into actions: inout ActionBuffer,
        where isMeant: (Playback) -> Bool
    ) -> Int {
        let meant = scheduler.playbacks.values.filter { $0.hasOpenPhases && isMeant($0) }
        var waited = 0
        for playback in meant.sorted(by: { $0.id < $1.id }) {
            if scheduler.advance(playback.id, past: until, at: now, into: &actions) { waited += 1 }
        }
        return waited
    }

    /// Ends those that `isMeant`, and returns how many that were.
    @discardableResult
    mutating func endPlaybacks(
        _ mode: CancelMode, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        into actions: inout ActionBuffer, where isMeant: (Playback) -> Bool
    ) -> Int {
        let meant = scheduler.playbacks.values.filter { ($0.ending == nil || mode == .immediate) && isMeant($0) }
        for playback in meant.sorted(by: { $0.id < $1.id }) {
            let withdrawn = scheduler.end(playback.id, mode, as: ending, at: now, into: &actions)
            if let withdrawn { withdraw(withdrawn, ending.1 == .superseded ? .preempted : .cancelled, ending.1, in: &actions) }
        }
        scheduler.resume(at: now, into: &actions)
        return meant.count
    }

    /// Rewrites the decisions on earlier items of the batch that began `playback`, or that it went on with: it has never begun.
    mutating func withdraw(_ playback: Playback, _ outcome: Outcome, _ reason: Reason, in actions: inout ActionBuffer) {
        guard let item = playback.item else { return }
        for index in item..<actions.results.count {
            guard case .decided(var decision, let summary) = actions.results[index], decision.playback == playback.id else {
                continue
            }
            counters.remove(decision.outcome, decision.reason)
            (decision.outcome, decision.reason) = (outcome, reason)
            (decision.actuators, decision.playback, decision.feel) = ([], nil, nil)
            counters.add(outcome, reason)
            actions.results[index] = .decided(
                decision, summary.map { PlaySummary(steps: $0.steps, pulses: 0, mergedByMinGap: 0) })
        }
        if playback.isLimited { limiters[playback.feedbackClass.index].refund() }
    }
}
