// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Open phases that end before their time.
extension Course {
    /// The number of the open phase that ends with what it lasts `until`: the one at `now`, or else the next one that waits for it.
    func phase(endedBy until: Pattern.Phase.Until, at now: MonotonicInstant) -> Int? {
        isHandedOver(by: now) ? nil : plan?.phase(endedBy: until, at: now - start)
    }

    /// What becomes of the plan without the open phases up to `number` that last `until` this. Nil: all of them are over.
    func shortened(
        past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant
    ) -> PhasePlan.Shortened<PlaybackPlan>? {
        isHandedOver(by: now) ? nil : plan?.shortened(past: until, through: number, at: now - start)
    }

    /// How what takes the place of the plan at `now` takes part: a hand-over goes on.
    func entry(at now: MonotonicInstant) -> Entry {
        guard let crossFade, now < start + crossFade.left else { return Entry() }
        return Entry(crossFade: crossFade.goingOn(after: now - start))
    }

    /// It has handed over what plays, and gets no more of it.
    func isHandedOver(by now: MonotonicInstant) -> Bool {
        guard let crossFade, !crossFade.takes else { return false }
        return now >= start + crossFade.left
    }
}
