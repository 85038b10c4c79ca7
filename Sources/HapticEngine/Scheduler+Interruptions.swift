// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Playbacks that wait until something more important is over, and go on where they would be by then.
extension Scheduler {
    /// Takes the actuator of `interruption` from the playback for a time.
    mutating func interrupt(_ id: PlaybackID, _ interruption: Playback.Interruption, at now: MonotonicInstant) {
        playing.removeAll { $0 == interruption.actuator.value }
        if let cut = channels[interruption.actuator.value].cutReason { playbacks[id]?.cutReason = cut }
        playbacks[id]?.actuators.removeAll { $0 == interruption.actuator }
        playbacks[id]?.interruptions.append(interruption)
        interruptionCount += 1
        note(id, at: now)
    }

    /// Has each playback go on that waits for an actuator which is free, or fades out, the most important one first.
    mutating func resume(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard interruptionCount > 0 else { return }
        let waitedFor = Set(playbacks.values.flatMap { $0.interruptions.map(\.actuator) })
        for index in waitedFor.sorted() where channels[index.value].isAvailable {
            while let id = interrupted(on: index).max(by: { isLessImportant($0, than: $1) }), let playback = playbacks[id],
                standing(on: index).map({ $0 < playback.priority }) ?? true
            {
                guard let interruption = playback.interruptions.first(where: { $0.actuator == index }) else { break }
                guard interruption.rest.isFelt(from: now) else {
                    drop(of: id, as: (.preempted, interruption.reason), at: now) { $0.actuator == index }
                    continue
                }
                goOn(id, with: interruption, at: now, into: &actions)
                break
            }
        }
    }

    private mutating func goOn(
        _ id: PlaybackID, with interruption: Playback.Interruption, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let (index, rest) = (interruption.actuator, interruption.rest)
        guard let playback = playbacks[id] else { return }
        var motion: Motion?
        // What fades out there loses it.
        if let loser = channels[index.value].playback {
            motion = channels[index.value].leave(forGlide: rest.glides(at: now), at: now, into: &actions)
            _ = detach(loser, from: index, ending: playbacks[loser]?.ending, at: now)
        }
        channels[index.value].resume(id, rest, fit: playback.isFitted, at: now, after: motion)
        playing.insert(index.value, at: playing.firstIndex { $0 > index.value } ?? playing.count)
        playbacks[id]?.interruptions.removeAll { $0.actuator == index }
        playbacks[id]?.actuators.append(index)
        interruptionCount -= 1
        note(id, at: now)
        nextDeadline = min(nextDeadline, now)
    }

    /// It waits no more for those actuators that `isMeant`; where it has no other, it ends.
    mutating func drop(
        of id: PlaybackID, as ending: (PlaybackEnd.Ending, Reason), at instant: MonotonicInstant,
        where isMeant: (Playback.Interruption) -> Bool
    ) {
        guard var playback = playbacks[id], !playback.interruptions.isEmpty else { return }
        let count = playback.interruptions.count
        playback.interruptions.removeAll(where: isMeant)
        interruptionCount -= count - playback.interruptions.count
        playbacks[id] = playback
        guard playback.actuators.isEmpty, playback.interruptions.isEmpty else { return }
        playbacks[id] = nil
        ends.append(PlaybackEnd(playback: id, ending: ending.0, reason: ending.1, at: instant))
        nextDeadline = min(nextDeadline, instant)
    }

    /// What `source` has waiting for the actuator makes room for what is newer of it.
    mutating func dropInterruptions(on index: ActuatorIndex, of source: SourceKey?, at now: MonotonicInstant) {
        guard interruptionCount > 0, source != nil else { return }
        for id in interrupted(on: index) where playbacks[id]?.source == source {
            drop(of: id, as: (.preempted, .superseded), at: now) { $0.actuator == index }
        }
    }

    /// What would be over by `now` is not felt any more.
    mutating func expire(by now: MonotonicInstant) {
        guard interruptionCount > 0 else { return }
        let late = playbacks.values.filter { $0.interruptions.contains { $0.rest.end <= now } }
        for playback in late.sorted(by: { $0.id < $1.id }) {
            for interruption in playback.interruptions.filter({ $0.rest.end <= now }).sorted(by: { $0.rest.end < $1.rest.end }) {
                drop(of: playback.id, as: (.preempted, interruption.reason), at: interruption.rest.end) {
                    $0.actuator == interruption.actuator
                }
            }
        }
    }

    /// When the next of those that wait will be over; `distantFuture` where none waits.
    var nextExpiry: MonotonicInstant {
        guard interruptionCount > 0 else { return .distantFuture }
        return playbacks.values.reduce(.distantFuture) { $1.interruptions.reduce($0) { min($0, $1.rest.end) } }
    }

    /// Those that wait for the actuator.
    func interrupted(on index: ActuatorIndex) -> [PlaybackID] {
        guard interruptionCount > 0 else { return [] }
        return playbacks.values.filter { $0.interruptions.contains { $0.actuator == index } }.map(\.id).sorted()
    }

    /// On a tie the newer is more important.
    private func isLessImportant(_ a: PlaybackID, than b: PlaybackID) -> Bool {
        let (first, second) = (playbacks[a]?.priority ?? 0, playbacks[b]?.priority ?? 0)
        return first == second ? a < b : first < second
    }

    // MARK: Announcing

    /// It may be felt nowhere since `now`, or again.
    mutating func note(_ id: PlaybackID, at now: MonotonicInstant) {
        guard let playback = playbacks[id] else { return }
        let isNews = playback.isInterrupted != playback.isAnnouncedInterrupted
        if !isNews, playback.unannounced == nil { return }
        playbacks[id]?.unannounced = isNews ? playback.unannounced ?? now : nil
        hasUnannounced = true
        nextDeadline = min(nextDeadline, now)
    }

    mutating func announceInterruptions(into actions: inout ActionBuffer) {
        guard hasUnannounced else { return }
        hasUnannounced = false
        for id in playbacks.values.filter({ $0.unannounced != nil }).map(\.id).sorted() {
            guard var playback = playbacks[id], let at = playback.unannounced else { continue }
            let state: PlaybackInterruption.State = playback.isInterrupted ? .interrupted : .resumed
            actions.append(.interruption(PlaybackInterruption(playback: id, state: state, at: at)))
            (playback.unannounced, playback.isAnnouncedInterrupted) = (nil, playback.isInterrupted)
            playbacks[id] = playback
        }
    }
}
