// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime
import TestSupport

/// Judges what comes out of engine and executor. It shares no code with planner or limiter: it knows what each playback is to feel
/// like from the shape it asked for, what the motors did from the drivers, and what they may be asked for from the configuration.
struct Oracle {
    /// What an event is about: of one such source the newer holds.
    struct EventSource: Equatable {
        let name: String
        /// A user's id, or else the connection.
        let id: String?
        let owner: UInt64
    }

    struct Live {
        let start: Int64
        let expectation: Expectation
        var actuators: [Int]
        /// What the decision said; where one motor alone plays it.
        let pulses: Int?
        var isSure = true
        /// When something was cancelled gracefully, which may have been this: it may fade out from then on.
        var cancels: [Int64] = []
        /// The actuators on which it may go on from what was felt there: for a second its own shape says little of them.
        var takenOver: Set<Int> = []
        let event: EventSource?
        /// It goes on where something has taken an actuator from it.
        let resumes: Bool
        /// Where it may be waiting for that, and since when it is felt again where it has.
        var waits: Set<Int> = []
        var resumedAt: [Int: Int64] = [:]
        /// The engine has said that it is felt nowhere.
        var isInterrupted = false

        /// From when on what the actuator did is judged by it.
        func since(_ actuator: Int) -> Int64 { resumedAt[actuator] ?? start }
    }

    /// As docs/adr/0028 has it.
    private static let longestTransition: Int64 = 1_000_000_000

    var motors: [Motor]
    private(set) var failure: String?
    var live: [UInt64: Live] = [:]
    private var lastSequence: UInt64 = 0
    private var random: SplitMix64
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
        _ id: UInt64, _ expectation: Expectation, on actuators: [Int], pulses: Int?, event: EventSource?, resumes: Bool
    ) {
        require(live[id] == nil, "playback \(id) began twice")
        for actuator in actuators { replaceWaiting(on: actuator, for: event) }
        var takenOver: Set<Int> = []
        for actuator in actuators {
            if let loser = motors[actuator].owner {
                // What does not glide itself may be fading out.
                if expectation.shape.mayGlide { takenOver.insert(actuator) }
                seen.note(.preemption)
                lose(actuator, of: loser, to: event)
            } else {
                judgeSilence(of: actuator)
            }
            (motors[actuator].owner, motors[actuator].ownedSince) = (id, now)
        }
        live[id] = Live(
            start: now, expectation: expectation, actuators: actuators, pulses: actuators.count == 1 ? pulses : nil,
            takenOver: takenOver, event: event, resumes: resumes)
    }

    mutating func ended(_ end: PlaybackEnd) {
        let id = end.playback.value
        guard let playback = live.removeValue(forKey: id) else { return fail("an ending of \(id), which does not play") }
        require(end.at.nanoseconds <= now, "playback \(id) ends in the future")
        live[id] = playback
        for actuator in playback.actuators {
            judge(id, on: actuator, until: end.at.nanoseconds, end)
            (motors[actuator].owner, motors[actuator].ownedSince) = (nil, end.at.nanoseconds)
            endLeftOut(actuator)
        }
        live[id] = nil
        if end.ending == .preempted, playback.isInterrupted, playback.isSure { judgeWaiting(id, playback, end) }
        if end.ending == .completed {
            require(
                isDue(end.at.nanoseconds - playback.start, playback) || playback.actuators.isEmpty,
                "playback \(id) was completed after \(end.at.nanoseconds - playback.start) of \(playback.expectation.end) ns")
            if end.reason == .maxOn { seen.note(.maxOnCut) }
            if end.reason == .dutyLimit { seen.note(.dutyCut) }
            if end.reason == .thermal { seen.note(.heatCut) }
        }
    }

    /// Whether all of it that was to be felt is over. Some of its motors may be free then, while others end later.
    func isFelt(_ id: UInt64) -> Bool { live[id].map { now >= $0.start + $0.expectation.end } ?? false }

    /// Whether `length` is what it was to take; what is fitted may take longer to end.
    private func isDue(_ length: Int64, _ playback: Live) -> Bool {
        let tail = playback.actuators.reduce(0) { max($0, motors[$1].limits.tail) }
        return (playback.expectation.end...playback.expectation.end + tail).contains(length)
    }

    mutating func handedOut(_ actuation: Actuation) {
        let (index, planned) = (actuation.actuator.value, actuation.planned.nanoseconds)
        if planned < motors[index].handedOut {
            fail("an actuation for \(planned) was handed out after one for \(motors[index].handedOut)")
        }
        motors[index].handedOut = planned
        let id = actuation.playback.value
        if actuation.isOn, motors[index].owner != id { resumed(id, on: index, at: planned) }
    }

    mutating func slept(_ time: Int64) { for index in motors.indices { motors[index].cool(for: time, at: now) } }

    mutating func revoked(_ actuator: Int, from: Int64) {
        motors[actuator].handedOut = min(motors[actuator].handedOut, from)
    }

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

    // MARK: What was felt

    mutating func judgeSilence(of actuator: Int) {
        let motor = motors[actuator]
        guard now - 1 > motor.ownedSince + motor.jitter else { return }
        for _ in 0..<2 {
            let instant = Int64.random(
                in: motor.ownedSince + motor.jitter...now - 1, using: &random)
            guard motor.level(at: instant) != 0, !motor.isDisturbed(motor.ownedSince - 300_000_000, instant) else { continue }
            fail("motor \(actuator) was on at \(instant), with nothing playing")
        }
    }

    /// Compares what the motor did with what was to be felt, at some instants.
    mutating func judge(_ id: UInt64, on actuator: Int, until end: Int64, _ ending: PlaybackEnd? = nil) {
        guard let playback = live[id], playback.isSure, end > playback.since(actuator) else { return }
        let (motor, since) = (motors[actuator], playback.since(actuator))
        var instants = playback.expectation.changes(samples, using: &random).map {
            playback.start + $0 + tolerance(motor, playback)
        }
        for _ in 0..<samples { instants.append(Int64.random(in: since..<end, using: &random)) }
        // What is sent is not what is meant to be felt where it is fitted; what must not be sent is judged as it changes.
        if motor.limits.model != nil {
            instants = []
            seen.note(.fitted)
        }
        for instant in instants where instant >= since + motor.jitter && instant < end {
            guard !motor.isDisturbed(since, instant) else { continue }
            let isOnItsWay = instant < since + Self.longestTransition + motor.jitter
            if isOnItsWay, playback.takenOver.contains(actuator) { continue }
            seen.note(.judged)
            judge(playback, id, motor, actuator, at: instant, isFading: isFading(playback, motor, at: instant))
        }
        let isWhole = ending?.ending == .completed && !motor.isDisturbed(playback.start, end) && playback.resumedAt.isEmpty
        // The last one may still be on its way where the executor is late.
        if isWhole, motor.jitter == 0, let pulses = playback.pulses {
            let felt = motor.rises(from: playback.start, to: end)
            // The pulse that it took over began before it.
            let isRight = felt == pulses || (playback.takenOver.contains(actuator) && felt + 1 == pulses)
            require(isRight, "playback \(id) had \(felt) pulses, and was to have \(pulses)")
        }
    }

    private func isFading(_ playback: Live, _ motor: Motor, at instant: Int64) -> Bool {
        playback.cancels.contains { $0 <= instant && instant <= $0 + 50_000_000 + motor.jitter }
    }

    /// How late what is to be felt may show: what was rendered, and the motor's shortest interval.
    private func tolerance(_ motor: Motor, _ playback: Live) -> Int64 {
        2 * motor.limits.interval + motor.jitter + 1 + (playback.expectation.shape.glides ? 5_000_000 : 0)
    }

    private mutating func judge(
        _ playback: Live, _ id: UInt64, _ motor: Motor, _ actuator: Int, at instant: Int64, isFading: Bool
    ) {
        let offset = instant - playback.start
        let tolerance = tolerance(motor, playback)
        var (low, high) = playback.expectation.range(offset - tolerance, offset)
        if isFading {
            high = max(high, playback.expectation.range(offset - tolerance - 50_000_000, offset).high)
            // What rises does so for a moment more.
            if playback.expectation.shape.mayGlide { high = min(1, high + 0.1) }
            low = 0
        }
        (low, high) = (motor.fitted(low), motor.fitted(high))
        let level = motor.level(at: instant)
        if motor.limits.thermal != nil {
            if motor.isHeatDisturbed(instant) { return }
            let strengths = motor.strengths(at: instant)
            if motor.limits.variesIntensity {
                // What goes on from a glide is told by its end.
                if motor.lastRise(before: instant) < instant - 30_000_000 - tolerance { high *= strengths.most }
                low *= strengths.least
            }
            if strengths.mayBeCut { low = 0 }
        }
        // A share of the strength that is lost where it is halved is no matter.
        if level > high + 1e-6 {
            return fail("motor \(actuator) is at \(level), playback \(id) at most \(high), \(offset) ns after its start")
        }
        // The rest of an impact is left out.
        let isRest = playback.resumedAt[actuator].map { instant <= $0 + 50_000_000 + tolerance } ?? false
        if isRest, playback.expectation.shape.felt <= 50_000_000 { return }
        guard level < low - 1e-6, level > 0 || !isExcused(playback, motor, at: instant, tolerance) else { return }
        fail("motor \(actuator) is at \(level), playback \(id) at least \(low), \(offset) ns after its start")
    }

    /// Whether the motor's limits keep it off at `instant`.
    private func isExcused(_ playback: Live, _ motor: Motor, at instant: Int64, _ tolerance: Int64) -> Bool {
        let lastOff = motor.lastOff(before: instant)
        if let lastOff, lastOff > .min, instant - lastOff <= motor.limits.minGap + tolerance { return true }
        let threshold = motor.limits.variesIntensity ? 1e-9 : 0.25
        let stretch = playback.start + playback.expectation.lastBelow(threshold, upTo: instant - playback.start)
        if motor.cutByMaxOn(from: stretch - tolerance, to: instant) { return true }
        guard motor.limits.duty < 1 else { return false }
        if motor.isDisturbed(stretch - 11_000_000_000, instant) { return true }
        // The engine counts in tenths of a second, and begins nothing for less than a millisecond.
        let limit = Int64(10e9 * motor.limits.duty) - 102_000_000 - tolerance
        let attempts = [stretch, instant, lastOff ?? instant, (lastOff ?? instant) + motor.limits.minGap].filter {
            $0 > .min && $0 <= instant
        }
        return attempts.contains { motor.onTime(until: $0).on >= limit }
    }

    mutating func forget() {
        let oldest = live.values.reduce(now) { min($0, $1.start) }
        // Its silence is judged once something plays on it.
        for index in motors.indices { motors[index].forget(before: min(oldest, motors[index].ownedSince) - 12_000_000_000) }
    }
}
