// SPDX-License-Identifier: MIT
public import HapticCore
import HapticPlanning

/// What the engine knows, for those who show it.
extension FeedbackEngine {
    public var configuration: EngineConfiguration { arbiter.rules.configuration }
    /// What the line at hand may still cost.
    public var work: WorkBudget { arbiter.work }

    /// When `time` has something to do; `distantFuture` where nothing is due.
    public var nextDeadline: MonotonicInstant {
        // Whoever shows that feedback is off learns when it is on again.
        let byItself = min(inputs.nextDeadline, inputs.follows.nextDeadline)
        let due = min(arbiter.scheduler.nextDeadline, offEnd, byItself)
        guard let oldest = inputs.sources.oldestInput else { return due }
        return min(due, oldest + arbiter.rules.configuration.bounds.sourceTimeout)
    }

    /// What people have set, over what is configured.
    public var settings: SettingsInForce { arbiter.policy.personal.settings }
    /// Another number where people have set something since, or `off` has ended: then it is to be shown and stored.
    public var settingsGeneration: UInt64 { arbiter.policy.personal.generation }
    /// When `off` ends by itself; `distantFuture` where it does not.
    public var offEnd: MonotonicInstant { arbiter.policy.personal.offEnd }
    /// What the clocks on the wall show; nil: nobody has said.
    public func localTime(at now: MonotonicInstant) -> LocalTime? { arbiter.policy.personal.localTime(at: now) }
    /// When quiet hours may begin or end next. Decisions go by the time alone, so this is for whoever shows it.
    public func quietTurn(after now: MonotonicInstant) -> MonotonicInstant { arbiter.policy.personal.quietTurn(after: now) }
    public var profile: Profile { arbiter.policy.profile }
    /// The names of the conditions in force, in the order of their rules.
    public var conditionNames: [String] { arbiter.policy.conditions.names }
    public var sourceCount: Int { inputs.sources.count }
    /// How many sources have a value that is felt; some of them may have ended.
    package var followCount: Int { inputs.follows.count }
    public var playbackCount: Int { arbiter.scheduler.playbacks.count }
    public func isAvailable(_ index: ActuatorIndex) -> Bool { arbiter.scheduler.channels[index.value].isAvailable }
    /// What plays on the actuator.
    public func playback(on index: ActuatorIndex) -> PlaybackID? { arbiter.scheduler.channels[index.value].playback }
    /// The owner who had `playback` begun; nil where it does not play.
    public func owner(of playback: PlaybackID) -> Owner? { arbiter.scheduler.playbacks[playback]?.client.owner }
    /// How hot the motor of an actuator is at `now`; nil: nobody knows.
    public func heat(of index: ActuatorIndex, at now: MonotonicInstant) -> ActuatorHeat? {
        arbiter.scheduler.channels[index.value].heat(at: now)
    }
    /// How many decisions ended this way.
    public func count(of outcome: Outcome, reason: Reason?) -> UInt64 { arbiter.counters.count(of: outcome, reason) }

    // MARK: Holds

    /// Whether a hold is confirmed, or the lease of one ends, by `now` if hands have done nothing that is not known yet. False while holds
    /// wait.
    public func hasHoldEnd(by now: MonotonicInstant) -> Bool {
        inputs.holds.hasEnd(by: now, arbiter.rules.configuration.holdRules)
    }

    /// The connections of the clients with a hold that is confirmed, or whose lease ends, by `now` if it is not released.
    public func connectionsOfHoldEnds(by now: MonotonicInstant) -> Set<UInt64> {
        let ends = inputs.holds.ends(by: now, arbiter.rules.configuration.holdRules)
        return Set(ends.filter { !$0.client.isDevice }.map(\.client.connection))
    }

    /// Whether this connection presses the hold with this id.
    public func presses(_ id: String, by client: ClientIdentity) -> Bool {
        guard let hold = inputs.holds[OwnedID(client, id: id)] else { return false }
        return hold.machine.isDown && hold.client.connection == client.connection
    }

    /// Room for the most that one call can make, and for a good stretch of planning.
    public static func actionCapacity(for configuration: EngineConfiguration) -> Int {
        // One of them ends what began in the same call, and one takes back what a followed value is to go over from.
        let actionsOfAnActuator = 7 + Channel.mostAhead
        // All holds may end at once.
        let actionsOfHolds = mostByItself + HoldTable.most
        return configuration.bounds.playbacks + actionsOfAnActuator * configuration.actuators.count + actionsOfHolds
    }
}
