// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticRuntime

/// Receives what happens on the board. Called on the board's loop; must not wait.
public protocol BoardListener: AnyObject {
    /// Actuations have happened, in order.
    func applied(_ actuations: [AppliedActuation])
    /// The executor was too late for this one and left it out.
    func missedActuation(_ actuation: Actuation)
    /// An actuation of an executor that has ended, whose actuators a reload has replaced. `name`: the actuator's.
    func appliedLast(_ applied: AppliedActuation, of name: String)
    /// An executor that has ended was too late for one.
    func missedLast()
    /// The device of an actuator has come or gone.
    func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence)
    /// One of those that are opened for the first time has been tried.
    func hasTried()
    /// The executor asked the kernel for real time as in `configuration`, and got it as in `state`.
    func executorStarted(_ state: RealtimeState, as configuration: ExecutorConfiguration)
    func executorFailed(_ error: ExecutorError, as configuration: ExecutorConfiguration)
}

/// Takes a sentence for the log.
public typealias BoardLog = (_ level: BoardLogLevel, _ sentence: String) -> Void

public enum BoardLogLevel: Hashable, Sendable {
    case debug, notice, warning, error, critical
}
