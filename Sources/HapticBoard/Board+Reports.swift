// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticRuntime
internal import HapticThreads

/// What the executor reports.
extension Board {
    func watchReports(of driving: Driving) {
        driving.unwatch = loop.watch(
            driving.executor.reportDescriptor,
            DescriptorEvents(
                readable: { [weak self, weak driving] in
                    if let driving { self?.readReports(of: driving) }
                },
                failed: { [weak self] error in
                    self?.listener?.log(.error, "subscribers get no actuations any more: \(error); restart hapticd")
                }))
    }

    func readReports(of driving: Driving) {
        var actuated: [AppliedActuation] = []
        func pass() {
            if !actuated.isEmpty { listener?.actuated(actuated) }
            actuated = []
        }
        var leftOut: [ActuatorIndex: UInt64] = [:]
        while let report = driving.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): actuated.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                actuated.append(AppliedActuation(actuation, at: instant))
                mishaps.warn(.onTooLong(driving.logName(of: actuation.actuator)), at: instant)
            case .missed(let actuation, _): listener?.missed(actuation)
            case .abandoned(let actuation, let instant):
                actuated.append(AppliedActuation(actuation, at: instant))
                mishaps.warn(.unplanned(driving.logName(of: actuation.actuator)), at: instant)
            case .faulted(let actuator, let fault, _):
                // Listeners get what was felt before the fault first.
                pass()
                devices.keeper(of: actuator)?.faulted(fault)
            case .restored(let actuator, _):
                pass()
                devices.keeper(of: actuator)?.restored()
            case .refused(let actuation): leftOut[actuation.actuator, default: 0] += 1
            }
        }
        for (actuator, count) in leftOut.sorted(by: { $0.key < $1.key }) {
            mishaps.warn(.noRoom(driving.logName(of: actuator)), times: count, at: loop.now)
        }
        pass()
        let missed = driving.executor.missedReportCount
        guard missed > driving.missedReports else { return }
        mishaps.warn(.unread, times: UInt64(missed - driving.missedReports), at: loop.now)
        driving.missedReports = missed
    }

    /// Stopping the executor has switched everything off, which listeners are to know.
    func reportLast(of driving: Driving) {
        while let report = driving.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant), .cutOff(let actuation, let instant),
                .abandoned(let actuation, let instant):
                listener?.actuatedLast(
                    AppliedActuation(actuation, at: instant), of: driving.names[actuation.actuator.value])
            case .missed: listener?.missedLast()
            case .faulted, .restored, .refused: break
            }
        }
    }
}

extension Driving {
    /// An actuator, in the log.
    func logName(of actuator: ActuatorIndex) -> String {
        names.indices.contains(actuator.value) ? "the actuator `\(names[actuator.value])`" : "an actuator"
    }
}
