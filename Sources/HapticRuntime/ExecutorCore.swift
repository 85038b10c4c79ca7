// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore

/// Everything that the executor decides, without its thread: which actuation reaches which driver, and when.
///
/// Time is a value that comes in. `Executor` drives it by the real clock, the simulator by a virtual one. One thread.
public struct ExecutorCore: ~Copyable {
    private enum Output {
        case off
        /// On, by an actuation of this playback planned for this instant.
        case on(PlaybackID, planned: MonotonicInstant)
        /// The driver has switched it off by itself and waits to be told off.
        case cutOff(PlaybackID, planned: MonotonicInstant)
        /// Its driver belongs to whoever reopens it.
        case faulty
    }

    /// Actuations that reached no driver, because their actuator was faulty or had been cut off.
    public private(set) var droppedCount = 0
    /// Actuations that found the queue full.
    public private(set) var refusedCount = 0
    private let drivers: [any ActuatorDriver]
    private var queue: ActuationQueue
    private var outputs: FixedBuffer<Output>
    /// Each driver's own deadline; apart from the drivers, so that the first one is found in plain memory.
    private var deadlines: FixedBuffer<MonotonicInstant>
    private var firstDeadline = MonotonicInstant.distantFuture
    private var firstDriver = 0

    /// `drivers`, by `ActuatorIndex`, are off. `queueCapacity` is more than their number.
    public init(drivers: [any ActuatorDriver], queueCapacity: Int) {
        self.drivers = drivers
        queue = ActuationQueue(capacity: queueCapacity, actuatorCount: drivers.count)
        outputs = FixedBuffer(repeating: .off, count: drivers.count)
        deadlines = FixedBuffer(repeating: .distantFuture, count: drivers.count)
    }

    /// When `step` has something to do; `.distantFuture` where nothing is due any more.
    public var nextDeadline: MonotonicInstant { min(queue.nextDue, firstDeadline) }

    /// Takes a command; what it has to do at once is done and reported before it returns.
    public mutating func handle(_ command: ExecutorCommand, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        switch command {
        case .actuate(let actuation):
            guard !queue.insert(actuation) else { return }
            refusedCount += 1
            report(.refused(actuation))
        case .revoke(let playback, let actuator, let from):
            guard let index = index(of: actuator) else { return }
            queue.revoke(playback, actuator, from: from)
            switch outputs[index] {
            case .on(playback, let planned) where planned >= from, .cutOff(playback, let planned) where planned >= from:
                // The executor was quicker than the revocation.
                switchOff(index, at: now, report: report)
            default: break
            }
        case .allOff:
            queue.removeAll()
            for index in 0..<outputs.count { switchOff(index, at: now, report: report) }
        case .restore(let actuator):
            guard let index = index(of: actuator), case .faulty = outputs[index] else { return }
            outputs[index] = .off
            noteDeadline(of: index)
            report(.restored(actuator, at: now))
        }
    }

    /// Does the one thing that has been due longest; false where nothing is due at `now`.
    public mutating func step(at now: MonotonicInstant, report: (ExecutorReport) -> Void) -> Bool {
        // On a tie the actuation comes first: an off at exactly the longest on-time is in time.
        if queue.nextDue <= firstDeadline, let actuation = queue.popDue(now) {
            apply(actuation, at: now, report: report)
            return true
        }
        guard firstDeadline <= now else { return false }
        advance(firstDriver, at: now, report: report)
        return true
    }

    private mutating func apply(_ actuation: Actuation, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        let index = actuation.actuator.value
        let isOn = actuation.level.isOn
        var isChange = true
        switch outputs[index] {
        case .off where !isOn: return
        case .faulty:
            droppedCount += 1
            return
        case .cutOff where isOn:
            droppedCount += 1
            return
        // The driver has to be told; the off itself was reported when it happened.
        case .cutOff: isChange = false
        case .off, .on: break
        }
        do throws(DriverFault) {
            try drivers[index].apply(actuation.level, planned: actuation.planned, at: now)
        } catch {
            return fail(index, error, at: now, report: report)
        }
        outputs[index] = isOn ? .on(actuation.playback, planned: actuation.planned) : .off
        noteDeadline(of: index)
        if isChange { report(.actuated(actuation, at: now)) }
    }

    private mutating func advance(_ index: Int, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        let planned = deadlines[index]
        do throws(DriverFault) {
            if try drivers[index].advance(to: now) == .cutOff, case .on(let playback, let start) = outputs[index] {
                outputs[index] = .cutOff(playback, planned: start)
                let off = Actuation(planned: planned, actuator: ActuatorIndex(index), playback: playback, level: .off)
                report(.cutOff(off, at: now))
            }
            noteDeadline(of: index)
        } catch {
            fail(index, error, at: now, report: report)
        }
    }

    private mutating func switchOff(_ index: Int, at now: MonotonicInstant, report: (ExecutorReport) -> Void) {
        switch outputs[index] {
        case .on(let playback, _), .cutOff(let playback, _):
            let off = Actuation(planned: now, actuator: ActuatorIndex(index), playback: playback, level: .off)
            apply(off, at: now, report: report)
        case .off, .faulty: return
        }
    }

    private mutating func fail(
        _ index: Int, _ fault: DriverFault, at now: MonotonicInstant, report: (ExecutorReport) -> Void
    ) {
        // Its own fault would add nothing to the one that is reported.
        try? drivers[index].switchOff(at: now)
        outputs[index] = .faulty
        setDeadline(of: index, .distantFuture)
        report(.faulted(ActuatorIndex(index), fault, at: now))
    }

    private func index(of actuator: ActuatorIndex) -> Int? {
        actuator.value >= 0 && actuator.value < outputs.count ? actuator.value : nil
    }

    private mutating func noteDeadline(of index: Int) { setDeadline(of: index, drivers[index].nextDeadline) }

    private mutating func setDeadline(of index: Int, _ deadline: MonotonicInstant) {
        guard deadlines[index] != deadline else { return }
        deadlines[index] = deadline
        firstDeadline = .distantFuture
        for index in 0..<deadlines.count where deadlines[index] < firstDeadline {
            firstDeadline = deadlines[index]
            firstDriver = index
        }
    }
}
