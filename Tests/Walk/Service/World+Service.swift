// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime
import HapticService
import HapticWire

/// The service on the event loop of a walk, with its orders to the executor and the executor's reports.
extension World {
    mutating func run(_ served: Served) {
        let start = now
        if served.log.reload != nil, served.reloadAt == .distantFuture {
            served.reloadAt = now + Nanoseconds(Int64.random(in: 0...200_000_000, using: &random))
        }
        if served.reloadAt <= now { answerReload(served) }
        served.run(at: now)
        engineFree = max(engineFree, served.log.clock)
        // A delay that the planner may have is not noted.
        if served.log.clock - start >= .milliseconds(40) {
            oracle.disturb(from: start.nanoseconds, to: engineFree.nanoseconds + Self.settling)
        }
    }

    /// Answers a reload with another configuration or an error.
    private mutating func answerReload(_ served: Served) {
        served.reloadAt = .distantFuture
        guard let asked = served.log.reload else { return }
        served.log.reload = nil
        served.log.catchUp(to: now)
        guard Int.random(in: 0..<6, using: &random) > 0 else {
            return asked.answer(.failure(WireError(.invalidConfiguration, "the walk wants it so")))
        }
        let replacing = options.faults.contains(.replaced) && Int.random(in: 0..<3, using: &random) == 0
        countReload(replacing: replacing)
        let profile = Bool.random(using: &random) ? Profile.full : .quiet
        let new = Served.configuration(
            served.options, board.configuration(profile: profile, hasOtherMotors: hasOtherMotors))
        asked.answer(.success(ReloadedConfiguration(new, replacing: asked.inForce)))
    }

    /// Judges the actions of the service up to now, and passes on the orders to the executor.
    mutating func takeLog() {
        guard let served else { return }
        for entry in served.log.takeEntries(until: now) where oracle.failure == nil {
            switch entry {
            case .took(let event, let instant, let results, let actions):
                served.judge.took(event, results, actions)
                took(event, at: instant, results, actions)
            case .order(let order):
                served.judge.handed(order)
                handOver(order)
            case .commit: commit()
            case .replaced:
                replaceExecutor()
                served.judge.replaced()
            }
        }
        served.judge.handedAll()
        takeComplaint(of: served)
    }

    /// Judges the lines that clients have received, if all events before them have been judged.
    mutating func receive() {
        guard let served, served.log.nextEntry == .distantFuture else { return }
        served.receive()
        takeComplaint(of: served)
    }

    mutating func takeComplaint(of served: Served) { if let complaint = served.judge.complaint { oracle.fail(complaint) } }

    // MARK: The executor's reports

    mutating func pass(_ reports: [ExecutorReport], to served: Served) {
        var applied: [AppliedActuation] = []
        for report in reports {
            switch report {
            case .actuated(let actuation, let instant), .cutOff(let actuation, let instant),
                .abandoned(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
            case .missed(let actuation, _): served.missed(actuation)
            case .faulted(let actuator, _, _):
                beginReopening(actuator.value)
                served.applied(applied, at: now)
                applied = []
                served.setMissing(actuator, true, at: now)
            case .restored(let actuator, _):
                noteBack(actuator.value)
                served.applied(applied, at: now)
                applied = []
                served.setMissing(actuator, false, at: now)
            case .refused: break
            }
        }
        served.applied(applied, at: now)
    }

    /// Passes on the last reports of an executor that was replaced.
    mutating func passLastReports(to served: Served) {
        for report in reports {
            switch report {
            case .actuated(let actuation, let instant), .cutOff(let actuation, let instant),
                .abandoned(let actuation, let instant):
                served.appliedLast(AppliedActuation(actuation, at: instant), of: "gone", at: now)
            case .missed, .faulted, .restored, .refused: break
            }
        }
    }
}
