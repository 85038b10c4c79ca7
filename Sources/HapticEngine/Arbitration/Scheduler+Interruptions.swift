// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Playbacks that wait until something more important is over, and go on where they would be by then.
extension Scheduler {
    /// Takes the actuator of `interruption` from the playback for a time. If too many wait for it, the least important gives up.
    mutating func interrupt(_ interruption: Interruption, at now: MonotonicInstant) {
        let (id, index) = (interruption.playback, interruption.actuator)
        playing.removeAll { $0 == index.value }
        let cut = channels[index.value].cutReason
        playbacks.change(id) {
            if let cut { $0.played.cutReason = cut }
            $0.actuators.removeAll { $0 == index }
            $0.waiting.actuators.append(index)
        }
        note(id, at: now)
        if let excess = waiting.add(interruption) { stopWaiting(excess, at: now) }
    }

    /// Has each playback go on that waits for an actuator which is free, or fades out, the most important one first.
    mutating func resume(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard waiting.count > 0 else { return }
        for index in channels.indices.map(ActuatorIndex.init) where channels[index.value].isAvailable {
            while let first = waiting[index].first, standing(on: index).map({ $0 < first.priority }) ?? true {
                guard first.remainder.isFelt(from: now) else {
                    stopWaiting(first, at: now)
                    continue
                }
                resume(first, at: now, into: &actions)
                break
            }
        }
    }

    private mutating func resume(_ interruption: Interruption, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let (id, index, remainder) = (interruption.playback, interruption.actuator, interruption.remainder)
        var motion: Motion?
        // What fades out there loses it.
        if let loser = channels[index.value].playback {
            motion = channels[index.value].leave(forGlide: remainder.glides(at: now), at: now, into: &actions)
            _ = detach(loser, from: index, ending: playbacks[loser]?.ending, at: now)
        }
        channels[index.value].resume(id, remainder, fit: playbacks[id]?.traits.isFitted ?? true, at: now, after: motion)
        playing.insert(index.value, at: playing.firstIndex { $0 > index.value } ?? playing.count)
        waiting.remove(id, from: index)
        playbacks.change(id) {
            $0.waiting.actuators.removeAll { $0 == index }
            $0.actuators.append(index)
        }
        note(id, at: now)
        nextDeadline = min(nextDeadline, now)
    }

    /// The playback does not wait for the actuator any more, and ends if it has no other: as `ending`, or else as it would have without it.
    mutating func stopWaiting(
        _ interruption: Interruption, as ending: (PlaybackEnd.Ending, Reason)? = nil, at instant: MonotonicInstant
    ) {
        let id = interruption.playback
        waiting.remove(id, from: interruption.actuator)
        playbacks.change(id) { $0.waiting.actuators.removeAll { $0 == interruption.actuator } }
        guard let playback = playbacks[id], playback.actuators.isEmpty, playback.waiting.actuators.isEmpty else { return }
        playbacks.remove(id)
        let (how, why) = ending ?? (.preempted, interruption.reason)
        ends.append(PlaybackEnd(playback: id, ending: how, reason: why, at: instant))
        nextDeadline = min(nextDeadline, instant)
    }

    /// The playback waits for nothing any more.
    mutating func stopWaiting(
        _ id: PlaybackID, as ending: (PlaybackEnd.Ending, Reason)? = nil, at instant: MonotonicInstant
    ) {
        for index in playbacks[id]?.waiting.actuators ?? [] {
            if let interruption = waiting.interruption(of: id, on: index) {
                stopWaiting(interruption, as: ending, at: instant)
            }
        }
    }

    /// Those that `isMeant` do not wait for the actuator any more.
    mutating func stopWaiting(
        for index: ActuatorIndex, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        where isMeant: (Playback) -> Bool = { _ in true }
    ) {
        guard waiting.count > 0 else { return }
        for interruption in waiting[index].sorted(by: { $0.playback < $1.playback }) {
            guard let playback = playbacks[interruption.playback], isMeant(playback) else { continue }
            stopWaiting(interruption, as: ending, at: now)
        }
    }

    /// Drops the waiting playback of `source` on the actuator, because a newer one begins.
    mutating func dropInterruptions(on index: ActuatorIndex, of source: SourceKey?, at now: MonotonicInstant) {
        guard source != nil else { return }
        stopWaiting(for: index, as: (.preempted, .superseded), at: now) { $0.source == source }
    }

    /// Ends waiting playbacks that would be over by `now`.
    mutating func expire(by now: MonotonicInstant) {
        for interruption in waiting.ended(by: now) { stopWaiting(interruption, at: interruption.end) }
    }

    // MARK: Announcing

    /// It may be felt nowhere since `now`, or again.
    mutating func note(_ id: PlaybackID, at now: MonotonicInstant) {
        guard let playback = playbacks[id] else { return }
        let isNews = playback.isInterrupted != playback.waiting.isAnnounced
        if !isNews, playback.waiting.unannounced == nil { return }
        if isNews, playback.waiting.unannounced == nil { unannounced.append(id) }
        playbacks.change(id) { $0.waiting.unannounced = isNews ? playback.waiting.unannounced ?? now : nil }
        nextDeadline = min(nextDeadline, now)
    }

    mutating func announceInterruptions(into actions: inout ActionBuffer) {
        guard !unannounced.isEmpty else { return }
        for id in unannounced.sorted() {
            // It has ended, is as it was announced, or has been announced just now.
            guard let playback = playbacks[id], let at = playback.waiting.unannounced else { continue }
            let state: PlaybackInterruption.State = playback.isInterrupted ? .interrupted : .resumed
            actions.append(.interruption(PlaybackInterruption(playback: id, state: state, at: at)))
            playbacks.change(id) { ($0.waiting.unannounced, $0.waiting.isAnnounced) = (nil, playback.isInterrupted) }
        }
        unannounced.removeAll(keepingCapacity: true)
    }
}
