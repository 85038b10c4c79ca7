// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime

/// The executor of a walk, and what is done to it, to the event loop and to the devices.
extension World {
    mutating func runExecutor() {
        executorAt = .distantFuture
        guard let box = executor else { return }
        if isDeaf {
            isDeaf = false
            for index in oracle.motors.indices { oracle.end(.doorbell, index, at: now.nanoseconds + Self.settling) }
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

    mutating func look(at report: ExecutorReport) {
        tell(Self.text(report))
        switch report {
        case .missed(let actuation, _):
            oracle.seen.note(.missedActuation)
            // What ends at the instant at which it begins is never felt.
            if !oracle.motors[actuation.actuator.value].hasSeveral(at: actuation.planned.nanoseconds) {
                undisturbed(actuation, "was left out")
            }
            oracle.leftOut(actuation.playback.value, on: actuation.actuator.value)
        case .abandoned(let actuation, _):
            oracle.seen.note(.leashOff)
            undisturbed(actuation, "came from the leash")
            oracle.leftOut(actuation.playback.value, on: actuation.actuator.value, .leash)
        case .cutOff(let actuation, _):
            if options.jitter == 0 { undisturbed(actuation, "came from the driver") }
        case .refused(let actuation): undisturbed(actuation, "found no room")
        case .actuated(let actuation, let instant): oracle.actuated(actuation.actuator.value, at: instant.nanoseconds)
        case .faulted, .restored: break
        }
    }

    mutating func undisturbed(_ actuation: Actuation, _ what: String) {
        let motor = oracle.motors[actuation.actuator.value]
        let span = max(Self.settling, motor.limits.minGap)
        oracle.require(
            motor.isDisturbed(actuation.planned.nanoseconds - span, now.nanoseconds),
            "an actuation for \(actuation.planned) of motor \(actuation.actuator.value) \(what)")
    }

    mutating func collectChanges() {
        for index in drivers.indices where !drivers[index].changes.isEmpty {
            let changes = drivers[index].takeChanges()
            for change in changes {
                trace.add(index, change)
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

    /// The event loop stands still. As long as the planner may be late, 50 ms, nobody notices.
    mutating func stallEngine(_ length: Nanoseconds) {
        count(.lateEngine)
        engineFree = max(engineFree, now + length)
        if length >= .milliseconds(50) {
            oracle.seen.note(.lateEngine)
            oracle.disturb(from: now.nanoseconds, to: engineFree.nanoseconds + Self.settling)
        } else if oracle.playing > 0 {
            oracle.seen.note(.unnoticedLateness)
        }
    }

    mutating func stallExecutor(_ length: Nanoseconds) {
        count(.lateExecutor)
        executorFree = max(executorFree, now + length)
        oracle.halt(from: now.nanoseconds, to: executorFree.nanoseconds)
        oracle.seen.note(.lateExecutor)
        oracle.disturb(from: now.nanoseconds, to: executorFree.nanoseconds + Self.settling)
    }

    /// Both, as by SIGSTOP: the clock jumps.
    mutating func stop(_ length: Nanoseconds) {
        count(.stopped)
        engineFree = max(engineFree, now + length)
        executorFree = max(executorFree, now + length)
        oracle.halt(from: now.nanoseconds, to: executorFree.nanoseconds)
        oracle.seen.note(.stopped)
        oracle.disturb(from: now.nanoseconds, to: now.nanoseconds + length.count + Self.settling)
    }

    mutating func loseNextDoorbell() { losesNextDoorbell = true }

    /// The device of `actuator` goes; who watches devices may see it before the driver does.
    mutating func takeAway(_ actuator: Int, isSeen: Bool) {
        guard !drivers[actuator].isGone, installAt == .distantFuture else { return }
        count(.deviceLost)
        if oracle.motors[actuator].isOn { oracle.seen.note(.deviceLostOn) }
        oracle.begin(.device, actuator)
        drivers[actuator].vanish(at: now)
        collectChanges()
        guard isSeen else { return }
        backlog.append(.lose(ActuatorIndex(actuator), DriverFault(.deviceLost, device: "witness")))
        commit()
    }

    /// All devices are there, and are tried at once; nothing more gets lost.
    mutating func bringBack() {
        losesNextDoorbell = false
        backlog.append(.beat)
        commit()
        for index in drivers.indices where drivers[index].isGone {
            drivers[index].comeBack()
            if let entry = lost.firstIndex(where: { $0.actuator == index }) {
                lost[entry].retryAt = now
            } else {
                // Nobody has noticed: it is lost the next time that it is used.
                backlog.append(.lose(ActuatorIndex(index), DriverFault(.deviceLost, device: "witness")))
                commit()
            }
        }
    }
}
