// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What is taken from a playback for a time, and comes back to it.
extension Oracle {
    mutating func lose(_ actuator: Int, of loser: UInt64) {
        judge(loser, on: actuator, until: now)
        live[loser]?.actuators.removeAll { $0 == actuator }
        if live[loser]?.resumes == true { live[loser]?.waits.insert(actuator) }
        endLeftOut(actuator)
    }

    /// A playback that waited has something to do again on `actuator`.
    mutating func resumed(_ id: UInt64, on actuator: Int, at planned: Int64) {
        guard let playback = live[id], playback.waits.contains(actuator) else {
            return fail("motor \(actuator) is given something for \(id), which it is not playing")
        }
        require(!playback.isInterrupted, "playback \(id) goes on while it is said to wait")
        require(planned < playback.start + playback.expectation.end, "playback \(id) goes on after its end")
        if let other = motors[actuator].owner {
            require(live[other]?.cancels.isEmpty == false, "playback \(id) takes motor \(actuator) from \(other)")
            lose(actuator, of: other)
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
        if isInterrupted { require(playback.actuators.isEmpty, "interrupted \(id), which plays on \(playback.actuators)") }
        live[id]?.isInterrupted = isInterrupted
    }
}
