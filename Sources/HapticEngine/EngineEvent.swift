// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

/// Everything that can change a decision. Whoever keeps each with its instant can have all of it decided again, and gets the same.
public enum EngineEvent: Hashable, Sendable, Codable {
    /// The items of one line of a client, `WorkBudget.mostItems` at most, decided in order at one instant, as a
    /// transaction. A later one takes source or actuators from an earlier one as if that had never been played. Each has one
    /// result, in order. `work`: what they may cost; who finds too little left is refused (`quota`), but a cancel is always
    /// done.
    case batch([BatchItem], work: WorkBudget = WorkBudget())
    /// A notification of `client` that was not valid (`invalidParams`), one too many (`quota`), or came while the daemon stops
    /// (`shutdown`); `source`, `name` and `app` as far as it was understood, and the `mistake` of one that was not valid, of
    /// `Decision.mostMistake` bytes at most. Its decision is `failed`.
    case refusal(
        Decision.InputKind, source: String? = nil, name: String? = nil, app: String? = nil, Reason = .invalidParams,
        mistake: String? = nil, client: ClientIdentity? = nil)
    /// A connection has closed. The sources that it is itself, the conditions that it asserts and its waits end with it.
    case connectionClosed(UInt64)
    /// The device of an actuator is there or has gone. Its playback ends as `failed`, `deviceLost`. `found`: the motor that a device
    /// that is there has turned out to have; `nil` if it does not tell.
    case actuator(ActuatorIndex, isAvailable: Bool, found: FoundMotor? = nil)
    /// Another configuration. Sources stay. Playbacks go on where the actuators are the same, else they end (`reload`) and every
    /// actuator counts as available again. `replacesDevices`: other devices are behind the actuators, so these count as others.
    indirect case configuration(EngineConfiguration, replacesDevices: Bool = false)
    /// What people had set when the daemon last ran. It takes the place of whatever is set.
    indirect case settings(Settings)
    /// What the clocks on the wall show at this instant: at the start, and where somebody has set them or their zone has changed its
    /// offset. Until the first of these no hours are quiet.
    case localTime(LocalTime)
    /// The machine was asleep for this long before this instant, which its clock has not counted. What was playing ends
    /// (`suspended`), sources are that much older, and a suspension is over.
    case slept(Nanoseconds)
    /// Suspends (true) or continues (false) the holds' own transitions, until all pending input has been read.
    case holdsWait(Bool)
    /// Everything ends at once.
    case shutdown
    /// Only that it is later.
    case time

    /// The names in a journal.
    private enum CodingKeys: String, CodingKey {
        case batch = "commands"
        case refusal, connectionClosed, actuator, configuration, settings, localTime, slept, holdsWait, shutdown, time
    }
}
