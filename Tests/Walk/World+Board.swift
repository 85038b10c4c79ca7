// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticRuntime

/// The board of a walk: the way to the executor and back, and devices that come and go.
extension World {
    /// Replaces the executor and its motors, none of which plays.
    mutating func replaceExecutor() {
        oracle.require(oracle.playing == 0, "a playback goes on on motors that are there no more")
        commit()
        if let served { passLastReports(to: served) }
        (backlog, ring, reports, lost) = ([], [], [], [])
        executor?.core.handle(.allOff, at: now, report: { _ in })
        collectChanges()
        for motor in oracle.motors { oracle.require(!motor.isOn, "a motor is on after its executor has been stopped") }
        executor = nil
        executorAt = .distantFuture
        installAt = now + Nanoseconds(Int64.random(in: 0...200_000_000, using: &random))
        drivers = board.drivers()
        oracle.replaceMotors(board.motors.indices.filter { !board.stays($0) })
        oracle.disturb(from: now.nanoseconds, to: installAt.nanoseconds + Self.settling)
    }

    mutating func install() {
        installAt = .distantFuture
        isDeaf = false
        executorFree = now
        executor = Box(Self.core(drivers, board))
        commit()
    }

    mutating func commit() {
        guard executor != nil else { return }
        let taken = min(backlog.count, options.ring - ring.count)
        ring += backlog[..<taken]
        backlog.removeFirst(taken)
        if !backlog.isEmpty || taken > 0 { ringDoorbell() }
        guard !backlog.isEmpty else { return }
        oracle.seen.note("full ring")
        oracle.disturb(from: now.nanoseconds, to: now.nanoseconds + Self.settling)
        retryAt = min(retryAt, now + .milliseconds(1))
    }

    mutating func ringDoorbell() {
        guard !losesNextDoorbell else {
            losesNextDoorbell = false
            count(.lostDoorbell)
            oracle.seen.note("lost doorbell")
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
        if let served { return pass(read, to: served) }
        for report in read {
            switch report {
            case .faulted(let actuator, _, _):
                beginReopening(actuator.value)
                take(.actuator(actuator, isAvailable: false))
            case .restored(let actuator, _):
                noteBack(actuator.value)
                take(.actuator(actuator, isAvailable: true))
            case .actuated, .missed, .cutOff, .abandoned, .refused: break
            }
        }
    }

    mutating func beginReopening(_ actuator: Int) {
        var backOff = BackOff()
        lost.append((actuator, now + backOff.next(), backOff))
    }

    mutating func noteBack(_ actuator: Int) {
        oracle.seen.note("device back")
        // The device may have gone again meanwhile.
        if drivers[actuator].isOpen { oracle.end(.device, actuator) }
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
