// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Open phases that end before their time.
extension Course {
    /// The number of the open phase that ends with what it lasts `until`: the one at `now`, or else the next one that waits for it.
    func phase(endedBy until: Pattern.Phase.Until, at now: MonotonicInstant) -> Int? { remainder?.phase(endedBy: until, at: now) }

    /// What becomes of the plan without the open phases up to `number` that last `until` this. Nil: all of them are over.
    func shortened(
        past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant
    ) -> PhasePlan.Shortened<PlaybackPlan>? {
        remainder?.shortened(past: until, through: number, at: now)
    }

    /// How what takes the place of the plan at `now` takes part: a hand-over goes on.
    func entry(at now: MonotonicInstant) -> Entry { remainder?.entry(at: now) ?? Entry() }

    /// It has handed over what plays, and gets no more of it.
    func isHandedOver(by now: MonotonicInstant) -> Bool { crossFade?.hasHandedOver(after: now - start) ?? false }
}
