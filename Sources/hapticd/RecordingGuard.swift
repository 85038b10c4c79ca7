// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticConfig
internal import Logging
private import Synchronization

/// A guard that also writes the record of all outputs, before the first of them can be on and not before there is a guard: until
/// then `--switch-off` may still be using the record of an earlier daemon.
final class RecordingGuard: OutputGuard {
    private let outputGuard: any OutputGuard
    private let outputs: DrivenOutputs
    private let actuators: [ActuatorConfiguration]
    private let logger: Logger
    private let isWritten = Mutex(false)

    /// `actuators`: all that the daemon drives from now on. One attempt is made to write them down; a failure is logged.
    init(_ outputGuard: any OutputGuard, _ outputs: DrivenOutputs, _ actuators: [ActuatorConfiguration], _ logger: Logger) {
        self.outputGuard = outputGuard
        self.outputs = outputs
        self.actuators = actuators
        self.logger = logger
    }

    func takeOver(device: String) throws(DriverFault) {
        try outputGuard.takeOver(device: device)
        isWritten.withLock { isWritten in
            guard !isWritten else { return }
            isWritten = true
            do throws(DrivenOutputs.Failure) { try outputs.write(actuators) } catch { logger.warning("\(error)") }
        }
    }

    func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet {
        try outputGuard.hold(outputs, device: device)
    }

    func release(_ set: GuardedSet) { outputGuard.release(set) }
}
