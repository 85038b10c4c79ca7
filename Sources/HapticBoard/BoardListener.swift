// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors
public import HapticRuntime

/// Who is notified of what happens on the board. Called on the board's loop; must not wait.
public protocol BoardListener: AnyObject {
    /// Actuations have happened, in order.
    func actuated(_ actuations: [AppliedActuation])
    /// The executor was too late for this one and left it out.
    func missed(_ actuation: Actuation)
    /// The same of an executor that has ended, whose actuators a reload has replaced. `name`: the actuator's.
    func actuatedLast(_ applied: AppliedActuation, of name: String)
    func missedLast()
    /// The device of an actuator has come or gone.
    func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence)
    /// One of those that are opened for the first time has been tried.
    func hasTried()
    func executorStarted(_ state: RealtimeState)
    func executorFailed(_ error: ExecutorError)
    /// A sentence for the log.
    func log(_ level: BoardLogLevel, _ sentence: String)
}

public enum BoardLogLevel: Hashable, Sendable {
    case debug, notice, warning, error, critical
}
