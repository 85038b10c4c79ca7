// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticPlanning
public import HapticWire

/// How the service is, what it has counted, and what it is informed of for that.
extension FeedbackService {
    func status(at now: MonotonicInstant) -> StatusResult {
        let actuators = configuration.engine.actuators
        let reasons = [nil] + Reason.allCases.map { Optional($0) }
        let counts = Outcome.allCases.flatMap { outcome in
            reasons.compactMap { reason -> StatusResult.Count? in
                let count = loop.engine.count(of: outcome, reason: reason)
                return count == 0 ? nil : .init(outcome: outcome, reason: reason, count: count)
            }
        }
        let unavailable = listings.unavailable.sorted { $0.key < $1.key }
        var status = StatusResult()
        (status.version, status.uptimeMs) = (daemon.version, (now - daemon.startedAt).inMilliseconds)
        (status.profile, status.settings) = (loop.engine.profile, settingsNow(loop.engine.settings, at: now))
        status.configuration = .init(file: configuration.file)
        (status.clients, status.subscribers) = (clients.count, clients.subscribers.count)
        (status.sources, status.playbacks) = (loop.engine.sourceCount, loop.engine.playbackCount)
        (status.decisions, status.invalidNotifications) = (counts, statistics.invalidNotifications)
        (status.refused, status.missed) = (refusals.rows, statistics.missed)
        status.missedActuations = statistics.missedActuations
        status.missedByActuator = zip(actuators, statistics.actuators).map { .init(actuator: $0.name, count: $1.missed) }
        status.missedDeadlines = FeedbackClass.allCases.map { statistics[$0].missedDeadlines(of: $0) }
        status.unavailable = unavailable.map { .init(actuator: actuators[$0.key.value].name, error: $0.value.words) }
        (status.realtime, status.inputs) = (daemon.realtime, daemon.inputs)
        status.lateness = zip(actuators, statistics.actuators).map { $1.lateness.percentiles(of: $0.name) }
        status.latency = FeedbackClass.allCases.map { statistics[$0].latency.percentiles(of: $0.rawValue) }
        status.heat = actuators.enumerated().compactMap { index, actuator in
            loop.engine.heat(of: ActuatorIndex(index), at: now).map {
                .init(actuator: actuator.name, share: $0.share, strength: $0.strength, lowered: $0.lowered, cut: $0.cut)
            }
        }
        return status
    }

    /// How it is now, in short. `opening`: the actuators that are being opened for the first time; they do not count as missing.
    public func state(opening: Set<ActuatorIndex> = []) -> ServiceState {
        func names(_ indices: some Sequence<ActuatorIndex>) -> [String] {
            indices.sorted { $0.value < $1.value }.map { configuration.engine.actuators[$0.value].name }
        }
        let missing = listings.unavailable.keys.filter { !opening.contains($0) }
        return ServiceState(
            actuators: configuration.engine.actuators.count, missing: names(missing), opening: names(opening),
            clients: clients.count, profile: loop.engine.profile.rawValue,
            isOff: loop.engine.settings.off != nil, isQuiet: noted.isQuiet)
    }

    /// Whether the engine is asked for what it plans when it wants to be: that somebody wakes up in time. `tolerance`: by how
    /// much that may be late.
    public func isInTime(at now: MonotonicInstant, tolerance: Nanoseconds) -> Bool { loop.engine.nextDeadline > now - tolerance }

    /// What the executor asked the kernel for, and was given.
    public var realtime: StatusResult.Realtime {
        get { daemon.realtime }
        set { daemon.realtime = newValue }
    }

    /// The keys, buttons and switches that the daemon reads itself.
    public var inputs: [StatusResult.Input] {
        get { daemon.inputs }
        set { daemon.inputs = newValue }
    }

    // MARK: What is to be said

    /// Those who have subscribed to anything, in the order in which they did.
    public var subscribers: [Client] { clients.subscribers }

    /// They have been carried out.
    public func removeOutputs() { outputs.removeAll() }

    /// Whether every decision and every ending is to come out as a `Record`, too.
    public var keepsRecords: Bool {
        get { outputs.keepsRecords }
        set { outputs.keepsRecords = newValue }
    }

    // MARK: What others have counted

    /// So many notices were not given to a subscriber, who reads too slowly.
    public func missed(notices count: Int) { statistics.missed += UInt64(count) }

    /// These have happened, in this order.
    public func applied(_ reports: [AppliedActuation]) {
        for report in reports {
            let actuation = report.actuation
            guard actuation.actuator.value < configuration.engine.actuators.count else { continue }
            statistics.actuated(actuation, at: report.at)
            let name = configuration.engine.actuators[actuation.actuator.value].name
            let felt = motions.follow(report)
            // Whoever subscribes or not: it depends on the actuations before.
            let owner = statistics.followedOwner(of: actuation)
            publish(.actuations) {
                .actuation(ActuationNotice(actuation, at: report.at, actuator: name, felt: felt, followedOwner: owner))
            }
        }
    }

    /// This one has, of an actuator that a reload has replaced, by the name that it had.
    public func appliedLast(_ applied: AppliedActuation, of name: String) {
        let owner = statistics.followedOwner(of: applied.actuation)
        publish(.actuations) {
            .actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: name, followedOwner: owner))
        }
    }

    /// It was left out because the executor was too late for it.
    public func missedActuation(_ actuation: Actuation) {
        guard actuation.actuator.value < configuration.engine.actuators.count else { return }
        statistics.missed(actuation)
    }

    /// One of an actuator that a reload has replaced was.
    public func missedLast() { statistics.missedActuations += 1 }
}
