// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime
import TestSupport

/// Judges what comes out of engine and executor. It shares no code with planner or limiter: it knows what each playback is to feel
/// like from the shape it asked for, what the motors did from the drivers, and what they may be asked for from the configuration.
struct Oracle {
    /// Who may release a playback, and by which id.
    struct Source: Equatable {
        let user: UInt32
        let id: String
    }

    /// What an event is about: of one such source the newer holds.
    struct EventSource: Equatable {
        let name: String
        /// A user's id, or else the connection.
        let id: String?
        let owner: UInt64
    }

    /// What a playback is to feel like on one motor.
    struct Part {
        let motor: Int
        var expectation: Expectation
        /// When it may be on its way from what was felt before: then its own shape says little of it.
        var transitions: [(from: Int64, to: Int64)] = []
        /// Since when it is felt again there, where something had taken the motor from it.
        var resumedAt: Int64?
    }

    struct Live {
        let start: Int64
        /// On the motors that it has not lost to another.
        var parts: [Part]
        /// What the decision said; where one motor alone plays it.
        let pulses: Int?
        let source: Source?
        let event: EventSource?
        /// It goes on where something has taken a motor from it.
        let resumes: Bool
        let user: UInt32
        /// From its start: what it may last at most, with what is fitted to a motor on which it ends later.
        var longest: Int64
        /// Whose values it is, where these are felt themselves.
        var followed: Source?
        /// When the last of them was said that counts; nil: it may be on its way out.
        var saidAt: Int64?
        /// It is known which motors it has, and from when on.
        var isSure: Bool
        /// It is over at the same time on all its motors, whatever happens to it.
        var isPlain: Bool
        /// When something was cancelled gracefully, which may have been this: it may fade out from then on.
        var cancels: [Int64] = []
        /// What it lost last, and when: an engine that looks late has played it to its end before that.
        var lost: (at: Int64, parts: [Part]) = (.min, [])
        /// Where it may be waiting for a motor.
        var waits: [Part] = []
        /// The engine has said that it is felt nowhere.
        var isInterrupted = false

        /// From when on what the motor did is judged by it.
        func since(_ part: Part) -> Int64 { part.resumedAt ?? start }

        /// Where it may have been played up to `now` without anyone having heard of that: it goes on, and a limit lets nothing of it
        /// through, or it is lost at the same time.
        func others(at now: Int64) -> [Part] { waits + (lost.at == now ? lost.parts : []) }
    }

    /// As docs/adr/0028 has it.
    static let longestTransition: Int64 = 1_000_000_000
    static let longestFade: Int64 = 50_000_000
    static let longestImpact: Int64 = 50_000_000

    var motors: [Motor]
    private(set) var failure: String?
    var live: [UInt64: Live] = [:]
    private var lastSequence: UInt64 = 0
    var random: SplitMix64
    var seen = Sometimes()
    var now: Int64 = 0
    /// Of each playback on each motor: so many where something changes, and as many at random.
    var samples = 4

    init(_ limits: [Motor.Limits], jitter: Int64, seed: UInt64) {
        motors = limits.map { Motor($0, jitter: jitter) }
        random = SplitMix64(seed: seed)
    }

    /// `others` are motors that have done nothing yet; all get another executor.
    mutating func replaceMotors(_ others: [Int], at now: Int64) {
        for index in motors.indices { motors[index].begin(again: others.contains(index), at: now) }
    }

    mutating func fail(_ message: String) {
        if failure == nil { failure = "at \(Double(now) / 1e9) s: \(message)" }
    }

    mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) { if !condition { fail(message()) } }

    var playing: Int { live.count }

    mutating func disturb(_ actuator: Int? = nil, from: Int64, to: Int64) {
        for index in motors.indices where actuator == nil || actuator == index { motors[index].disturb(from: from, to: to) }
    }

    /// The executor stands still.
    mutating func halt(from: Int64, to: Int64) {
        for index in motors.indices { motors[index].halt(from: from, to: to) }
    }

    /// The executor has left out how `playback` goes on, or cut it: the engine takes the motor for on until that ends.
    mutating func leftOut(_ playback: UInt64, on actuator: Int, _ trouble: Motor.Trouble = .leftOut) {
        if motors[actuator].owner == playback { begin(trouble, actuator) }
    }

    mutating func endLeftOut(_ actuator: Int) {
        for trouble in [.leftOut, .leash] as [Motor.Trouble] { end(trouble, actuator, at: now + World.settling) }
    }

    mutating func begin(_ trouble: Motor.Trouble, _ actuator: Int) { motors[actuator].begin(trouble, at: now) }
    mutating func end(_ trouble: Motor.Trouble, _ actuator: Int, at end: Int64) { motors[actuator].end(trouble, at: end) }

    // MARK: What the engine says

    /// Each decision has the next number.
    mutating func decided(_ decision: Decision) {
        if decision.sequence != lastSequence + 1 { fail("decision \(decision.sequence) came after \(lastSequence)") }
        lastSequence = decision.sequence
        if decision.outcome == .played {
            require(decision.playback != nil && !decision.actuators.isEmpty, "played, on nothing: \(decision)")
        } else {
            require(decision.playback == nil && decision.actuators.isEmpty, "not played, and yet on something: \(decision)")
            require(decision.reason != nil, "no reason: \(decision)")
        }
    }

    /// Some of a batch were taken back: what they had taken from others is not known.
    mutating func tookBack() {
        for id in live.keys { live[id]?.isSure = false }
    }

    /// Some of what plays is being cancelled gracefully.
    mutating func cancelled() {
        for id in live.keys { live[id]?.cancels.append(now) }
    }

    mutating func began(
        _ id: UInt64, _ wanted: (parts: [Part], isSure: Bool), pulses: Int?, source: Source?, event: EventSource?, resumes: Bool,
        user: UInt32
    ) {
        require(live[id] == nil, "playback \(id) began twice")
        for part in wanted.parts { replaceWaiting(on: part.motor, for: event) }
        var parts = wanted.parts
        for index in parts.indices {
            let actuator = parts[index].motor
            if let loser = motors[actuator].owner {
                // What does not glide itself may be fading out.
                if parts[index].expectation.mayGlide { parts[index].transitions.append((now, now + Self.longestTransition)) }
                seen.note(.preemption)
                lose(actuator, of: loser, to: event)
            } else {
                judgeSilence(of: actuator)
            }
            (motors[actuator].owner, motors[actuator].ownedSince) = (id, now)
        }
        let isOpen = parts.contains { $0.expectation.isOpen }
        let isSpread = parts.contains { $0.expectation.delay > 0 || $0.expectation.fade != nil }
        live[id] = Live(
            start: now, parts: parts, pulses: parts.count == 1 && !isOpen ? pulses : nil, source: source, event: event,
            resumes: resumes, user: user, longest: parts.reduce(0) { max($0, latestEnd(of: $1, from: now)) },
            isSure: wanted.isSure,
            isPlain: !isOpen && !isSpread)
    }

    mutating func ended(_ end: PlaybackEnd) {
        let id = end.playback.value
        guard let playback = live[id] else { return fail("an ending of \(id), which does not play") }
        let length = end.at.nanoseconds - playback.start
        require(end.at.nanoseconds <= now, "playback \(id) ends in the future")
        for actuator in playback.parts.map(\.motor) {
            judge(id, on: actuator, until: end.at.nanoseconds, end)
            (motors[actuator].owner, motors[actuator].ownedSince) = (nil, end.at.nanoseconds)
            endLeftOut(actuator)
        }
        live[id] = nil
        // Whatever became of its phases. What fades at its very end is over soon after; who looks late finds late that it is over.
        let most = playback.longest + Self.longestFade
        let isLate = (playback.parts + playback.others(at: now)).contains { motors[$0.motor].isDisturbed(playback.start, now) }
        let isOver = length <= most || end.ending != .completed && isLate
        require(isOver, "playback \(id) lasted \(length) ns, and may last \(playback.longest)")
        if end.ending == .preempted, playback.isInterrupted, playback.isSure { judgeWaiting(id, playback, end) }
        guard end.ending == .completed else { return }
        require(
            isDue(length, playback), "playback \(id) was completed after \(length) ns: \(playback.parts.map(\.expectation.end))")
        if end.reason == .maxOn { seen.note(.maxOnCut) }
        if end.reason == .dutyLimit { seen.note(.dutyCut) }
        if end.reason == .thermal { seen.note(.heatCut) }
        if playback.parts.contains(where: { $0.expectation.isOpen }) { seen.note(.phaseUpTo) }
    }

    /// How much longer what is fitted may take to end.
    func tail(of playback: Live) -> Int64 { playback.parts.reduce(0) { max($0, motors[$1.motor].limits.tail) } }

    /// From its start at `start`. Who hands over, or has nothing to be felt, may still be on its way from what was felt before.
    private func latestEnd(of part: Part, from start: Int64) -> Int64 {
        let end = part.expectation.end + motors[part.motor].limits.tail
        guard part.expectation.fade?.takes == false || part.expectation.end == 0, let transition = part.transitions.last else {
            return end
        }
        return max(end, transition.to - start)
    }

    /// Whether all of it that was to be felt on the motor may be over. It may be free then, while others end later.
    func isFelt(_ id: UInt64, on actuator: Int) -> Bool {
        guard let playback = live[id], let part = playback.parts.first(where: { $0.motor == actuator }) else { return false }
        // When it began there is not known.
        if !playback.isSure, !playback.isPlain { return true }
        return now >= playback.start + part.expectation.end
    }

    /// Whether `length` is what it was to take: on that motor which took the longest, of those that it still had.
    private func isDue(_ length: Int64, _ playback: Live) -> Bool {
        if playback.parts.isEmpty { return true }
        // It may have lost the one that would have taken the longest, or have begun on it at another time.
        if !playback.isSure, !playback.isPlain { return true }
        let tail = tail(of: playback)
        return (playback.parts + playback.others(at: now)).contains { part in
            let end = part.expectation.end
            let latest = max(end + tail, latestEnd(of: part, from: playback.start))
            return (end...latest + (part.expectation.isFadingOut ? Self.longestFade : 0)).contains(length)
        }
    }

    mutating func handedOut(_ actuation: Actuation) {
        let (index, planned) = (actuation.actuator.value, actuation.planned.nanoseconds)
        if let complaint = motors[index].handOut(for: planned) { fail("motor \(index) \(complaint)") }
        let id = actuation.playback.value
        if actuation.isOn, motors[index].owner != id { resumed(id, on: index, at: planned) }
    }

    mutating func slept(_ time: Int64) { for index in motors.indices { motors[index].cool(for: time, at: now) } }

    mutating func revoked(_ actuator: Int, from: Int64) { motors[actuator].revoke(from: from) }

    /// The executor knows of it from now on.
    mutating func took(_ order: ExecutorOrder) {
        switch order {
        case .actuate(let actuation):
            let index = actuation.actuator.value
            motors[index].known = max(motors[index].known, actuation.planned.nanoseconds)
            // What the leash has cut goes on; where the planner is to cut it, it counts from before.
            if motors[index].limits.maxOn == nil { end(.leash, index, at: now + World.settling) }
        case .revoke(_, let actuator, _, _): motors[actuator.value].known = now
        case .allOff, .lose, .restore, .beat: break
        }
    }

    // MARK: What the motors do

    mutating func changed(_ actuator: Int, _ changes: [WitnessDriver.Change]) {
        for change in changes {
            if change.level < 0 { seen.note(.braked) }
            if change.level > 1 { seen.note(.overdriven) }
            if let complaint = motors[actuator].change(to: change.level, at: change.at) { fail("motor \(actuator) \(complaint)") }
        }
    }

    /// The executor has given a motor what is planned for it: what it had before, where two levels come to one drive. Then nothing changes.
    mutating func actuated(_ actuator: Int, at instant: Int64) { motors[actuator].known = max(motors[actuator].known, instant) }

    /// The executor has done all that was due: nothing is on for longer than the leash with nothing known to come.
    mutating func executorRan() {
        for index in motors.indices where motors[index].isOn {
            let known = max(motors[index].lastChange, motors[index].known)
            if now - known > 100_000_000 { fail("motor \(index) is on \(now - known) ns after the last that is known of it") }
        }
    }

    mutating func forget() {
        let oldest = live.values.reduce(now) { min($0, $1.start) }
        // Its silence is judged once something plays on it.
        for index in motors.indices { motors[index].forget(before: min(oldest, motors[index].ownedSince) - 12_000_000_000) }
    }
}
