// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine

/// Where the engine's timelines go: the executor, seen from the event loop. Called on the event loop only; must not block.
public protocol ActuationSink: AnyObject {
    /// Apply this at its planned time.
    func apply(_ actuation: Actuation)
    /// Drop what `playback` still has to do on `actuator` from `instant` on.
    func revoke(_ playback: PlaybackID, on actuator: ActuatorIndex, from instant: MonotonicInstant)
    /// The calls before belong together and are complete: wake whoever waits for them.
    func commit()
    /// From now on an `ActuatorIndex` is a place in `actuators`. All that was applied before has been revoked or has ended.
    func replaceActuators(_ actuators: [EngineActuator])
    /// Gets patterns ready on these actuators. The answer comes later, on the event loop: for each actuator, whether each
    /// of `timelines` is ready; nil where the actuator cannot be asked.
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void)
}
