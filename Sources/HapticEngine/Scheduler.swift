// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What one pattern being played is about.
struct Playback {
    let id: PlaybackID
    let source: SourceKey?
    let client: ClientIdentity
    /// What is intended is fitted to the motors that are known.
    var isFitted = true
    let isAwaited: Bool
    let isPlayInput: Bool
    /// Whether it counts for the limit of its class.
    let isLimited: Bool
    /// Where something takes an actuator from it, it goes on there once that is over.
    var resumes = false
    /// What lights show of it is in the `FlashLedger`.
    var countsFlashes = false
    let pattern: PlayablePattern
    let feedbackClass: FeedbackClass
    let priority: Int
    /// Where in the batch being decided it began; nil once that has been committed.
    var item: Int?
    /// The actuators that it still has.
    var actuators: [ActuatorIndex]
    /// What is left of it where something has taken an actuator from it for a time.
    var interruptions: [Interruption] = []
    /// Since when it has been felt nowhere, or again, and nobody has been notified; nil: everybody has.
    var unannounced: MonotonicInstant?
    /// What was announced last.
    var isAnnouncedInterrupted = false
    /// The latest end on those of its actuators that have played it to its end. An engine that looks late finds several of these
    /// at once, in any order.
    var end = MonotonicInstant.zero
    /// Set when it is on its way out: how it will have ended.
    var ending: (PlaybackEnd.Ending, Reason)?
    var cutReason: Reason?

    struct Interruption {
        let actuator: ActuatorIndex
        var rest: CourseRest
        /// Why it is not felt there, and how it will have ended if it never is again.
        let reason: Reason
    }

    /// It waits for an actuator until what is about `other` and takes it is over. Of one source the newer holds.
    func waits(for other: SourceKey?) -> Bool {
        resumes && ending == nil && item == nil && (source == nil || source != other)
    }

    /// It waits for all of its actuators.
    var isInterrupted: Bool { actuators.isEmpty && !interruptions.isEmpty }
    /// Some phase of it lasts until something ends it.
    var hasOpenPhases: Bool { !pattern.phases.isEmpty }
    /// What is fading out stands in nobody's way.
    var standing: Int { ending == nil ? priority : Int.min }
}

/// Who plays what: one rhythm at a time on each actuator, planned a short horizon ahead.
///
/// Pure. All instants are given; actuations and ends go into the caller's buffer.
struct Scheduler {
    var channels: [Channel]
    /// The channels that play, in order: with many actuators, looking at each of them would be most of what a playback costs.
    var playing: [Int] = []
    /// Those that play what names no actuator: all but what only stands in for others.
    let ordinary: [ActuatorIndex]
    var playbacks: [PlaybackID: Playback] = [:]
    fileprivate var lastID: UInt64 = 0
    var ends: [PlaybackEnd] = []
    /// How many interruptions there are.
    var interruptionCount = 0
    /// Some of them, or their ends, have not been announced.
    var hasUnannounced = false
    /// When something is due next; kept, so that an input that starts nothing costs nothing here.
    var nextDeadline = MonotonicInstant.distantFuture

    /// `past`, by name: the channels that the motors had so far.
    init(actuators: [EngineActuator], past: [Text: Channel] = [:]) {
        channels = actuators.enumerated().map { Channel(index: ActuatorIndex($0), actuator: $1, past: past[Text($1.name)]) }
        let standIns = Set(actuators.compactMap(\.fallback))
        ordinary = channels.map(\.index).filter { !standIns.contains($0) }
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
        guard let playback = channels[index.value].playback.flatMap({ playbacks[$0] }) else { return true }
        guard playback.standing == candidate.priority else { return playback.standing < candidate.priority }
        return candidate.client.mayEndOthers || playback.client.user == candidate.client.user
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
            if let loser = channels[index.value].playback.flatMap({ playbacks[$0] }) {
                let reason: Reason = loser.standing < playback.priority ? .lowerPriority : .superseded
                let end = loser.ending ?? (.preempted, reason)
                let rest = loser.waits(for: playback.source) ? channels[index.value].rest(at: now) : nil
                motion = channels[index.value].leave(forGlide: entry.glides && plan.opening != nil, at: now, into: &actions)
                if let rest {
                    interrupt(loser.id, .init(actuator: index, rest: rest, reason: reason), at: now)
                } else if let removed = detach(loser.id, from: index, ending: end, at: now) {
                    withdrawn.append(removed)
                }
            }
            channels[index.value].begin(playback.id, plan, entry, fit: playback.isFitted, at: now, after: motion)
            playing.insert(index.value, at: playing.firstIndex { $0 > index.value } ?? playing.count)
        }
        playbacks[playback.id] = playback
        nextDeadline = min(nextDeadline, now)
        return (playback.id, withdrawn)
    }

    /// From here on what began in the batch has begun.
    mutating func commitBatch(_ ids: [PlaybackID]) {
        for id in ids { playbacks[id]?.item = nil }
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
        nextDeadline = min(deadline, nextExpiry)
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
            let (end, cut) = (max(channels[index].end, playbacks[id]?.end ?? .zero), channels[index].cutReason)
            channels[index].finish()
            if let cut { playbacks[id]?.cutReason = cut }
            playbacks[id]?.end = end
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
        if playback.ending == nil { playbacks[id]?.ending = ending }
        nextDeadline = min(nextDeadline, now)
        drop(of: id, as: playback.ending ?? ending, at: now) { _ in true }
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
        if playbacks[id]?.ending == nil { playbacks[id]?.ending = ending }
    }

    /// Ends the open phase of the playback that lasts `until` this, the present one or the next: that of the actuator that is furthest on,
    /// and on all of them. False: none waits for that.
    mutating func advance(
        _ id: PlaybackID, past until: Pattern.Phase.Until, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> Bool {
        guard let playback = playbacks[id], playback.ending == nil else { return false }
        let numbers =
            playback.actuators.compactMap { channels[$0.value].phase(endedBy: until, at: now) }
            + playback.interruptions.compactMap { $0.rest.phase(endedBy: until, at: now) }
        guard let number = numbers.max() else { return false }
        for index in playback.actuators { channels[index.value].advance(past: until, through: number, at: now, into: &actions) }
        for index in playback.interruptions.indices {
            playbacks[id]?.interruptions[index].rest.shorten(past: until, through: number, at: now)
        }
        nextDeadline = min(nextDeadline, now)
        return true
    }

    /// The device of `index` has gone. It gets an off all the same, which may still reach it.
    mutating func lose(_ index: ActuatorIndex, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        channels[index.value].isAvailable = false
        for id in interrupted(on: index) { drop(of: id, as: (.failed, .deviceLost), at: now) { $0.actuator == index } }
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
        guard var playback = playbacks[id] else { return nil }
        playback.actuators.removeAll { $0 == index }
        guard playback.actuators.isEmpty, playback.interruptions.isEmpty else {
            playbacks[id] = playback
            note(id, at: now)
            return nil
        }
        playbacks[id] = nil
        if playback.item != nil { return playback }
        let (how, why) = ending.map { ($0.0, Optional($0.1)) } ?? (.completed, playback.cutReason)
        ends.append(PlaybackEnd(playback: id, ending: how, reason: why, at: now))
        return nil
    }
}
