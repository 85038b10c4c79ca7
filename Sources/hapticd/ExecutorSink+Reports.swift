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

/// The faults of one actuator.
struct Trouble {
    /// How long after a fault the next one counts as the first again.
    static let quietTime = Nanoseconds.seconds(60)

    var backOff = BackOff()
    var last: MonotonicInstant
}

extension ExecutorSink {
    func readReports() {
        guard let running else { return }
        var applied: [AppliedActuation] = []
        while let report = running.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): applied.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                logger.warning("\(name(actuation.actuator)) was on for longer than its maxOn, and has been switched off")
            case .missed: service?.missedActuation()
            case .abandoned(let actuation, let instant):
                applied.append(AppliedActuation(actuation, at: instant))
                logger.warning("\(name(actuation.actuator)) was on with nothing more planned, and has been switched off")
            case .faulted(let actuator, let fault, let instant): failed(actuator, fault, at: instant, running: running)
            case .restored(let actuator, _):
                logger.notice("\(name(actuator)) is there again")
                service?.setActuator(actuator, isAvailable: true, error: nil)
            case .refused(let actuation):
                logger.error("\(name(actuation.actuator)): the executor's queue is full, so an actuation was left out")
            }
        }
        if !applied.isEmpty { service?.applied(applied) }
    }

    private func name(_ actuator: ActuatorIndex) -> String {
        let actuators = configuration.actuators
        return actuator.value < actuators.count ? "the actuator `\(actuators[actuator.value].name)`" : "an actuator"
    }

    private func failed(_ actuator: ActuatorIndex, _ fault: DriverFault, at instant: MonotonicInstant, running: Running) {
        logger.warning("\(name(actuator)): \(fault)")
        service?.setActuator(actuator, isAvailable: false, error: "\(fault)")
        var trouble = troubles[actuator] ?? Trouble(last: instant)
        if instant - trouble.last > Trouble.quietTime { trouble.backOff = BackOff() }
        trouble.last = instant
        troubles[actuator] = trouble
        reopenLater(actuator, running.drivers[actuator.value])
    }

    private func reopenLater(_ actuator: ActuatorIndex, _ driver: any ActuatorDriver) {
        let wait = troubles[actuator]?.backOff.next() ?? .zero
        let generation = generation
        _ = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(wait.count)) { [weak self] in
            guard let self, self.generation == generation else { return }
            helper.runIfActive(eventLoop: eventLoop) { try driver.open(at: SystemClock.now) }
                .assumeIsolated().whenComplete { [weak self] result in
                    guard let self, self.generation == generation else { return }
                    switch result {
                    case .success: submit(.restore(actuator))
                    case .failure(let error):
                        logger.debug("\(name(actuator)): \(error)")
                        reopenLater(actuator, driver)
                    }
                }
        }
    }
}
