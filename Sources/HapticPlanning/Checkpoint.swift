// SPDX-License-Identifier: MIT
import HapticCore

/// The planned state of an actuator when an open phase was to begin. What ends the phase before it begins takes back what has been
/// planned from there; so nothing before it changes.
///
/// A pattern has no more phases, and before the first level of one the motor has a few events of its own at most.
struct Checkpoint {
    /// Of phases that begin then nothing has been planned, and all that comes before.
    let openings: ClosedRange<MonotonicInstant>
    let planned: PlannedState
}

/// The checkpoints of the open phases that have been planned and are still to come, in order of time.
struct Checkpoints {
    /// The plan has phases, and so may have open ones. Stored, because looking at the course for each event costs more.
    let arePossible: Bool
    private var checkpoints: [Checkpoint] = []

    init(arePossible: Bool = false) { self.arePossible = arePossible }

    /// The instants of `openings` up to `event` that no checkpoint covers yet; `nil` if there are none after `now`.
    func uncovered(
        of openings: ClosedRange<MonotonicInstant>, upTo event: MonotonicInstant, after now: MonotonicInstant
    ) -> ClosedRange<MonotonicInstant>? {
        let first = max(
            openings.lowerBound, checkpoints.last.map { $0.openings.upperBound + Nanoseconds(1) } ?? openings.lowerBound)
        let last = min(openings.upperBound, event)
        guard first <= last, last > now else { return nil }
        return first...last
    }

    mutating func append(_ checkpoint: Checkpoint) { checkpoints.append(checkpoint) }

    /// Removes the checkpoint of the phase that begins at `opening`, with all later ones. Returns `nil` if planning has not come that far.
    mutating func take(at opening: MonotonicInstant) -> Checkpoint? {
        guard let number = checkpoints.firstIndex(where: { $0.openings.contains(opening) }) else { return nil }
        let checkpoint = checkpoints[number]
        checkpoints.removeSubrange(number...)
        return checkpoint
    }

    /// Removes the checkpoints of phases that have begun by `now`.
    mutating func removeAll(before now: MonotonicInstant) {
        if !checkpoints.isEmpty { checkpoints.removeAll { $0.openings.upperBound < now } }
    }

    mutating func removeAll() { checkpoints.removeAll() }
}
