// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticMotors
internal import HapticService
internal import HapticWire

/// What the server's loop takes, beside the lines of its clients. What comes while the loop is busy waits: one `prepared` or
/// `reloaded` for each that was begun, and what the executor reports, which does not call back.
enum ServerEvent {
    case timer
    /// The device of an actuator has come or gone.
    case actuator(ActuatorIndex, DevicePresence)
    /// Keys, buttons and switches that the daemon reads were pressed, or let go of.
    case inputs([DeviceChange])
    /// All pending lines and edges have been read, see `Output.readPendingInput`.
    case pendingInputIsRead
    case applied([AppliedActuation])
    /// Of an actuator that a reload has replaced, by the name that it had.
    case appliedLast(AppliedActuation, actuator: String)
    case prepared(Ticket, [[Bool]?])
    case offAwaited(Ticket, isOff: Bool)
    /// The daemon itself wants one.
    case reload(FeedbackServer.ReloadAnswer)
    case reloaded(Result<ReloadedConfiguration, WireError>)
    /// What people had set when the daemon last ran.
    case restore(Settings)
    case clock(LocalTime)
    /// Somebody may have set these clocks.
    case clockWasSet
    case stored(SettingsFailure?)
    case shutDown
}
