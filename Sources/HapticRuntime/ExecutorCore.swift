// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
private import HapticThreads

/// Everything that the executor decides, without its thread: which actuation reaches which driver, and when.
///
/// Time is a value that comes in. `Executor` drives it by the real clock, the simulator by a virtual one. One thread.
public struct ExecutorCore: ~Copyable {
    // Not private for the reason that `ActuationQueue.Entry` gives.
    @usableFromInline enum Output {
        case off
        /// On, by this.
        case on(Actuation)
        /// Off by the leash, and on by this before.
        case abandoned(Actuation)
        /// Off. This comes once the motor's gap is over, unless something else comes first.
        case waiting(Actuation)
        /// Off by the leash. More has been planned since, so this goes on once the motor's gap is over.
        case resuming(Actuation)
        /// The driver has switched it off by itself and waits for an off.
        case cutOff(PlaybackID, planned: MonotonicInstant)
        /// Its driver belongs to whoever reopens it.
        case faulty
    }

    /// What is later than this is left out where the next one for the actuator is due as well: after a stall it would be a burst.
    public static var latenessLimit: Nanoseconds { .milliseconds(20) }
    /// By how much an off that came late may shorten a motor's gap.
    public static var gapTolerance: Nanoseconds { .milliseconds(2) }

    /// Actuations that reached no driver: their actuator was faulty or had been cut off, or they were too late.
    public private(set) var droppedCount = 0
    /// Actuations that found the queue full.
    public private(set) var refusedCount = 0
    /// `beat` orders so far.
    public private(set) var beatCount = 0
    /// Nothing is planned, and every device has shown that it is off.
    public var isAtRest: Bool { nextDeadline == .distantFuture && !(0..<hanging.count).contains { hanging[$0] } }
    private let drivers: [any ActuatorDriver]
    private var queue: ActuationQueue
    private var outputs: FixedBuffer<Output>
    private let minGaps: FixedBuffer<Nanoseconds>
    /// When each actuator really went off last.
    private var lastOffs: FixedBuffer<MonotonicInstant>
    private var leashes: FixedBuffer<MonotonicInstant>
    /// The deadline of each driver or leash. Kept here, so that the first one is found without a call.
    private var deadlines: ActuatorDeadlines
    #if HAPTICD_CANARIES
        /// Read once: the functions of the executor take no locks.
        private let hasLeash = !Canary.is("no-leash")
    #else
        private var hasLeash: Bool { @_noLocks get { true } }
    #endif
    /// Of those that failed: the devices that have not shown that they are off.
    private var hanging: FixedBuffer<Bool>

    /// `drivers`, by `ActuatorIndex`, are off; those of `faulty` are left alone until they are restored. `queueCapacity` is more
    /// than their number. `minGaps`: the least time from off to the next on of each; an actuator past the end of the list has none.
    public init(
        drivers: [any ActuatorDriver], faulty: [ActuatorIndex] = [], queueCapacity: Int, minGaps: [Nanoseconds] = []
    ) {
        self.drivers = drivers
        queue = ActuationQueue(capacity: queueCapacity, actuatorCount: drivers.count)
        outputs = FixedBuffer(repeating: .off, count: drivers.count)
        hanging = FixedBuffer(repeating: false, count: drivers.count)
        for actuator in faulty { outputs[actuator.value] = .faulty }
        var gaps = FixedBuffer(repeating: Nanoseconds.zero, count: drivers.count)
        for index in 0..<min(minGaps.count, drivers.count) { gaps[index] = minGaps[index] }
        self.minGaps = gaps
        lastOffs = FixedBuffer(repeating: MonotonicInstant(nanoseconds: Int64.min / 2), count: drivers.count)
        leashes = FixedBuffer(repeating: .distantFuture, count: drivers.count)
        deadlines = ActuatorDeadlines(count: drivers.count)
    }

    /// When `step` has something to do; `.distantFuture` where nothing is due any more.
    public var nextDeadline: MonotonicInstant { min(queue.nextDue, deadlines.first) }

    /// Takes an order; what it has to do at once is done and reported before it returns.
    public mutating func handle(_ order: ExecutorOrder, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        switch order {
        case .planned(.actuate(let actuation)):
            guard !queue.insert(actuation) else {
                resume(before: actuation, at: now)
                if leashes[actuation.actuator.value] < .distantFuture { noteDeadline(of: actuation.actuator.value) }
                return
            }
            refusedCount += 1
            report(.refused(actuation))
        case .planned(.revoke(let playback, let actuator, let from, let continues)):
            guard let index = index(of: actuator) else { return }
            queue.revoke(playback, actuator, from: from)
            switch outputs[index] {
            // The executor was quicker than the revocation.
            case .on(let last) where last.playback == playback && last.planned >= from && !continues:
                switchOff(index, at: now, report: report)
            case .cutOff(playback, let planned) where planned >= from: switchOff(index, at: now, report: report)
            case .abandoned(let last) where last.playback == playback,
                .resuming(let last) where last.playback == playback && !queue.holds(actuator):
                leaveWaiting(index, at: now) { _ in }
            case .waiting(let next) where next.playback == playback && next.planned >= from:
                leaveWaiting(index, at: now) { _ in }
            default: noteDeadline(of: index, at: now)
            }
        case .allOff:
            queue.removeAll()
            for index in 0..<outputs.count { switchOff(index, at: now, report: report) }
        case .lose(let actuator, let fault):
            guard let index = index(of: actuator) else { return }
            if case .faulty = outputs[index] { return }
            fail(index, fault, at: now, report: report)
        case .restore(let actuator):
            guard let index = index(of: actuator), case .faulty = outputs[index] else { return }
            (outputs[index], hanging[index]) = (.off, false)
            noteDeadline(of: index)
            report(.restored(actuator, at: now))
        case .beat: beatCount += 1
        }
    }

    /// Does the one thing that has been due longest; false where nothing is due at `now`.
    public mutating func step(at now: MonotonicInstant, report: (ExecutorReport) -> Void) -> Bool {
        // On a tie the actuation comes first: an off at exactly the longest on-time is in time.
        if queue.nextDue <= deadlines.first, let actuation = queue.popDue(now) {
            apply(actuation, at: now, report: report)
            return true
        }
        guard deadlines.first <= now else { return false }
        advance(deadlines.firstIndex, at: now, report: report)
        return true
    }

    private mutating func apply(_ actuation: Actuation, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        let index = actuation.actuator.value
        let isOn = actuation.isOn
        var isChange = true
        leaveWaiting(index, at: now, report: report)
        // What it was to end was missed, or has been cut: there is nothing to brake, and the motor would begin to turn backwards.
        if actuation.driven.isBrake, case .off = outputs[index] { return }
        if isOn, case .off = outputs[index], now + Self.gapTolerance < gapEnd(of: index) {
            // The engine does the same: what comes within the gap begins when the gap is over, if anything is left of it.
            outputs[index] = .waiting(actuation)
            return noteDeadline(of: index)
        }
        switch outputs[index] {
        case .off where !isOn: return
        case .faulty:
            droppedCount += 1
            return
        case .off where isOver(actuation, at: now), .on where isOn && isOver(actuation, at: now):
            // So late that it would be a burst: better not felt than felt wrong.
            droppedCount += 1
            report(.missed(actuation, at: now))
            return
        case .cutOff where isOn:
            droppedCount += 1
            return
        // The driver awaits an off. That it is off was reported when it happened.
        case .cutOff: isChange = false
        case .off, .on, .abandoned, .waiting, .resuming: break
        }
        do throws(DriverFault) {
            try drivers[index].apply(actuation.driven, run: actuation.run, planned: actuation.planned, at: now)
        } catch {
            return fail(index, error, at: now, report: report)
        }
        outputs[index] = isOn ? .on(actuation) : .off
        if !isOn { lastOffs[index] = now }
        noteDeadline(of: index, at: now)
        if isChange { report(.actuated(actuation, at: now)) }
    }

    @_noLocks
    private func isOver(_ actuation: Actuation, at now: MonotonicInstant) -> Bool {
        now - actuation.planned > Self.latenessLimit && queue.holds(actuation.actuator, dueAt: now)
    }

    /// When the motor's gap is over.
    @_noLocks
    private func gapEnd(of index: Int) -> MonotonicInstant { lastOffs[index] + minGaps[index] }

    /// `next` has been inserted. If the leash has switched the motor off, and `next` is still to come, the level before that goes
    /// on until then.
    @_noLocks
    private mutating func resume(before next: Actuation, at now: MonotonicInstant) {
        let index = next.actuator.value
        guard case .abandoned(let last) = outputs[index] else { return }
        outputs[index] = last.playback == next.playback && next.planned > now ? .resuming(last) : .off
        noteDeadline(of: index)
    }

    /// Ends the waiting for the gap, or for more to be planned.
    private mutating func leaveWaiting(_ index: Int, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        switch outputs[index] {
        case .waiting(let missed):
            outputs[index] = .off
            noteDeadline(of: index)
            droppedCount += 1
            report(.missed(missed, at: now))
        case .abandoned, .resuming:
            outputs[index] = .off
            noteDeadline(of: index)
        case .off, .on, .cutOff, .faulty: break
        }
    }

    private mutating func advance(_ index: Int, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        switch outputs[index] {
        case .waiting(let next):
            outputs[index] = .off
            noteDeadline(of: index)
            return apply(next, at: now, report: report)
        case .resuming(var last):
            outputs[index] = .off
            noteDeadline(of: index)
            // After a stall the next one may be due as well: this would be a burst before it.
            guard !queue.holds(last.actuator, dueAt: now) else { return }
            // It was in time once. A run cannot go on in its middle; its levels can.
            last.planned = now
            last.run = nil
            return apply(last, at: now, report: report)
        case .off, .on, .abandoned, .cutOff, .faulty: break
        }
        let planned = deadlines[index]
        if leashes[index] <= now, case .on(let last) = outputs[index] {
            let off = Actuation(planned: planned, actuator: ActuatorIndex(index), playback: last.playback, level: .off)
            switchOff(index, at: now) { if case .actuated = $0 { report(.abandoned(off, at: now)) } else { report($0) } }
            if case .off = outputs[index] { outputs[index] = .abandoned(last) }
            return
        }
        do throws(DriverFault) {
            if try drivers[index].advance(to: now) == .cutOff, case .on(let last) = outputs[index] {
                outputs[index] = .cutOff(last.playback, planned: last.planned)
                let off = Actuation(planned: planned, actuator: ActuatorIndex(index), playback: last.playback, level: .off)
                lastOffs[index] = now
                report(.cutOff(off, at: now))
            }
            noteDeadline(of: index)
        } catch {
            fail(index, error, at: now, report: report)
        }
    }

    private mutating func switchOff(_ index: Int, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        let playback: PlaybackID
        switch outputs[index] {
        case .on(let last): playback = last.playback
        case .cutOff(let cut, _): playback = cut
        case .abandoned, .waiting, .resuming: return leaveWaiting(index, at: now) { _ in }
        case .off, .faulty: return
        }
        apply(
            Actuation(planned: now, actuator: ActuatorIndex(index), playback: playback, level: .off), at: now, report: report)
    }

    private mutating func fail(
        _ index: Int, _ fault: DriverFault, at now: MonotonicInstant, report: (ExecutorReport) -> Void
    ) {
        // A second fault would add nothing to the one that is reported.
        try? drivers[index].switchOff(at: now)
        (outputs[index], hanging[index]) = (.faulty, fault.cause == .hanging)
        // The device may be back before its motor's gap is over.
        lastOffs[index] = now
        deadlines.set(.distantFuture, of: index)
        report(.faulted(ActuatorIndex(index), fault, at: now))
    }

    private func index(of actuator: ActuatorIndex) -> Int? {
        actuator.value >= 0 && actuator.value < outputs.count ? actuator.value : nil
    }

    /// Takes the driver's deadline, and that of the leash (`PlanningContract`). `now`: the actuator has just been given a level,
    /// or lost what was planned for it.
    @_noLocks
    private mutating func noteDeadline(of index: Int, at now: MonotonicInstant? = nil) {
        switch outputs[index] {
        // Someone else is reopening the driver.
        case .faulty: return
        case .waiting, .resuming: return deadlines.set(gapEnd(of: index), of: index)
        case .off, .on, .abandoned, .cutOff: break
        }
        if case .on = outputs[index], !queue.holds(ActuatorIndex(index)) {
            if let now { leashes[index] = hasLeash ? PlanningContract.leashEnd(last: now) : .distantFuture }
        } else {
            leashes[index] = .distantFuture
        }
        deadlines.set(min(driverDeadline(index), leashes[index]), of: index)
    }

    /// A call through a protocol can do anything, so the compiler vouches for none; a test does (docs/adr/0008).
    @_semantics("no_performance_analysis")
    private func driverDeadline(_ index: Int) -> MonotonicInstant { drivers[index].nextDeadline }
}
