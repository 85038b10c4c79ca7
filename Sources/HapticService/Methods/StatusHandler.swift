// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension StatusParams: ServedCall {
    /// All of a line are answered with one status, unless a subscription stands between them.
    func reply(in service: FeedbackService, for _: Client, at now: MonotonicInstant) -> Reply? {
        if let status = service.line.status { return .written(status) }
        let actuators = service.configuration.engine.actuators.count
        guard service.line.resolver.work.take(WorkBudget.Cost.status + actuators * WorkBudget.Cost.statusActuator) else {
            return .error(
                WireError(.quota, "too little is left of this line for the status; ask for it in a line of its own"))
        }
        let status = WrittenResult(service.status(at: now))
        service.line.status = status
        return .written(status)
    }
}
