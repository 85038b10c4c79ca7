// SPDX-License-Identifier: MIT
package import HapticCore
import HapticPatterns

/// A pattern, once or at the instants of a train: what every plan is made of.
package struct StepPlan {
    let pattern: PlayablePattern
    let train: StepTrain?
    let gain: Gain
    let sharpness: Sharpness?

    package init(pattern: PlayablePattern, train: StepTrain?, gain: Gain, sharpness: Sharpness?) {
        (self.pattern, self.train, self.gain, self.sharpness) = (pattern, train, gain, sharpness)
    }

    /// How often the pattern is played.
    var steps: Int { train?.steps ?? 1 }
    var frameCount: Int { steps * (pattern.timeline.frames.count + 1) }
    /// To the end of the last step, its silence included.
    package var length: Nanoseconds { (train?.duration ?? .zero) + pattern.timeline.duration }

    /// From the start of one repetition to the next: at least a third of it is off, as between the steps of a train.
    package var period: Nanoseconds {
        if train != nil { return length }
        let felt = pattern.timeline.felt
        return max(pattern.timeline.duration, felt + felt / 2)
    }

    private func offset(ofStep step: Int) -> Nanoseconds { train?.offset(of: step + 1) ?? .zero }

    /// How long step `step` may be felt: all of it, but where the next one comes before its end two thirds of the gap.
    private func feltLength(ofStep step: Int) -> Nanoseconds {
        let felt = pattern.timeline.felt
        guard step + 1 < steps else { return felt }
        let gap = offset(ofStep: step + 1) - offset(ofStep: step)
        return gap < felt ? gap * 2 / 3 : felt
    }

    /// From the start to where nothing more is felt.
    var feltLength: Nanoseconds { (train?.duration ?? .zero) + pattern.timeline.felt }

    /// The number of the last step that has begun by `offset`; nil: none has.
    private func step(at offset: Nanoseconds) -> Int? {
        let begun = (0..<steps).countOfPrefix { self.offset(ofStep: $0) <= offset }
        return begun > 0 ? begun - 1 : nil
    }

    /// What is felt without a break at `offset`.
    func stretch(at offset: Nanoseconds) -> PlaybackPlan.Stretch? {
        guard let step = step(at: offset) else { return nil }
        let (start, felt) = (self.offset(ofStep: step), feltLength(ofStep: step))
        guard offset - start < felt, let passage = pattern.passage(at: offset - start) else { return nil }
        let frames = pattern.timeline.frames
        var level = frames[frames.countOfPrefix { start + $0.offset <= offset } - 1].level
        level.intensity = level.intensity * gain
        if let sharpness { level.sharpness = sharpness }
        return .init(level: level, start: start + passage.start, end: start + min(passage.end, felt), spring: pattern.transition)
    }

    /// Walks the frames in order of time.
    struct Cursor {
        private var step = 0
        private var frame = 0
        private var stepStart: Nanoseconds
        private var stepFelt: Nanoseconds

        init(_ plan: StepPlan) {
            stepStart = plan.offset(ofStep: 0)
            stepFelt = plan.feltLength(ofStep: 0)
        }

        /// At the first frame at `offset` or later.
        init(_ plan: StepPlan, at offset: Nanoseconds) {
            step = plan.step(at: offset) ?? 0
            stepStart = plan.offset(ofStep: step)
            stepFelt = plan.feltLength(ofStep: step)
            let start = stepStart
            frame = plan.pattern.timeline.frames.countOfPrefix { start + $0.offset < offset }
            // Where the step is cut short its off may be before that.
            if let next = peek(plan), next.offset < offset { advance(plan) }
        }

        /// The next frame, its offset from the start of the plan; nil at the end.
        func peek(_ plan: StepPlan) -> Timeline.Frame? {
            guard step < plan.steps else { return nil }
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
        func run(_ plan: StepPlan) -> RunIndex? { plan.pattern.run(at: frame) }

        mutating func advance(_ plan: StepPlan) {
            let frames = plan.pattern.timeline.frames
            if frame < frames.count, frames[frame].offset < stepFelt {
                frame += 1
                return
            }
            frame = 0
            step += 1
            guard step < plan.steps else { return }
            stepStart = plan.offset(ofStep: step)
            stepFelt = plan.feltLength(ofStep: step)
        }
    }
}
