// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns

/// What a plan would come to, before it plays.
extension Channel {
    struct Preview {
        let counts: MotorLimiter.Counts
        /// The predicted feel; `nil` without a model.
        let tally: FeltTally?
        /// The plan continues the motion before it, so its first pulse need not stand apart.
        let isContinued: Bool
    }

    /// Simulates `plan` as if it replaced the playback of this channel.
    func preview(_ plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant) -> Preview {
        var output = output(settledBefore: now)
        let motion = motion(before: plan, entry, at: now)
        if motion == nil || !output.output.isOn { _ = output.stop(at: now) }
        output.begin(fit: fit, isTrain: plan.steps > 1, at: now)
        var course = Course(fitted(plan, entry), entry, at: now, after: motion)
        // Of an open phase one round is enough.
        for _ in 0..<course.frameCount {
            guard let next = course.upcoming.next else { break }
            while output.nextEvent < next.at { _ = output.elapse(at: output.nextEvent) }
            _ = output.request(next, among: course.upcoming)
            course.advance()
        }
        // A last pulse that waits for the gap may be lengthened, and show after the plan's end. One with open phases has more frames.
        let next = course.upcoming.next
        if next == nil { output.settleWhole() }
        return Preview(counts: output.counts, tally: output.tally(until: next?.at ?? now), isContinued: motion != nil)
    }

    /// What it takes to look at `plan` here, and to begin it: see `WorkBudget`.
    func cost(of plan: PlaybackPlan, _ entry: Entry, fit: Bool = true, at now: MonotonicInstant) -> Int {
        let (isFitted, hasHeat) = (actuator.motor != nil, actuator.thermal != nil)
        let cost = plan.cost(within: actuator.limits, isFitted: isFitted, hasHeat: hasHeat)
        let motion = motion(before: plan, entry, at: now)
        guard motion ?? plan.rest != nil || entry.crossFade != nil else { return cost }
        return cost + Course(plan, entry, at: now, after: motion).movingCost(isFitted: isFitted, hasHeat: hasHeat)
    }
}
