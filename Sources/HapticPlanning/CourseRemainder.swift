// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticPatterns

/// What an actuator is to feel like by a plan, whether it has the actuator or something else has taken it. Its instants stay as they
/// were planned.
package struct CourseRemainder {
    /// As the kind of actuator can show it.
    private(set) var plan: PlaybackPlan
    /// When the plan begins.
    private(set) var start: MonotonicInstant
    private(set) var crossFade: CrossFade?

    init(_ plan: PlaybackPlan, start: MonotonicInstant, _ crossFade: CrossFade?) {
        (self.plan, self.start, self.crossFade) = (plan, start, crossFade)
    }

    /// When nothing more of it is felt; of open phases at the latest.
    package var end: MonotonicInstant {
        let felt = start + plan.feltLength
        guard let crossFade, !crossFade.takes else { return felt }
        return min(felt, start + crossFade.left)
    }

    /// At `now` it is part of a glide.
    package func glides(at now: MonotonicInstant) -> Bool { now >= start && plan.motion(at: now - start)?.glides == true }

    /// Anything of it is still to be felt if it is taken up at `now`.
    package func isFelt(from now: MonotonicInstant) -> Bool {
        guard now < end else { return false }
        let upcoming = Course(self, resumedAt: now).upcoming
        return upcoming.next?.level.isOn == true || upcoming.second != nil
    }

    // MARK: Open phases

    /// The number of the open phase that ends with what it lasts `until`: the one at `now`, or else the next one that waits for it.
    package func phase(endedBy until: Pattern.Phase.Until, at now: MonotonicInstant) -> Int? {
        isHandedOver(by: now) ? nil : plan.phase(endedBy: until, at: now - start)
    }

    /// What becomes of the plan without the open phases up to `number` that last `until` this. Nil: all of them are over.
    func shortened(
        past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant
    ) -> PhasePlan.Shortened<PlaybackPlan>? {
        isHandedOver(by: now) ? nil : plan.shortened(past: until, through: number, at: now - start)
    }

    /// How what takes the place of the plan at `now` takes part: a hand-over goes on.
    func entry(at now: MonotonicInstant) -> Entry {
        guard let crossFade, now < start + crossFade.left else { return Entry() }
        return Entry(crossFade: crossFade.advanced(by: now - start))
    }

    /// Ends these phases while something else has the actuator.
    package mutating func shorten(past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant) {
        switch shortened(past: until, through: number, at: now) {
        case nil: break
        case .now(let remainder): (plan, crossFade, start) = (remainder, entry(at: now).crossFade, now)
        case .later(let remainder, _, _): plan = remainder
        }
    }

    private func isHandedOver(by now: MonotonicInstant) -> Bool { crossFade?.hasHandedOver(after: now - start) ?? false }
}
