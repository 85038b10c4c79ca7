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

    func readReports() {
        guard let running else { return }
        var applied: [AppliedActuation] = []
        var leftOut: [ActuatorIndex: UInt64] = [:]
        while let report = running.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): applied.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                warn(.onTooLong(actuation.actuator), at: instant) {
                    "\(name(actuation.actuator)) was on for longer than its maxOn, and has been switched off"
                }
            case .missed(let actuation, _): service?.missedActuation(actuation)
            case .abandoned(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                warn(.unplanned(actuation.actuator), at: instant) {
                    "\(name(actuation.actuator)) was on with nothing more planned, and has been switched off"
                }
            case .faulted(let actuator, let fault, let instant): failed(actuator, fault, at: instant)
            case .restored(let actuator, _):
                // That one is there at the start is nothing to notice.
                logger.log(level: untried.contains(actuator) ? .debug : .notice, "\(name(actuator)) is there")
                service?.setActuator(actuator, error: nil)
                noteTried(actuator)
            case .refused(let actuation): leftOut[actuation.actuator, default: 0] += 1
            }
        }
        for (actuator, count) in leftOut.sorted(by: { $0.key < $1.key }) {
            warn(.noRoom(actuator), times: count, at: SystemClock.now) {
                "\(name(actuator)): the executor's queue is full, so actuations were left out"
            }
        }
        if !applied.isEmpty { service?.applied(applied) }
        let missed = running.executor.missedReportCount
        guard missed > running.missedReports else { return }
        warn(.unread, times: UInt64(missed - running.missedReports), at: SystemClock.now) {
            "reports of the executor were not read in time and are in no figure of the status"
        }
        self.running?.missedReports = missed
    }

    private func warn(_ mishap: Mishap, times: UInt64 = 1, at now: MonotonicInstant, _ message: () -> String) {
        guard let count = mishaps.happened(mishap, times: times, at: now) else { return }
        logger.warning("\(message())\(count > 1 ? " (\(count) times)" : "")")
    }

    func name(_ actuator: ActuatorIndex) -> String {
        let actuators = configuration.actuators
        return actuator.value < actuators.count ? "the actuator `\(actuators[actuator.value].name)`" : "an actuator"
    }
}
