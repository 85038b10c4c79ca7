// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Playbacks that end before their time, or go on to their next phase.
extension Arbiter {
    mutating func cancel(_ request: CancelRequest, at now: MonotonicInstant, into actions: inout ActionBuffer) -> Int {
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

    /// Ends the playbacks that progress of `source` began in the batch at hand: the source goes back to 0.
    mutating func endBegun(by source: SourceKey, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let begun = scheduler.playbacks.about(source).filter {
            scheduler.playbacks[$0].map { $0.source == source && $0.item != nil && !$0.traits.isPlayInput } ?? false
        }
        endPlaybacks(begun, .immediate, as: (.cancelled, .superseded), at: now, into: &actions)
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

    // MARK: Another policy

    /// Changes what people have set, and ends what is to be felt no more. What plays when quiet hours begin, or when a strength is set,
    /// goes on as it is.
    mutating func changeSettings<Failure>(
        at now: MonotonicInstant, into actions: inout ActionBuffer, _ change: (inout PersonalSettings) throws(Failure) -> Void
    ) throws(Failure) {
        let oldProfile = policy.profile
        try change(&policy.personal)
        if policy.personal.settings.off != nil {
            endPlaybacks(.immediate, as: (.cancelled, .off), at: now, into: &actions) { _ in true }
        }
        if policy.profile != oldProfile { endSilenced(at: now, into: &actions) }
    }

    /// Ends what the profile in force wants nothing of. What means something never becomes nothing under `reduced`.
    private mutating func endSilenced(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let (classes, profile) = (rules.configuration.classes, policy.profile)
        let keepsMeanings = profile == .reduced && rules.configuration.meanings != nil
        endPlaybacks(.graceful, as: (.cancelled, .profile), at: now, into: &actions) {
            classes[$0.feedbackClass].effect(of: profile) == .nothing && !(keepsMeanings && $0.pattern.meaning != nil)
        }
        if profile == .reduced { darken(for: .profile, at: now, into: &actions) }
    }

    /// Changes the conditions in force. Lights whose flashes are not counted go out when the first condition with the profile `reduced`
    /// begins. All else plays on.
    mutating func changeConditions<Result>(
        at now: MonotonicInstant, into actions: inout ActionBuffer, _ change: (inout ConditionTable) -> Result
    ) -> Result {
        let boundedFlashes = policy.conditions.boundsFlashes
        let result = change(&policy.conditions)
        if policy.conditions.boundsFlashes, !boundedFlashes { darken(for: .condition, at: now, into: &actions) }
        return result
    }

    /// Lights go out where nobody has counted how often they flash.
    private mutating func darken(for reason: Reason, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let withdrawn = scheduler.darken(as: (.cancelled, reason), at: now, into: &actions) {
            !$0.traits.countsFlashes && $0.feedbackClass != .alarm
        }
        for playback in withdrawn { withdraw(playback, .cancelled, reason, in: &actions) }
    }
}
