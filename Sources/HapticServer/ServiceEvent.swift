// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// What the service's loop is told, beside the lines of its clients. What comes while the loop is busy waits: one `prepared` or `reloaded` for each that
/// was begun, and what the executor tells, which does not call back.
enum ServiceEvent {
    case timer
    /// The device of an actuator has gone (`error` says why) or, nil, has come.
    case actuator(ActuatorIndex, error: String?)
    case applied([AppliedActuation])
    /// Of an actuator that a reload has replaced, by the name that it had.
    case appliedLast(AppliedActuation, actuator: String)
    case prepared(Preparation, [[Bool]?])
    case reloaded(Result<FeedbackService.Reloaded, WireError>, [ReloadQueue.Answer])
    case shutDown
}

/// A `prepare` that waits for the devices.
struct Preparation {
    var session: Session
    var request: RequestID
    var patterns: [String]
    var actuators: [String]

    /// `answers`: for each actuator, whether each pattern is ready; nil where it hung or went while it was asked.
    func result(_ answers: [[Bool]?]) -> PrepareResult {
        let there = zip(actuators, answers).compactMap { name, answer in answer.map { (name, $0) } }
        let ready = patterns.indices.filter { place in there.allSatisfy { $0.1[place] } }.map { patterns[$0] }
        return PrepareResult(patterns: there.isEmpty ? [] : ready, actuators: there.map(\.0), readyForMs: nil)
    }
}
