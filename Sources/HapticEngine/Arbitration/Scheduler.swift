// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// Who plays what: one rhythm at a time on each actuator, planned a short horizon ahead.
///
/// Pure. All instants are given; actuations and ends go into the caller's buffer.
struct Scheduler {
    var channels: [Channel]
    /// The channels that play, in order: with many actuators, looking at each of them would be most of what a playback costs.
    var playing: [Int] = []
    /// Those that play what names no actuator: all but what only stands in for others.
    let ordinary: [ActuatorIndex]
    var playbacks = PlaybackTable()
    var waiting: WaitingTable
    fileprivate var lastID: UInt64 = 0
    var ends: [PlaybackEnd] = []
    /// Playbacks whose interruption, or its end, may not have been announced.
    var unannounced: [PlaybackID] = []
    /// When something is due next; kept, so that an input that starts nothing costs nothing here.
    var nextDeadline = MonotonicInstant.distantFuture

    /// `past`, by name: the channels that the motors had so far.
    init(actuators: [EngineActuator], past: [Text: Channel] = [:]) {
        channels = actuators.enumerated().map { Channel(index: ActuatorIndex($0), actuator: $1, past: past[Text($1.name)]) }
        let standIns = Set(actuators.compactMap(\.fallback))
        ordinary = channels.map(\.index).filter { !standIns.contains($0) }
        waiting = WaitingTable(actuators: actuators.count)
    }

    /// A scheduler for other actuators that uses no id again; nothing plays. A motor whose name stays keeps its gap and its duty.
    func renewed(actuators: [EngineActuator]) -> Scheduler {
        let past = channels.map { (Text($0.actuator.name), $0) }
        var new = Scheduler(actuators: actuators, past: Dictionary(past, uniquingKeysWith: { first, _ in first }))
        new.lastID = lastID
        return new
    }

    /// What there is of `wanted`: itself, or what stands in for it. Each once, in order.
    func present(_ wanted: [ActuatorIndex]) -> [ActuatorIndex] {
        var present: [ActuatorIndex] = []
        for index in wanted {
            // Looked at in place: a channel has much to copy.
            guard let found = channels[index.value].isAvailable ? index : channels[index.value].actuator.fallback,
                channels[found.value].isAvailable, !present.contains(found)
            else { continue }
            present.append(found)
        }
        return present
    }

    /// What stands in for `wanted` (nil: all), as far as it is there. Each once, in order.
    func fallbacks(of wanted: [ActuatorIndex]?) -> [ActuatorIndex] {
        // Mostly nothing stands in for anything, and a profile asks this for each input that it silences.
        if ordinary.count == channels.count { return [] }
        return present((wanted ?? ordinary).compactMap { channels[$0.value].actuator.fallback })
    }

    func isLight(_ index: ActuatorIndex) -> Bool { channels[index.value].actuator.capabilities.isLight }

    /// The lights that can show what is for `wanted` (nil: all): those that stand in for them, or else those among them. As far as they
    /// are there, each once, in order.
    func lights(for wanted: [ActuatorIndex]?) -> [ActuatorIndex] {
        let standIns = fallbacks(of: wanted).filter(isLight)
        return standIns.isEmpty ? present(wanted ?? ordinary).filter(isLight) : standIns
    }

    /// Whether `candidate` may take the actuator from what plays there.
    func isFree(_ index: ActuatorIndex, for candidate: Candidate) -> Bool {
        playback(on: index)?.yields(to: candidate) ?? true
    }

    /// The machine slept so long, and nothing plays.
    mutating func cool(for time: Nanoseconds) {
        for index in channels.indices { channels[index].cool(for: time) }
    }

    func names(of actuators: [ActuatorIndex]) -> [String] { actuators.map { channels[$0.value].actuator.name } }

    /// The standing of what plays on the actuator; nil where it is free.
    func standing(on index: ActuatorIndex) -> Int? {
        channels[index.value].playback.flatMap { playbacks[$0]?.standing }
    }

    /// What plays on the actuator; nil where it is free.
    func playback(on index: ActuatorIndex) -> Playback? { channels[index.value].playback.flatMap { playbacks[$0] } }

    // MARK: Beginning

    /// Begins `plan` on each actuator in its way. They become free for it: what plays there loses them and is returned where that was
    /// its last one and it began in the batch being decided.
    mutating func begin(
        _ plan: PlaybackPlan, on chosen: [(index: ActuatorIndex, entry: Entry)], at now: MonotonicInstant,
        into actions: inout ActionBuffer, make: (PlaybackID) -> Playback
    ) -> (id: PlaybackID, withdrawn: [Playback]) {
        lastID += 1
        let playback = make(PlaybackID(lastID))
        var withdrawn: [Playback] = []
        for (index, entry) in chosen {
            dropInterruptions(on: index, of: playback.source, at: now)
            var motion: Motion?
            if let loser = self.playback(on: index) {
                let reason: Reason = loser.standing < playback.priority ? .lowerPriority : .superseded
                let end = loser.ending ?? (.preempted, reason)
                let remainder = loser.waits(for: playback.source) ? channels[index.value].remainder(at: now) : nil
                motion = channels[index.value].leave(forGlide: entry.glides && plan.opening != nil, at: now, into: &actions)
                if let remainder {
                    interrupt(Interruption(loser, on: index, remainder, reason), at: now)
                } else if let removed = detach(loser.id, from: index, ending: end, at: now) {
                    withdrawn.append(removed)
                }
            }
            channels[index.value].begin(playback.id, plan, entry, fit: playback.traits.isFitted, at: now, after: motion)
            playing.insert(index.value, at: playing.firstIndex { $0 > index.value } ?? playing.count)
        }
        playbacks.add(playback)
        nextDeadline = min(nextDeadline, now)
        return (playback.id, withdrawn)
    }

    /// From here on what began in the batch has begun.
    mutating func commitBatch(_ ids: [PlaybackID]) {
        for id in ids { playbacks.change(id) { $0.item = nil } }
    }

    // MARK: Time

    /// Ends what has ended and plans ahead, as far as `actions` has room.
    mutating func advance(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        finishEnded(by: now, into: &actions)
        flushEnds(into: &actions)
        var deadline = MonotonicInstant.distantFuture
        for index in playing {
            channels[index].planAhead(to: now + PlanningContract.horizon, now: now, into: &actions)
            deadline = min(deadline, channels[index].nextDeadline)
        }
        nextDeadline = min(deadline, waiting.nextEnd)
    }

    /// Frees the channels whose playback has been played to its end, and has those go on that wait for them.
    mutating func finishEnded(by now: MonotonicInstant, into actions: inout ActionBuffer) {
        expire(by: now)
        var position = 0
        while position < playing.count {
            let index = playing[position]
            guard channels[index].hasEnded(by: now) else {
                position += 1
                continue
            }
            // trap: a channel that is among those that play has a playback.
            let id = channels[index].playback!
            let (end, cut) = (max(channels[index].end, playbacks[id]?.played.end ?? .zero), channels[index].cutReason)
            channels[index].finish()
            playbacks.change(id) {
                if let cut { $0.played.cutReason = cut }
                $0.played.end = end
            }
            _ = detach(id, from: ActuatorIndex(index), ending: playbacks[id]?.ending, at: end)
        }
        resume(at: now, into: &actions)
    }

    mutating func flushEnds(into actions: inout ActionBuffer) {
        for end in ends { actions.append(.ended(end)) }
        ends.removeAll(keepingCapacity: true)
        announceInterruptions(into: &actions)
    }

    // MARK: Ending

    /// Ends a playback before its time. Returns it where it began in the batch being decided: then it has never been.
    mutating func end(
        _ id: PlaybackID, _ mode: CancelMode, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) -> Playback? {
        guard let playback = playbacks[id] else { return nil }
        let neverBegan = playback.item != nil
        playbacks.mark(id, as: ending)
        nextDeadline = min(nextDeadline, now)
        stopWaiting(id, as: playback.ending ?? ending, at: now)
        for index in playback.actuators {
            if mode == .graceful && !neverBegan {
                if playback.ending == nil { channels[index.value].fade(at: now, into: &actions) }
            } else {
                channels[index.value].stop(at: now, into: &actions)
                if let removed = detach(id, from: index, ending: playback.ending ?? ending, at: now) { return removed }
            }
        }
        return nil
    }

    /// From here on it counts as ended in this way, but plays on until its actuators are taken from it.
    mutating func mark(_ id: PlaybackID, as ending: (PlaybackEnd.Ending, Reason)) {
        playbacks.mark(id, as: ending)
    }

    /// Ends the open phase of the playback that lasts `until` this, the present one or the next: that of the actuator that is furthest on,
    /// and on all of them. False: none waits for that.
    mutating func advance(
        _ id: PlaybackID, past until: Pattern.Phase.Until, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> Bool {
        guard let playback = playbacks[id], playback.ending == nil else { return false }
        let numbers =
            playback.actuators.compactMap { channels[$0.value].phase(endedBy: until, at: now) }
            + playback.waiting.actuators.compactMap { waiting.phase(of: id, on: $0, endedBy: until, at: now) }
        guard let number = numbers.max() else { return false }
        for index in playback.actuators { channels[index.value].advance(past: until, through: number, at: now, into: &actions) }
        for index in playback.waiting.actuators { waiting.shorten(id, on: index, past: until, through: number, at: now) }
        nextDeadline = min(nextDeadline, now)
        return true
    }

    /// The device of `index` has gone. It gets an off all the same, which may still reach it.
    mutating func lose(_ index: ActuatorIndex, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        channels[index.value].isAvailable = false
        stopWaiting(for: index, as: (.failed, .deviceLost), at: now)
        guard let id = channels[index.value].playback else { return }
        channels[index.value].stop(at: now, into: &actions)
        _ = detach(id, from: index, ending: (.failed, .deviceLost), at: now)
        nextDeadline = min(nextDeadline, now)
    }

    /// The device of `index` is there, and that is what it is. If its motor is another one than so far, what was fitted to that ends.
    mutating func restore(
        _ index: ActuatorIndex, as actuator: EngineActuator, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        if channels[index.value].actuator != actuator {
            lose(index, at: now, into: &actions)
            channels[index.value] = Channel(index: index, actuator: actuator, past: channels[index.value])
        }
        channels[index.value].isAvailable = true
    }

    /// Takes the actuator from the playback, which ends with its last one. Returns it where it had not yet begun for good.
    mutating func detach(
        _ id: PlaybackID, from index: ActuatorIndex, ending: (PlaybackEnd.Ending, Reason)?, at now: MonotonicInstant
    ) -> Playback? {
        playing.removeAll { $0 == index.value }
        playbacks.change(id) { $0.actuators.removeAll { $0 == index } }
        guard let playback = playbacks[id] else { return nil }
        guard playback.actuators.isEmpty, playback.waiting.actuators.isEmpty else {
            if Canary.is("ending-per-actuator"), let (how, why) = ending {
                ends.append(PlaybackEnd(playback: id, ending: how, reason: why, at: now))
            }
            note(id, at: now)
            return nil
        }
        playbacks.remove(id)
        if playback.item != nil { return playback }
        let (how, why) = ending.map { ($0.0, Optional($0.1)) } ?? (.completed, playback.played.cutReason)
        ends.append(PlaybackEnd(playback: id, ending: how, reason: why, at: now))
        return nil
    }
}
