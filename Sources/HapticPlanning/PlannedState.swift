// SPDX-License-Identifier: MIT
import HapticCore

/// The course of an actuator and the output of its motor after all planned actuations.
struct PlannedState {
    /// `nil`: nothing plays, or what played is being switched off.
    var course: Course?
    var output: MotorOutput
    /// The instant up to which the course has been planned; at its end, when the last pulse ends.
    var lastRequest = MonotonicInstant.zero
    var lastActuation = MonotonicInstant.zero

    init(_ output: MotorOutput) { self.output = output }

    /// The next level of the course or, without `intended`, the next change that the output makes by itself. A level comes first if both are
    /// due, so that a pulse that ends with the gap is merged and not begun.
    var next: (at: MonotonicInstant, intended: Course.Next?)? {
        let own = output.nextEvent
        if let next = course?.upcoming.next { return next.at <= own ? (next.at, next) : (own, nil) }
        return own == .distantFuture ? nil : (own, nil)
    }

    /// Plans `intended`, the next level of the course. Returns what the motor gets from then on, if that changes.
    mutating func request(_ intended: Course.Next) -> DrivenLevel? {
        lastRequest = intended.at
        guard let upcoming = course?.upcoming else { return nil }
        let driven = output.request(intended, among: upcoming)
        course?.advance()
        return driven
    }

    /// Plans the change that the output makes by itself at `instant`. Returns what the motor gets from then on, if that changes.
    mutating func elapse(at instant: MonotonicInstant) -> DrivenLevel? {
        lastRequest = max(lastRequest, instant)
        return output.elapse(at: instant)
    }
}
