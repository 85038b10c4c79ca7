// SPDX-License-Identifier: MIT
import HapticCore

/// Where the planning of an actuator was when an open phase was to begin. What ends the phase before it begins takes back what has been
/// planned from there; so nothing before it changes.
///
/// A pattern has no more phases, and before the first level of one the motor has a few events of its own at most.
struct Fork {
    /// Of phases that begin then nothing has been planned, and all that comes before.
    let openings: ClosedRange<MonotonicInstant>
    let course: Course?
    let tip: MotorOutput
    let lastRequest: MonotonicInstant
    let lastActuation: MonotonicInstant

    init(
        _ openings: ClosedRange<MonotonicInstant>, _ course: Course?, _ tip: MotorOutput, lastRequest: MonotonicInstant,
        lastActuation: MonotonicInstant
    ) {
        (self.openings, self.course, self.tip) = (openings, course, tip)
        (self.lastRequest, self.lastActuation) = (lastRequest, lastActuation)
    }
}
