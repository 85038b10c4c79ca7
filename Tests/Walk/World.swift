// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticRuntime
import TestSupport

/// Engine and executor as the daemon runs them, each with a thread that may stand still, and a ring between the two; in virtual time.
struct World: ~Copyable {
    let options: Options
    let board: Board
    private(set) var now = MonotonicInstant.zero
    var oracle: Oracle
    var trace = Trace()
    private(set) var inputs = 0
    var faults: [Options.Fault: Int] = [:]
    var loop: FeedbackLoop
    var random: SplitMix64

    var drivers: [WitnessDriver]
    /// Nil while one executor is replaced by the next.
    var executor: Optional<Box>
    var hasOtherMotors = false
    /// What the event loop has not got rid of, and what the executor has not taken.
    var backlog: [ExecutorOrder] = []
    var ring: [ExecutorOrder] = []
    var reports: [ExecutorReport] = []
    /// Until when each stands still.
    var engineFree = MonotonicInstant.zero
    var executorFree = MonotonicInstant.zero
    var executorAt = MonotonicInstant.distantFuture
    var retryAt = MonotonicInstant.distantFuture
    var installAt = MonotonicInstant.distantFuture
    /// Those that are to be opened again, and when.
    var lost: [(actuator: Int, retryAt: MonotonicInstant, backOff: BackOff)] = []
    var losesNextDoorbell = false
    /// It has lost one and not woken up since.
    var isDeaf = false
    /// What happened, in words, where someone wants to read it.
    var story: [String]?

    /// An executor moves in and out of the world.
    final class Box {
        var core: ExecutorCore
        init(_ core: consuming ExecutorCore) { self.core = core }
    }

    /// What has become of a disturbance is over by so much after it.
    static let settling: Int64 = 300_000_000

    init(_ options: Options, _ board: Board, seed: UInt64) {
        (self.options, self.board) = (options, board)
        random = SplitMix64(seed: seed)
        let configuration = board.configuration(profile: .full, hasOtherMotors: false)
        loop = FeedbackLoop(configuration)
        oracle = Oracle(board.motors, jitter: options.jitter, seed: seed ^ 0x5eed)
        drivers = board.drivers()
        executor = Box(Self.core(drivers, board))
    }

    static func core(_ drivers: [WitnessDriver], _ board: Board) -> ExecutorCore {
        // The sizes of the daemon.
        ExecutorCore(
            drivers: drivers, queueCapacity: 512 + 512 * drivers.count, minGaps: board.motors.map { Nanoseconds($0.minGap) })
    }

    var isEngineFree: Bool { engineFree <= now }

    // MARK: Time

    /// Lets time pass; what is due at the same time is done by the executor first.
    mutating func run(until end: MonotonicInstant) {
        while oracle.failure == nil {
            let loopAt = max(engineFree, min(loop.nextDeadline, retryAt, reports.isEmpty ? .distantFuture : now, nextOpening))
            let executorAt = max(executorFree, executorAt)
            let next = min(loopAt, executorAt, installAt)
            guard next <= end else { break }
            now = max(now, next)
            oracle.now = now.nanoseconds
            if executorAt <= now { runExecutor() } else if installAt <= now { install() } else { runLoop() }
        }
        now = max(now, end)
        oracle.now = now.nanoseconds
    }

    var nextOpening: MonotonicInstant { lost.reduce(.distantFuture) { min($0, $1.retryAt) } }

    mutating func runLoop() {
        if !reports.isEmpty { readReports() }
        if retryAt <= now {
            retryAt = .distantFuture
            commit()
        }
        reopen()
        guard loop.nextDeadline <= now else { return }
        loop.take(.time, at: now)
        carryOut(isLater: true)
    }

    // MARK: The event loop

    /// Has the engine decide `batch`; `requests`, by their index: what each is to feel like.
    mutating func send(_ batch: [BatchItem], _ requests: [Request?]) {
        let isInput = batch.map { if case .input = $0 { true } else { false } }
        inputs += isInput.count { $0 }
        if batch.count > 1 { oracle.seen.note(.batch) }
        for item in batch {
            switch item {
            case .cancel, .setProfile: oracle.cancelled()
            case .input: break
            }
        }
        loop.take(.batch(batch), at: now)
        oracle.require(
            loop.actions.results.count == batch.count, "\(loop.actions.results.count) results of \(batch.count) items")
        var tookBack = false
        for (index, result) in loop.actions.results.enumerated() where index < batch.count {
            guard case .decided(let decision, let summary) = result else {
                oracle.require(!isInput[index], "an input without a decision")
                continue
            }
            oracle.require(isInput[index], "a decision on what is no input")
            oracle.decided(decision)
            trace.add(decision)
            tell(
                "\(decision.outcome) \(decision.reason.map { "\($0)" } ?? "") \(decision.pattern ?? "") \(decision.playback?.value ?? 0) on \(decision.actuators)"
            )
            if decision.outcome == .preempted || decision.outcome == .cancelled { tookBack = true }
            if decision.outcome != .played { oracle.seen.note(decision.reason == .quota ? .refusedInput : .judged) }
            if let summary, summary.mergedByMinGap > 0 { oracle.seen.note(.mergedPulse) }
        }
        if tookBack {
            oracle.seen.note(.takenBack)
            oracle.tookBack()
        }
        for (index, result) in loop.actions.results.enumerated() {
            guard case .decided(let decision, let summary) = result, let id = decision.playback else { continue }
            let expectation = board.expectation(of: decision, summary, requests[index])
            oracle.began(id.value, expectation, on: decision.actuators.map(Board.number), pulses: summary?.pulses)
        }
        // What began in this batch may have lost motors to what was taken back.
        if tookBack { oracle.tookBack() }
        carryOut()
    }

    mutating func connectionClosed(_ connection: UInt64) {
        count(.clientGone)
        oracle.cancelled()
        loop.take(.connectionClosed(connection), at: now)
        if loop.actions.actions.contains(where: { if case .revoke = $0 { true } else { false } }) {
            oracle.seen.note(.clientGone)
        }
        carryOut()
    }

    /// Takes another configuration; with other motors the executor is replaced, as by the daemon.
    mutating func reload(profile: Profile, replacing: Bool) {
        count(replacing ? .replaced : .reload)
        if oracle.playing > 0 { oracle.seen.note(replacing ? .replacedInPlay : .reloadInPlay) }
        oracle.cancelled()
        if replacing { hasOtherMotors.toggle() }
        loop.take(.configuration(board.configuration(profile: profile, hasOtherMotors: hasOtherMotors)), at: now)
        carryOut()
        guard replacing else { return }
        oracle.require(oracle.playing == 0, "a playback goes on on motors that are there no more")
        commit()
        (backlog, ring, reports, lost) = ([], [], [], [])
        executor?.core.handle(.allOff, at: now, report: { _ in })
        collectChanges()
        for motor in oracle.motors { oracle.require(!motor.isOn, "a motor is on after its executor has been stopped") }
        executor = nil
        executorAt = .distantFuture
        installAt = now + Nanoseconds(Int64.random(in: 0...200_000_000, using: &random))
        drivers = board.drivers()
        oracle.replaceMotors(board.motors.indices.filter { !board.stays($0) }, at: now.nanoseconds)
        oracle.disturb(from: now.nanoseconds, to: installAt.nanoseconds + Self.settling)
    }

    mutating func install() {
        installAt = .distantFuture
        isDeaf = false
        executorFree = now
        executor = Box(Self.core(drivers, board))
        commit()
    }

    mutating func shutdown() {
        loop.take(.shutdown, at: now)
        carryOut()
    }

    /// `isLater`: it comes of time alone.
    mutating func carryOut(isLater: Bool = false) {
        handOut(isLater)
        while loop.goOn(at: now) { handOut(true) }
        commit()
        oracle.require(loop.engine.sourceCount <= Board.bounds.sources, "\(loop.engine.sourceCount) sources")
        oracle.require(loop.engine.playbackCount <= Board.bounds.playbacks, "\(loop.engine.playbackCount) playbacks")
        let playing = oracle.playing
        oracle.require(
            loop.engine.playbackCount == playing, "\(loop.engine.playbackCount) playbacks, of which \(playing) began")
    }

    private mutating func handOut(_ isLater: Bool) {
        for action in loop.actions.actions {
            trace.add(action)
            tell(Self.text(action))
            switch action {
            case .ended(let end):
                if end.ending == .cancelled { oracle.seen.note(isLater ? .fade : .immediateCancel) }
                if end.reason == .profile { oracle.seen.note(.profileEnd) }
                oracle.ended(end)
            case .actuate(let actuation):
                oracle.handedOut(actuation)
                backlog.append(.actuate(actuation))
            case .revoke(let playback, let actuator, let from):
                oracle.revoked(actuator.value, from: from.nanoseconds)
                noteRevoked(actuator.value)
                backlog.append(.revoke(playback, actuator, from: from))
            }
        }
    }

    /// The executor may have been quicker than the revocation: what it switched on just now it switches off again.
    mutating func noteRevoked(_ actuator: Int) {
        let motor = oracle.motors[actuator]
        guard motor.isOn, motor.lastChange >= now.nanoseconds - options.jitter else { return }
        oracle.seen.note(.revokedOn)
        oracle.disturb(actuator, from: now.nanoseconds, to: now.nanoseconds + motor.limits.minGap + Self.settling)
    }

    mutating func commit() {
        guard executor != nil else { return }
        let taken = min(backlog.count, options.ring - ring.count)
        ring += backlog[..<taken]
        backlog.removeFirst(taken)
        if !backlog.isEmpty || taken > 0 { ringDoorbell() }
        guard !backlog.isEmpty else { return }
        oracle.seen.note(.fullRing)
        oracle.disturb(from: now.nanoseconds, to: now.nanoseconds + Self.settling)
        retryAt = min(retryAt, now + .milliseconds(1))
    }

    mutating func ringDoorbell() {
        guard !losesNextDoorbell else {
            losesNextDoorbell = false
            count(.lostDoorbell)
            oracle.seen.note(.lostDoorbell)
            guard !isDeaf else { return }
            isDeaf = true
            for index in oracle.motors.indices { oracle.begin(.doorbell, index) }
            return
        }
        executorAt = min(executorAt, now + lateness())
    }

    mutating func lateness() -> Nanoseconds {
        Nanoseconds(options.jitter > 0 ? Int64.random(in: 0...options.jitter, using: &random) : 0)
    }

    mutating func readReports() {
        let read = reports
        reports = []
        for report in read {
            switch report {
            case .faulted(let actuator, _, _):
                var backOff = BackOff()
                lost.append((actuator.value, now + backOff.next(), backOff))
                loop.take(.actuator(actuator, isAvailable: false), at: now)
                carryOut()
            case .restored(let actuator, _):
                oracle.seen.note(.deviceBack)
                // It may have gone again meanwhile.
                if drivers[actuator.value].isOpen {
                    oracle.end(.device, actuator.value, at: now.nanoseconds + Self.settling)
                }
                loop.take(.actuator(actuator, isAvailable: true), at: now)
                carryOut()
            case .actuated, .missed, .cutOff, .abandoned, .refused: break
            }
        }
    }

    mutating func reopen() {
        for index in lost.indices.reversed() where lost[index].retryAt <= now {
            let actuator = lost[index].actuator
            do throws(DriverFault) {
                try drivers[actuator].open(at: now)
                lost.remove(at: index)
                backlog.append(.restore(ActuatorIndex(actuator)))
                commit()
            } catch {
                lost[index].retryAt = now + lost[index].backOff.next()
            }
        }
    }
}
