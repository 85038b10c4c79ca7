// SPDX-License-Identifier: MIT
import HapticCore

/// What is to be played, from the start: a pattern once or at the instants of a train, all of it so many times over.
struct PlaybackPlan {
    let pattern: PlayablePattern
    let train: StepTrain?
    let repetitions: Int
    let gain: Intensity
    let sharpness: Sharpness?

    private var stepCount: Int { train?.steps ?? 1 }

    /// How often the pattern is played.
    var steps: Int { stepCount * repetitions }
    private var frameCount: Int { steps * (pattern.timeline.frames.count + 1) }
    /// What it takes to look at all of it for an actuator with `limits`, and to begin it there: see `WorkBudget`.
    func cost(within limits: MotorLimits) -> Int {
        let cost = WorkBudget.Cost.actuator + frameCount * WorkBudget.Cost.previewedFrame
        guard limits.duty < .one else { return cost }
        // The ledger goes on by a bucket at a time, at each pulse by a window at most.
        let buckets = Int((period * repetitions).count / DutyLedger.bucket.count)
        let bucketsOfWindow = Int(MotorLimits.dutyWindow.count / DutyLedger.bucket.count)
        return cost + frameCount * WorkBudget.Cost.previewedFrame + min(frameCount * bucketsOfWindow, buckets)
    }
    /// The peak of what is felt.
    var peak: Intensity { pattern.timeline.peak * gain }

    /// From the start of one repetition to the next: at least a third of it is off, as between the steps of a train.
    private var period: Nanoseconds {
        if let train { return train.duration + pattern.timeline.duration }
        let felt = pattern.timeline.felt
        return max(pattern.timeline.duration, felt + felt / 2)
    }

    private func offset(ofStep step: Int) -> Nanoseconds { train?.offset(of: step + 1) ?? .zero }

    /// How long step `step` may be felt: all of it, but where the next one comes before its end two thirds of the gap.
    private func feltLength(ofStep step: Int) -> Nanoseconds {
        let felt = pattern.timeline.felt
        guard step + 1 < stepCount else { return felt }
        let gap = offset(ofStep: step + 1) - offset(ofStep: step)
        return gap < felt ? gap * 2 / 3 : felt
    }

    /// Walks the plan's frames in order of time.
    struct Cursor {
        private var repetition = 0
        private var step = 0
        private var frame = 0
        private var stepStart: Nanoseconds
        private var stepFelt: Nanoseconds

        init(_ plan: PlaybackPlan) {
            stepStart = plan.offset(ofStep: 0)
            stepFelt = plan.feltLength(ofStep: 0)
        }

        /// The next frame, its offset from the start of the plan; nil at the end.
        func peek(_ plan: PlaybackPlan) -> Timeline.Frame? {
            guard repetition < plan.repetitions else { return nil }
            let frames = plan.pattern.timeline.frames
            // Where the step is cut short its first frame at or past the cut is an off.
            guard frame < frames.count, frames[frame].offset < stepFelt else {
                return Timeline.Frame(offset: stepStart + stepFelt, level: .off)
            }
            var level = frames[frame].level
            if level.isOn {
                level.intensity = level.intensity * plan.gain
                if let sharpness = plan.sharpness { level.sharpness = sharpness }
            }
            return Timeline.Frame(offset: stepStart + frames[frame].offset, level: level)
        }

        /// The run that begins with the next frame.
        func run(_ plan: PlaybackPlan) -> RunIndex? { plan.pattern.run(at: frame) }

        mutating func advance(_ plan: PlaybackPlan) {
            let frames = plan.pattern.timeline.frames
            if frame < frames.count, frames[frame].offset < stepFelt {
                frame += 1
                return
            }
            frame = 0
            step += 1
            if step == plan.stepCount {
                step = 0
                repetition += 1
            }
            stepStart = plan.period * repetition + plan.offset(ofStep: step)
            stepFelt = plan.feltLength(ofStep: step)
        }
    }
}
