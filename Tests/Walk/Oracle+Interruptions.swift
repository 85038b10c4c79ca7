// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What is taken from a playback for a time, and comes back to it.
extension Oracle {
    /// `source`: that of what takes it, which `loser` does not wait for where it is its own.
    mutating func lose(_ actuator: Int, of loser: UInt64, to source: EventSource?) {
        judge(loser, on: actuator, until: now)
        live[loser]?.actuators.removeAll { $0 == actuator }
        if let playback = live[loser], playback.resumes, playback.event != source { live[loser]!.waits.insert(actuator) }
        endLeftOut(actuator)
    }

    /// What waits for the actuator makes room for what is newer of its source.
    mutating func replaceWaiting(on actuator: Int, for source: EventSource?) {
        for (id, playback) in live where playback.resumes && playback.event == source {
            if live[id]!.waits.remove(actuator) != nil { seen.note(.waitReplaced) }
        }
    }

    /// The engine takes the motor for gone: who has it, or waits for it, does so no more, and does not go on there later.
    mutating func lost(_ actuator: Int) {
        for (id, playback) in live where playback.resumes {
            live[id]!.waits.remove(actuator)
            guard playback.actuators.contains(actuator) else { continue }
            judge(id, on: actuator, until: now)
            live[id]!.actuators.removeAll { $0 == actuator }
            (motors[actuator].owner, motors[actuator].ownedSince) = (nil, now)
            endLeftOut(actuator)
        }
    }

    /// A playback that waited has something to do again on `actuator`.
    mutating func resumed(_ id: UInt64, on actuator: Int, at planned: Int64) {
        guard let playback = live[id], playback.waits.contains(actuator) else {
            return fail("motor \(actuator) is given something for \(id), which it is not playing")
        }
        require(!playback.isInterrupted, "playback \(id) goes on while it is said to wait")
        require(planned < playback.start + playback.expectation.end, "playback \(id) goes on after its end")
        if let other = motors[actuator].owner {
            // That may end later on other motors, which have to be braked.
            let isFree = live[other]?.cancels.isEmpty == false || isFelt(other)
            require(isFree, "playback \(id) takes motor \(actuator) from \(other)")
            lose(actuator, of: other, to: playback.event)
        } else {
            judgeSilence(of: actuator)
        }
        (motors[actuator].owner, motors[actuator].ownedSince) = (id, now)
        live[id]?.waits.remove(actuator)
        live[id]?.actuators.append(actuator)
        live[id]?.resumedAt[actuator] = planned
        if playback.expectation.shape.mayGlide { live[id]?.takenOver.insert(actuator) }
        seen.note(.resumed)
    }

    mutating func interruption(_ interruption: PlaybackInterruption) {
        let id = interruption.playback.value
        guard let playback = live[id] else { return fail("\(interruption.state) \(id), which does not play") }
        let isInterrupted = interruption.state == .interrupted
        require(playback.resumes && isInterrupted != playback.isInterrupted, "\(interruption.state) \(id) for nothing")
        // Where all of it was felt it plays no more, and may wait for another motor, which would have ended later.
        let plays = !playback.actuators.isEmpty && !isFelt(id)
        if isInterrupted { require(!plays, "interrupted \(id), which plays on \(playback.actuators)") }
        live[id]?.isInterrupted = isInterrupted
    }

    /// What waits ends as preempted when it would be over, where only the rest of an impact is left, or where all that it waits for is
    /// taken by what is newer of its source.
    mutating func judgeWaiting(_ id: UInt64, _ playback: Live, _ end: PlaybackEnd) {
        if playback.waits.isEmpty, end.reason == .superseded { return }
        let rest = playback.start + playback.expectation.end - end.at.nanoseconds
        require((0...50_000_000).contains(rest), "playback \(id) gave up waiting \(rest) ns before its end")
        seen.note(.waitedInVain)
    }
}
