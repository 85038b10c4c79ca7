// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Open phases that end before their time.
extension Course {
    /// When an open phase begins, of which `next` is the first level or the off before it; nil: none does.
    func opening(of next: Next) -> MonotonicInstant? {
        next.frame == nil ? nil : cursor?.opening.map { start + $0 }
    }

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

    /// `plan` takes the place of the present one, which is the same up to the phase at `index`; that has not begun at `next`.
    mutating func goOn(with plan: PlaybackPlan, from index: Int) {
        self.plan = plan
        cursor?.goOn(with: plan, from: index, isOn: planned.isOn)
        frame = cursor?.peek(plan)
        next = following
    }

    /// It has handed over what plays, and gets no more of it.
    func isHandedOver(by now: MonotonicInstant) -> Bool {
        guard let crossFade, !crossFade.takes else { return false }
        return now >= start + crossFade.left
    }
}
