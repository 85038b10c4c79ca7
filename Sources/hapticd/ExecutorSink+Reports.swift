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
    func readReports() {
        guard let running else { return }
        var applied: [AppliedActuation] = []
        var leftOut: [ActuatorIndex: Int] = [:]
        while let report = running.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): applied.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                logger.warning("\(name(actuation.actuator)) was on for longer than its maxOn, and has been switched off")
            case .missed(let actuation, _): service?.missedActuation(actuation)
            case .abandoned(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                logger.warning("\(name(actuation.actuator)) was on with nothing more planned, and has been switched off")
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
            logger.error("\(name(actuator)): the executor's queue is full, so actuations were left out: \(count)")
        }
        if !applied.isEmpty { service?.applied(applied) }
        let missed = running.executor.missedReportCount
        guard missed > running.missedReports else { return }
        self.running?.missedReports = missed
        logger.warning("\(missed) reports of the executor were not read in time and are in no figure of the status")
    }

    func name(_ actuator: ActuatorIndex) -> String {
        let actuators = configuration.actuators
        return actuator.value < actuators.count ? "the actuator `\(actuators[actuator.value].name)`" : "an actuator"
    }
}
