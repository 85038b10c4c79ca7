// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What is taken from a playback for a time, and comes back to it.
extension Oracle {
    /// `source`: that of what takes it, which `loser` does not wait for where it is its own.
    mutating func lose(_ actuator: Int, of loser: UInt64, to source: EventSource?) {
        judge(loser, on: actuator, until: now)
        endLeftOut(actuator)
        guard let part = removePart(actuator, of: loser), let playback = live[loser] else { return }
        if playback.resumes, playback.event != source { live[loser]!.waits.append(part) }
    }

    private mutating func removePart(_ actuator: Int, of id: UInt64) -> Part? {
        guard let number = live[id]?.parts.firstIndex(where: { $0.motor == actuator }) else { return nil }
        let part = live[id]!.parts.remove(at: number)
        note(part, lostBy: id)
        return part
    }

    private mutating func note(_ part: Part, lostBy id: UInt64) {
        if live[id]!.lost.at < now { live[id]!.lost = (now, []) }
        live[id]!.lost.parts.append(part)
    }

    /// What waits for the actuator makes room for what is newer of its source.
    mutating func replaceWaiting(on actuator: Int, for source: EventSource?) {
        for (id, playback) in live where playback.resumes && playback.event == source {
            guard let number = playback.waits.firstIndex(where: { $0.motor == actuator }) else { continue }
            live[id]!.waits.remove(at: number)
            seen.note(.waitReplaced)
        }
    }

    /// The engine takes the motor for gone: what is spread over several has lost it, and what would go on elsewhere does not do so there.
    mutating func lost(_ actuator: Int) {
        if let owner = motors[actuator].owner, live[owner]?.isPlain == false { live[owner]?.isSure = false }
        for (id, playback) in live where playback.resumes {
            for part in playback.waits where part.motor == actuator { note(part, lostBy: id) }
            live[id]!.waits.removeAll { $0.motor == actuator }
            guard playback.parts.contains(where: { $0.motor == actuator }) else { continue }
            judge(id, on: actuator, until: now)
            _ = removePart(actuator, of: id)
            (motors[actuator].owner, motors[actuator].ownedSince) = (nil, now)
            endLeftOut(actuator)
        }
    }

    /// A playback that waited has something to do again on `actuator`.
    mutating func resumed(_ id: UInt64, on actuator: Int, at planned: Int64) {
        guard let playback = live[id], let number = playback.waits.firstIndex(where: { $0.motor == actuator }) else {
            return fail("motor \(actuator) is given something for \(id), which it is not playing")
        }
        var part = live[id]!.waits.remove(at: number)
        require(!playback.isInterrupted, "playback \(id) goes on while it is said to wait")
        require(planned < playback.start + part.expectation.end, "playback \(id) goes on after its end")
        if let other = motors[actuator].owner {
            // That may end later on other motors.
            let isFree = live[other]?.cancels.isEmpty == false || isFelt(other, on: actuator)
            require(isFree, "playback \(id) takes motor \(actuator) from \(other)")
            lose(actuator, of: other, to: playback.event)
        } else {
            judgeSilence(of: actuator)
        }
        (motors[actuator].owner, motors[actuator].ownedSince) = (id, now)
        part.resumedAt = planned
        if part.expectation.mayGlide { part.transitions.append((planned, planned + Self.longestTransition)) }
        live[id]?.parts.append(part)
        seen.note(.resumed)
    }

    mutating func interruption(_ interruption: PlaybackInterruption) {
        let id = interruption.playback.value
        guard let playback = live[id] else { return fail("\(interruption.state) \(id), which does not play") }
        let isInterrupted = interruption.state == .interrupted
        require(playback.resumes && isInterrupted != playback.isInterrupted, "\(interruption.state) \(id) for nothing")
        // Where all of it was felt it plays no more, and may wait for another motor, which would have ended later. A batch that was taken
        // back may have had its other motors; then the rest of an impact may be left on one, and nothing goes on with that.
        let rest = playback.isSure ? 0 : Self.longestImpact
        let plays = playback.parts.filter { !isFelt(id, on: $0.motor) && playback.start + $0.expectation.end - now > rest }
        if isInterrupted { require(plays.isEmpty, "interrupted \(id), which plays on \(plays.map(\.motor))") }
        live[id]?.isInterrupted = isInterrupted
    }

    /// An alarm is never refused because of what waits. `decision` is that of a line without any other.
    mutating func judgeRefusal(_ decision: Decision) {
        guard decision.feedbackClass == .alarm, decision.input == .play, let bound = decision.bound else { return }
        let waiting = live.values.count { $0.isInterrupted && (bound == .playbacks || $0.user == decision.user) }
        require(waiting == 0, "an alarm was refused (\(bound)) while \(waiting) wait")
    }

    /// It is one too many beside what began at `instant`. It has not been forgotten yet, or it is the last that was.
    private func makesRoom(_ playback: Live, at instant: Int64) -> Bool {
        guard live.values.contains(where: { $0.start == instant }) else { return false }
        let others = live.values.filter { $0.user == playback.user }
        return live.count >= Board.bounds.playbacks || others.count >= Board.bounds.playbacksPerUser ?? .max
    }

    /// What waits ends as preempted when it would be over, where only the rest of an impact is left, where all that it waits for is
    /// taken by what is newer of its source, or where it makes room for what has just begun.
    mutating func judgeWaiting(_ id: UInt64, _ playback: Live, _ end: PlaybackEnd) {
        if playback.waits.isEmpty, end.reason == .superseded { return }
        if makesRoom(playback, at: end.at.nanoseconds) { return seen.note(.madeRoom) }
        let planned = (playback.waits + playback.parts).reduce(0) { max($0, $1.expectation.end) }
        let rest = playback.start + planned - end.at.nanoseconds
        require((0...Self.longestImpact).contains(rest), "playback \(id) gave up waiting \(rest) ns before its end")
        seen.note(.waitedInVain)
    }
}
