// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime
import TestSupport

/// The executor of a walk, and the faults of executor, event loop and devices.
extension World {
    mutating func runExecutor() {
        executorAt = .distantFuture
        guard let box = executor else { return }
        if isDeaf {
            isDeaf = false
            for index in oracle.motors.indices { oracle.end(.doorbell, index) }
        }
        var said: [ExecutorReport] = []
        for order in ring {
            oracle.took(order)
            box.core.handle(order, at: now, report: { said.append($0) })
        }
        ring.removeAll(keepingCapacity: true)
        while box.core.step(at: now, report: { said.append($0) }) {}
        collectChanges()
        for report in said { look(at: report) }
        reports += said
        oracle.executorRan()
        executorAt = max(now + Nanoseconds(1), box.core.nextDeadline)
        if executorAt < .distantFuture { executorAt = executorAt + lateness() }
    }

    private mutating func look(at report: ExecutorReport) {
        tell("\(report)")
        switch report {
        case .missed(let actuation, _):
            oracle.seen.note("missed actuation")
            // An actuation that ends at the instant at which it begins is never felt.
            if !oracle.motors[actuation.actuator.value].hasSeveral(at: actuation.planned.nanoseconds) {
                oracle.requireDisturbed(actuation, "left out")
            }
            oracle.leftOut(actuation, .leftOut)
        case .abandoned(let actuation, _):
            oracle.seen.note("leash off")
            oracle.requireDisturbed(actuation, "cut by the leash")
            oracle.leftOut(actuation, .leash)
        case .cutOff(let actuation, _): if options.jitter == 0 { oracle.requireDisturbed(actuation, "cut by the driver") }
        case .refused(let actuation): oracle.requireDisturbed(actuation, "refused")
        case .actuated(let actuation, let instant): oracle.actuated(actuation.actuator.value, at: instant.nanoseconds)
        case .faulted, .restored: break
        }
    }

    mutating func collectChanges() {
        for index in drivers.indices where !drivers[index].changes.isEmpty {
            let changes = drivers[index].takeChanges()
            for change in changes {
                trace.combine(index)
                trace.combine(change)
                tell("motor \(index) is at \(change.level)")
            }
            oracle.changed(index, changes)
        }
    }

    // MARK: Faults

    mutating func count(_ fault: Options.Fault) {
        faults[fault, default: 0] += 1
        tell("\(fault)")
    }

    /// Causes `fault`. Returns false if it is no fault of devices, threads or the ring between them.
    mutating func strike(_ fault: Options.Fault, _ random: inout SplitMix64) -> Bool {
        let (short, long) = (random.milliseconds(1...49), Nanoseconds.milliseconds(random.one(of: [60, 150, 400, 3000])))
        switch fault {
        case .lateEngine: stallEngine(random.chance(2) ? short : long)
        case .lateExecutor: stallExecutor(random.chance(2) ? short : long)
        // Both threads stand still, as after SIGSTOP: the clock jumps.
        case .stopped:
            engineFree = max(engineFree, now + long)
            stallExecutor(long, .stopped)
        case .lostDoorbell: losesNextDoorbell = true
        case .deviceLost:
            takeAway(Int.random(in: 0..<board.motors.count, using: &random), isSeen: random.chance(2))
            if random.chance(2) { bringBack() }
        case .clientGone, .reload, .replaced, .sleep: return false
        }
        return true
    }

    /// Stops the event loop for `length`. The planner may be 50 ms late, so a shorter stop has no effect.
    private mutating func stallEngine(_ length: Nanoseconds) {
        count(.lateEngine)
        engineFree = max(engineFree, now + length)
        if length >= .milliseconds(50) {
            oracle.seen.note("late engine")
            oracle.disturb(from: now.nanoseconds, to: engineFree.nanoseconds + Self.settling)
        } else if oracle.playing > 0 {
            oracle.seen.note("unnoticed lateness")
        }
    }

    private mutating func stallExecutor(_ length: Nanoseconds, _ fault: Options.Fault = .lateExecutor) {
        count(fault)
        executorFree = max(executorFree, now + length)
        oracle.halt(until: executorFree.nanoseconds)
        oracle.seen.note(fault == .stopped ? "stopped" : "late executor")
    }

    /// Removes the device of `actuator`. The watch of devices may notice the loss before the driver does.
    mutating func takeAway(_ actuator: Int, isSeen: Bool) {
        guard !drivers[actuator].isGone, installAt == .distantFuture else { return }
        count(.deviceLost)
        if oracle.motors[actuator].isOn { oracle.seen.note("device lost on") }
        oracle.begin(.device, actuator)
        drivers[actuator].vanish(at: now)
        collectChanges()
        guard isSeen else { return }
        backlog.append(.lose(ActuatorIndex(actuator), DriverFault(.deviceLost, device: "witness")))
        commit()
    }

    /// Brings all devices back, tries them immediately, and loses nothing more.
    mutating func bringBack() {
        losesNextDoorbell = false
        backlog.append(.beat)
        commit()
        for index in drivers.indices where drivers[index].isGone {
            drivers[index].comeBack()
            if let entry = lost.firstIndex(where: { $0.actuator == index }) {
                lost[entry].retryAt = now
            } else {
                // The loss was not noticed: the next use of the device reports it.
                backlog.append(.lose(ActuatorIndex(index), DriverFault(.deviceLost, device: "witness")))
                commit()
            }
        }
    }
}
