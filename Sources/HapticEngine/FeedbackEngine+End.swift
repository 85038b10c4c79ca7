// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Playbacks that end before their time, or go on to their next phase.
extension FeedbackEngine {
    mutating func cancel(_ request: CancelRequest, at now: MonotonicInstant, into actions: inout ActionBuffer) -> Int {
        if request.untilResumed {
            conditions.suspension.begin(at: now)
            endHolds(at: now, into: &actions)
        }
        let targets = targets(of: request)
        if request.mode == .advance { return advancePlaybacks(targets, past: .advanced, at: now, into: &actions) }
        let reason: Reason = request.untilResumed ? .suspended : .requested
        return endPlaybacks(targets, request.mode, as: (.cancelled, reason), at: now, into: &actions)
    }

    /// The playbacks that `request` targets. A scope reaches only its own ones.
    private func targets(of request: CancelRequest) -> [PlaybackID] {
        let ids =
            switch request.target {
            case .all: scheduler.playbacks.values.map(\.id).sorted()
            case .playback(let id): [id]
            case .source(let id): scheduler.playbacks.about(SourceKey(client: request.client, id: id))
            }
        guard request.client.scope != nil else { return ids }
        return ids.filter { scheduler.playbacks[$0]?.client.owner == request.client.owner }
    }

    /// Ends an open phase, present or to come, of these playbacks that lasts `until` this, and returns how many had one.
    @discardableResult
    mutating func advancePlaybacks(
        _ ids: [PlaybackID], past until: Pattern.Phase.Until, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> Int {
        ids.count { id in
            scheduler.playbacks[id]?.hasOpenPhases == true && scheduler.advance(id, past: until, at: now, into: &actions)
        }
    }

    /// Ends those that `isMeant`, and returns how many that were. It looks at all playbacks: whatever a line may have 256 times names them.
    @discardableResult
    mutating func endPlaybacks(
        _ mode: CancelMode, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        into actions: inout ActionBuffer, where isMeant: (Playback) -> Bool
    ) -> Int {
        endPlaybacks(scheduler.playbacks.values.filter(isMeant).map(\.id).sorted(), mode, as: ending, at: now, into: &actions)
    }

    /// Ends these playbacks, and returns how many of them did not end already.
    @discardableResult
    mutating func endPlaybacks(
        _ ids: [PlaybackID], _ mode: CancelMode, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) -> Int {
        var count = 0
        for id in ids {
            guard let playback = scheduler.playbacks[id], playback.ending == nil || mode == .immediate else { continue }
            count += 1
            let withdrawn = scheduler.end(id, mode, as: ending, at: now, into: &actions)
            if let withdrawn { withdraw(withdrawn, ending.1 == .superseded ? .preempted : .cancelled, ending.1, in: &actions) }
        }
        if count > 0 { scheduler.resume(at: now, into: &actions) }
        return count
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
