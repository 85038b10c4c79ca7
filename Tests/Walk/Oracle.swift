// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime

/// Judges engine and executor by invariants. It knows the inputs, the decisions and the calls of each driver, and predicts
/// neither levels nor decisions: golden traces and unit tests check these.
///
/// - Each input has one decision, at its place in the results of its batch. Decisions are numbered without a gap, and the
///   numbers of playbacks rise.
/// - A decision that plays names playback and actuators; any other has a reason and neither.
/// - No input plays after the deadline of its class.
/// - A playback ends once, not before its start and not in the future. Nothing is planned or reported for it afterwards.
/// - At most one playback plays on an actuator, and none on a lost one. Only a playback that resumes returns to an actuator.
/// - An interruption and its end alternate. No bound refuses an alarm while an interrupted playback waits.
/// - A cancel ends its playbacks within 50 ms, an immediate cancel at its instant. Nothing plays while feedback is off.
/// - A completed playback that had one motor to itself has switched it on as often as its decision says.
/// - Each motor (`Motor`) stays within drive, `maxOn`, `minGap`, `duty`, heat, overdrive and interval, and is off while nothing
///   plays on it.
/// - A motor that is on has a planned actuation, or goes off within 100 ms. All motors are off at rest, after a night, a loss, a
///   replacement and the shutdown.
/// - The executor leaves out, cuts or refuses nothing, unless the walk disturbed it. Sources, playbacks and orders stay within
///   their bounds.
/// - Holds, sets and tasks keep to the rules of `HandRules`; the service and its clients to those of `ServiceJudge` and `Receiver`.
/// - At the end a `play` is felt on every motor. The same seed makes the same walk, and so does a replay of the service's record.
struct Oracle {
    struct Live {
        let start: Int64
        let motors: [Int]
        let owner: Owner?
        let source: String?
        let resumes: Bool
        let isFollowed: Bool
        /// The number of pulses in the decision.
        let pulses: Int?
        /// Whether the playback has had a single motor, to itself, so far.
        var isAlone: Bool
        /// Whether it took its motor from another playback, whose pulse may continue as its own.
        var tookOver = false
        var isInterrupted = false
        /// The latest end of a cancelled playback.
        var endsBy = Int64.max
    }

    static let longestFade: Int64 = 50_000_000

    private(set) var motors: [Motor]
    private(set) var failure: String?
    private(set) var live: [UInt64: Live] = [:]
    private var lastSequence: UInt64 = 0
    private var lastPlayback: UInt64 = 0
    var seen = Sometimes()
    var now: Int64 = 0

    init(_ limits: [Motor.Limits], jitter: Int64) { motors = limits.map { Motor($0, jitter: jitter) } }

    /// Gives all motors another executor. `others` are new motors.
    mutating func replaceMotors(_ others: [Int]) {
        for index in motors.indices { motors[index].begin(again: others.contains(index), at: now) }
    }

    mutating func fail(_ message: String) { if failure == nil { failure = "at \(Double(now) / 1e9) s: \(message)" } }

    mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) { if !condition { fail(message()) } }

    var playing: Int { live.count }
    var playingIDs: [UInt64] { live.keys.sorted() }

    // MARK: Disturbances

    mutating func disturb(_ actuator: Int? = nil, from: Int64, to: Int64) {
        for index in motors.indices where actuator == nil || actuator == index { motors[index].disturb(from: from, to: to) }
    }

    /// Notes that the executor stands still.
    mutating func halt(until end: Int64) {
        for index in motors.indices { motors[index].halt(from: now, to: end) }
        disturb(from: now, to: end + World.settling)
    }

    mutating func begin(_ trouble: Motor.Trouble, _ actuator: Int) { motors[actuator].begin(trouble, at: now) }
    mutating func end(_ trouble: Motor.Trouble, _ actuator: Int) { motors[actuator].end(trouble, at: now + World.settling) }

    /// Notes that the executor has left out or cut an actuation: the engine takes the motor for on until the playback ends.
    mutating func leftOut(_ actuation: Actuation, _ trouble: Motor.Trouble) {
        let index = actuation.actuator.value
        if motors[index].owner == actuation.playback.value { begin(trouble, index) }
    }

    private mutating func own(_ index: Int, _ owner: UInt64?, since: Int64) {
        if let loser = motors[index].owner, loser != owner { live[loser]?.isAlone = false }
        for trouble in [.leftOut, .leash] as [Motor.Trouble] { end(trouble, index) }
        motors[index].own(owner, since: since)
    }

    // MARK: What the engine decides

    mutating func decided(_ decision: Decision) {
        require(decision.sequence == lastSequence + 1, "a number was left out, or used twice: \(words(decision))")
        lastSequence = decision.sequence
        if decision.outcome == .played {
            require(decision.playback != nil && !decision.actuators.isEmpty, "played, on nothing: \(words(decision))")
        } else {
            require(
                decision.playback == nil && decision.actuators.isEmpty, "not played, and yet on something: \(words(decision))")
            require(decision.reason != nil, "no reason: \(words(decision))")
        }
        // A playback that was taken back may have taken motors from others first.
        guard decision.outcome == .preempted || decision.outcome == .cancelled else { return }
        seen.note("taken back")
        for id in live.keys { live[id]?.isAlone = false }
    }

    /// Checks the decision on `input`. `isSingle`: the input is the only one of its batch.
    mutating func decided(_ decision: Decision, on input: Input, isSingle: Bool) {
        let limits: [FeedbackClass: Int64] = [.notification: 1000, .interaction: 100, .texture: 100]
        if decision.outcome == .played, let limit = decision.feedbackClass.flatMap({ limits[$0] }) {
            require(decision.at - input.at <= .milliseconds(limit), "played \(decision.at - input.at) late: \(words(decision))")
        }
        guard isSingle, decision.feedbackClass == .alarm, decision.input == .play, let bound = decision.bound else { return }
        let waits = live.values.contains { $0.isInterrupted && (bound == .playbacks || $0.owner?.user == decision.user) }
        require(!waits, "an alarm was refused (\(bound)) while something waits")
    }

    /// Notes the playback of `decision`.
    mutating func began(_ decision: Decision, pulses: Int?, resumes: Bool) {
        guard let id = decision.playback?.value else { return }
        let isFollowed = decision.input == .progress && decision.rule.map(Board.followed.contains) ?? false
        if live[id]?.isFollowed == true {
            live[id]?.endsBy = .max
            seen.note("followed")
            return require(
                isFollowed && live[id]?.source == decision.source, "goes on with another's playback: \(words(decision))")
        }
        require(id > lastPlayback, "playback \(id) began after later ones")
        lastPlayback = max(id, lastPlayback)
        let indices = decision.actuators.map(Board.number)
        let tookOver = indices.contains { motors[$0].owner != nil }
        if tookOver { seen.note("preemption") }
        live[id] = Live(
            start: now, motors: indices, owner: decision.owner, source: decision.source, resumes: resumes, isFollowed: isFollowed,
            pulses: pulses, isAlone: indices.count == 1, tookOver: tookOver)
        for index in indices {
            require(!motors[index].isLost, "playback \(id) began on motor \(index), which is lost")
            own(index, id, since: now)
        }
    }

    mutating func cancelled(_ request: CancelRequest, _ count: Int) {
        guard count > 0, request.mode != .advance else { return }
        for (id, one) in live {
            let isOwn = one.owner == request.client.owner
            let isReached = isOwn || request.client.scope == nil
            let isMeant =
                switch request.target {
                case .all: isReached
                case .playback(let meant): isReached && meant.value == id
                case .source(let source): isOwn && one.source == source
                }
            let tail = one.motors.reduce(Self.longestFade) { max($0, motors[$1].limits.tail) }
            if isMeant { live[id]?.endsBy = min(one.endsBy, request.mode == .immediate ? now : now + tail) }
        }
    }

    mutating func ended(_ end: PlaybackEnd) {
        let (id, at) = (end.playback.value, end.at.nanoseconds)
        guard let one = live.removeValue(forKey: id) else { return fail("an ending of \(id), which does not play") }
        require(at >= one.start && at <= now, "playback \(id) of \(one.start) ends at \(at)")
        let isDisturbed = one.motors.contains { motors[$0].isDisturbed(one.start, now) }
        require(at <= one.endsBy || isDisturbed, "playback \(id) ends \(at - one.endsBy) ns too late for its cancel")
        for index in motors.indices where motors[index].owner == id { own(index, nil, since: at) }
        if one.isInterrupted, end.ending == .preempted {
            seen.note(end.reason == .superseded ? "wait replaced" : "waited in vain")
        }
        guard end.ending == .completed else { return }
        if one.motors.contains(where: { motors[$0].limits.model != nil }) { seen.note("fitted") }
        guard one.isAlone, !isDisturbed, let pulses = one.pulses, let motor = one.motors.first.map({ motors[$0] }) else { return }
        // If the executor is late, the last pulse may not have begun yet.
        guard motor.jitter == 0 else { return }
        seen.note("counted")
        let felt = motor.rises(from: one.start, to: at)
        require(
            felt == pulses || one.tookOver && felt + 1 == pulses, "playback \(id) had \(felt) pulses, and was to have \(pulses)")
    }

    mutating func interruption(_ interruption: PlaybackInterruption) {
        let id = interruption.playback.value
        let isInterrupted = interruption.state == .interrupted
        guard let one = live[id] else { return fail("\(interruption.state) \(id), which does not play") }
        require(one.resumes && isInterrupted != one.isInterrupted, "\(interruption.state) \(id) for nothing")
        live[id]?.isInterrupted = isInterrupted
        live[id]?.isAlone = false
    }

    // MARK: What the engine plans

    mutating func handedOut(_ actuation: Actuation) {
        let (index, id) = (actuation.actuator.value, actuation.playback.value)
        require(
            motors[index].handOut(for: actuation.planned.nanoseconds),
            "motor \(index) gets \(words(actuation)) after what is later")
        guard actuation.isOn else { return }
        guard let one = live[id], one.motors.contains(index) else {
            return fail("\(id) does not play on motor \(index): \(words(actuation))")
        }
        require(!motors[index].isLost, "motor \(index) is lost, and gets \(words(actuation))")
        guard motors[index].owner != id else { return }
        require(one.resumes, "motor \(index) gets \(words(actuation)), and something else plays on it")
        own(index, id, since: now)
        live[id]?.isAlone = false
        seen.note("resumed")
    }

    mutating func revoked(_ index: Int, from: Int64) { motors[index].revoke(from: from) }

    /// Notes that the engine takes the motor for gone.
    mutating func lost(_ index: Int) {
        own(index, nil, since: now)
        motors[index].isLost = true
    }

    mutating func restored(_ index: Int) { motors[index].isLost = false }

    mutating func slept(_ time: Int64) { for index in motors.indices { motors[index].slept(time, at: now) } }

    // MARK: What the executor does

    /// Notes that the executor has received the order.
    mutating func took(_ order: ExecutorOrder) {
        switch order {
        case .planned(.actuate(let actuation)):
            let index = actuation.actuator.value
            motors[index].known = max(motors[index].known, actuation.planned.nanoseconds)
            // A new order ends a cut by the leash, unless the planner has a maxOn, which counts from before the cut.
            if motors[index].limits.limits.maxOn == nil { end(.leash, index) }
        case .planned(.revoke(_, let actuator, _, _)): motors[actuator.value].known = now
        case .allOff, .lose, .restore, .beat: break
        }
    }

    mutating func changed(_ index: Int, _ changes: [WitnessDriver.Change]) {
        for change in changes {
            if change.level < 0 { seen.note("braked") }
            if change.level > 1 { seen.note("overdriven") }
            if let complaint = motors[index].change(to: change.level, at: change.at) { fail("motor \(index) \(complaint)") }
        }
    }

    /// Notes that the executor has applied an actuation, which changes nothing if two levels have one drive.
    mutating func actuated(_ index: Int, at instant: Int64) { motors[index].known = max(motors[index].known, instant) }

    /// Requires a reason for the executor's report of `actuation`.
    mutating func requireDisturbed(_ actuation: Actuation, _ what: String) {
        let motor = motors[actuation.actuator.value]
        let span = max(World.settling, motor.limits.limits.minGap.count)
        let isDisturbed = motor.isDisturbed(actuation.planned.nanoseconds - span, now)
        require(isDisturbed, "\(what) without a disturbance: \(words(actuation))")
    }

    /// Checks, after all due work of the executor, that no motor without a planned actuation is on for longer than the leash.
    mutating func executorRan() {
        for index in motors.indices where motors[index].isOn {
            let time = now - max(motors[index].lastChange, motors[index].known)
            require(time <= 100_000_000, "motor \(index) is on \(time) ns after the last that is known of it")
        }
    }

    mutating func forget() {
        let oldest = live.values.reduce(now) { min($0, $1.start) }
        for index in motors.indices { motors[index].forget(before: oldest - 12_000_000_000) }
    }
}
