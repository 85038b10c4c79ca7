// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticMotors
import HapticPatterns

/// What a plan would come to, before it plays.
extension Channel {
    package struct Preview {
        package let counts: MotorLimiter.Counts
        /// The predicted feel; `nil` without a model.
        package let tally: FeltTally?
        /// The plan continues the motion before it, so its first pulse need not stand apart.
        package let isContinued: Bool
    }

    /// Simulates `plan` as if it replaced the playback of this channel. Rounds that recur are simulated once; what `cost` does not hold of
    /// them is taken from `work`. Returns `nil` if that has too little left.
    package func preview(
        _ plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant, work: inout WorkBudget
    ) -> Preview? {
        var output = revocable.output(at: now)
        let motion = motion(before: plan, entry, at: now)
        if motion == nil || !output.output.isOn { _ = output.stop(at: now) }
        output.begin(fit: fit, isTrain: plan.steps > 1, at: now)
        var course = Course(fitted(plan, entry), entry, at: now, after: motion)
        var rounds = roundWatch(plan)
        // Of an open phase one round is enough.
        for _ in 0..<course.frameCount {
            guard let next = course.upcoming.next else { break }
            while output.nextEvent < next.at { _ = output.elapse(at: output.nextEvent) }
            _ = output.request(next, among: course.upcoming)
            course.advance()
            guard rounds?.observe(&course, output, at: next.at, work: &work) ?? true else { return nil }
        }
        // A last pulse that waits for the gap may be lengthened, and show after the plan's end. One with open phases has more frames.
        let next = course.upcoming.next
        if next == nil { output.settleWhole() }
        let counts = rounds?.whole(output.counts) ?? output.counts
        return Preview(counts: counts, tally: output.tally(until: next?.at ?? now), isContinued: motion != nil)
    }

    /// `nil`: no round of `plan` recurs here.
    private func roundWatch(_ plan: PlaybackPlan) -> RoundWatch? {
        guard actuator.thermal == nil else { return nil }
        let cost = plan.roundCost(within: actuator.limits, isFitted: actuator.motor != nil)
        return cost.flatMap { RoundWatch(plan, roundCost: $0) }
    }

    /// The work of looking at `plan` here and beginning it, if nothing moves: see `WorkBudget`.
    package func cost(of plan: PlaybackPlan) -> Int {
        plan.cost(within: actuator.limits, isFitted: actuator.motor != nil, hasHeat: actuator.thermal != nil)
    }

    /// The work beside `cost(of:)` if the actuator goes over from what it plays, or to another one. To find it takes less than
    /// `WorkBudget.Cost.actuator`.
    package func movingCost(of plan: PlaybackPlan, _ entry: Entry, at now: MonotonicInstant) -> Int {
        let motion = motion(before: plan, entry, at: now)
        guard motion ?? plan.initialMotion != nil || entry.crossFade != nil else { return 0 }
        return Course(plan, entry, at: now, after: motion)
            .movingCost(isFitted: actuator.motor != nil, hasHeat: actuator.thermal != nil)
    }
}
