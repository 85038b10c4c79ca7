// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

extension Scheduler {
    /// Takes the lights at once from what `isMeant` of those that play there, or wait to go on there. Returns what has then none left,
    /// where it began in the batch being decided.
    mutating func darken(
        as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant, into actions: inout ActionBuffer,
        where isMeant: (Playback) -> Bool
    ) -> [Playback] {
        var withdrawn: [Playback] = []
        for index in channels.map(\.index) where isLight(index) {
            stopWaiting(for: index, as: ending, at: now, where: isMeant)
            guard let playback = self.playback(on: index), isMeant(playback) else { continue }
            channels[index.value].stop(at: now, into: &actions)
            let removed = detach(playback.id, from: index, ending: playback.ending ?? ending, at: now)
            if let removed { withdrawn.append(removed) }
            nextDeadline = min(nextDeadline, now)
        }
        return withdrawn
    }
}
