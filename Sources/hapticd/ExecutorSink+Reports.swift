// SPDX-License-Identifier: MIT
internal import HapticBackends
private import HapticConfig
internal import HapticCore
internal import HapticRuntime
internal import HapticServer
internal import HapticThreads
private import Logging
internal import NIOCore
private import NIOPosix

extension ExecutorSink {
    /// What could be told with every actuation.
    enum Mishap: Hashable {
        case onTooLong(ActuatorIndex)
        case unplanned(ActuatorIndex)
        case noRoom(ActuatorIndex)
        case unread
    }

    private func message(_ mishap: Mishap) -> String {
        switch mishap {
        case .onTooLong(let actuator): "\(name(actuator)) was on for longer than its maxOn, and has been switched off"
        case .unplanned(let actuator): "\(name(actuator)) was on with nothing more planned, and has been switched off"
        case .noRoom(let actuator): "\(name(actuator)): the executor's queue is full, so actuations were left out"
        case .unread: "reports of the executor were not read in time and are in no figure of the status"
        }
    }

    func readReports() {
        guard let running else { return }
        var applied: [AppliedActuation] = []
        func tellApplied() {
            if !applied.isEmpty { service?.applied(applied) }
            applied = []
        }
        var leftOut: [ActuatorIndex: UInt64] = [:]
        while let report = running.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): applied.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                warn(.onTooLong(actuation.actuator), at: instant)
            case .missed(let actuation, _): service?.missedActuation(actuation)
            case .abandoned(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                warn(.unplanned(actuation.actuator), at: instant)
            case .faulted(let actuator, let fault, let instant):
                // Else what was felt before would be told after.
                tellApplied()
                failed(actuator, fault, at: instant)
            case .restored(let actuator, _):
                tellApplied()
                // That one is there at the start is nothing to notice.
                logger.log(level: untried.contains(actuator) ? .debug : .notice, "\(name(actuator)) is there")
                service?.setActuator(actuator, error: nil)
                noteTried(actuator)
            case .refused(let actuation): leftOut[actuation.actuator, default: 0] += 1
            }
        }
        for (actuator, count) in leftOut.sorted(by: { $0.key < $1.key }) {
            warn(.noRoom(actuator), times: count, at: SystemClock.now)
        }
        tellApplied()
        let missed = running.executor.missedReportCount
        guard missed > running.missedReports else { return }
        warn(.unread, times: UInt64(missed - running.missedReports), at: SystemClock.now)
        self.running?.missedReports = missed
    }

    private func warn(_ mishap: Mishap, times: UInt64 = 1, at now: MonotonicInstant) {
        if let count = mishaps.happened(mishap, times: times, at: now) { log([(mishap, count)]) }
        logMishapsLater()
    }

    private func logMishapsLater() {
        guard mishapTimer == nil, let deadline = mishaps.deadline else { return }
        let wait = max(deadline - SystemClock.now, .zero)
        mishapTimer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(wait.count)) { [weak self] in
            guard let self else { return }
            mishapTimer = nil
            log(mishaps.due(at: SystemClock.now))
            logMishapsLater()
        }
    }

    /// The actuators are to be others, or there are to be none: what was not told of these is told.
    func endMishaps() {
        mishapTimer?.cancel()
        mishapTimer = nil
        log(mishaps.end())
    }

    private func log(_ mishaps: [(kind: Mishap, count: UInt64)]) {
        for (mishap, count) in mishaps { logger.warning("\(message(mishap))\(count > 1 ? " (\(count) times)" : "")") }
    }

    /// Of the executor that runs; before there is one, of the next.
    func name(_ actuator: ActuatorIndex) -> String {
        let names = running?.names ?? configuration.actuators.map(\.name)
        return actuator.value < names.count ? "the actuator `\(names[actuator.value])`" : "an actuator"
    }
}
