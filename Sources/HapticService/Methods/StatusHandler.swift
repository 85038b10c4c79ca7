// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPlanning
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
        let status = WrittenResult(StatusResult(of: service, at: now))
        service.line.status = status
        return .written(status)
    }
}

extension StatusResult {
    /// How `service` is, and what it has counted.
    fileprivate init(of service: FeedbackService, at now: MonotonicInstant) {
        let (actuators, statistics) = (service.configuration.engine.actuators, service.statistics)
        let reasons = [nil] + Reason.allCases.map { Optional($0) }
        let counts = Outcome.allCases.flatMap { outcome in
            reasons.compactMap { reason -> StatusResult.Count? in
                let count = service.loop.engine.count(of: outcome, reason: reason)
                return count == 0 ? nil : .init(outcome: outcome, reason: reason, count: count)
            }
        }
        let missing = service.listings.unavailable.sorted { $0.key < $1.key }
        self.init()
        (version, uptimeMs) = (service.daemon.version, (now - service.daemon.startedAt).inMilliseconds)
        profile = service.loop.engine.profile
        settings = service.settings.state(service.loop.engine.settings, service.loop, at: now)
        configuration = .init(file: service.configuration.file)
        (clients, subscribers) = (service.clients.count, service.subscribers.count)
        (sources, playbacks) = (service.loop.engine.sourceCount, service.loop.engine.playbackCount)
        (decisions, invalidNotifications) = (counts, statistics.invalidNotifications)
        (refused, missed) = (service.outputs.refusals.rows, statistics.missed)
        missedActuations = statistics.missedActuations
        missedByActuator = zip(actuators, statistics.actuators).map { .init(actuator: $0.name, count: $1.missed) }
        missedDeadlines = FeedbackClass.allCases.map { statistics[$0].missedDeadlines(of: $0) }
        unavailable = missing.map { .init(actuator: actuators[$0.key.value].name, error: $0.value.words) }
        (realtime, inputs) = (service.daemon.realtime, service.daemon.inputs)
        lateness = zip(actuators, statistics.actuators).map { $1.lateness.percentiles(of: $0.name) }
        latency = FeedbackClass.allCases.map { statistics[$0].latency.percentiles(of: $0.rawValue) }
        heat = actuators.enumerated().compactMap { index, actuator in
            service.loop.engine.heat(of: ActuatorIndex(index), at: now).map {
                .init(actuator: actuator.name, share: $0.share, strength: $0.strength, lowered: $0.lowered, cut: $0.cut)
            }
        }
    }
}
