// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning

/// Where the engine's timelines go: the executor, as service and server see it. Called on their thread only; must not block, and
/// calls nothing of theirs before it returns.
public protocol ActuationSink: AnyObject {
    /// `commit` follows.
    func apply(_ order: ActuationOrder)
    /// The calls before belong together and are complete: wake whoever waits for them.
    func commit()
    /// From now on an `ActuatorIndex` is one of `actuators`. All that was applied before has been revoked or has ended.
    func replaceActuators(_ actuators: [EngineActuator])
    /// Gets patterns ready on these actuators. Asked by the server, which takes the answer on the same thread at any time: for
    /// each actuator, whether each of `timelines` is ready; nil where the actuator cannot be asked.
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void)
    /// Says whether every output is off, once it is or after a second at most. All that was to be felt has been revoked or has
    /// ended. Asked and answered as `prepare` is.
    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void)
}
