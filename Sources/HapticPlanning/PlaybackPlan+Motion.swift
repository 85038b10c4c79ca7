// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What a plan is at any time, without walking it.
extension PlaybackPlan {
    /// How a plan begins that goes on from what was felt before.
    package struct Opening {
        let motion: Motion
        /// Where its first run ends, from the start of the plan.
        var end: Nanoseconds
        /// It gets there through this one.
        let spring: Spring
    }

    /// What is intended at `offset` from the start; nil where that is nothing, or a row of impacts.
    func motion(at offset: Nanoseconds) -> Motion? {
        switch self {
        case .steps(let plan): return plan.motion(at: offset)
        case .phases(let plan): return plan.motion(at: offset)
        case .repeated(let plan, let times):
            guard plan.period > .zero, offset.count / plan.period.count < times else { return nil }
            return plan.motion(at: Nanoseconds(offset.count % plan.period.count))
        case .followed(let plan): return plan.motion(at: offset)
        }
    }

    /// Nil: it begins with an impact, or with silence, and cuts what was felt before.
    package var opening: Opening? {
        switch self {
        case .steps(let plan), .repeated(let plan, _): plan.opening
        case .phases(let plan): plan.opening
        case .followed(let plan): plan.opening
        }
    }

    /// What it goes on from where nothing has been felt: the spring of a followed value begins at rest. Nil: it begins by itself.
    var initialMotion: Motion? {
        guard case .followed(let plan) = self else { return nil }
        return plan.initialMotion
    }

    /// From one level to the next while something moves it.
    var interval: Nanoseconds {
        guard case .followed(let plan) = self else { return Course.tick }
        return plan.tick
    }

    /// How much is left at `offset` of what a spring adds to it, and how fast that changes per second.
    func share(at offset: Nanoseconds) -> (value: Double, rate: Double) {
        guard case .followed = self else { return (1, 0) }
        return FollowPlan.share(at: offset)
    }

    /// The upper limit of the levels, also while a spring moves them.
    var most: Intensity {
        guard case .followed(let plan) = self else { return .one }
        return plan.most
    }

    /// The same, as far as it differs on this kind of actuator.
    func fitted(to capabilities: ActuatorCapabilities) -> PlaybackPlan {
        switch self {
        case .steps, .repeated: self
        case .phases(let plan): .phases(plan.fitted(to: capabilities))
        case .followed(let plan): .followed(plan.fitted(to: capabilities))
        }
    }

    /// The number of the open phase that ends with what it lasts `until`: that at `offset`, or else the next one that waits for it.
    func phase(endedBy until: Pattern.Phase.Until, at offset: Nanoseconds) -> Int? {
        guard case .phases(let plan) = self else { return nil }
        return plan.phase(endedBy: until, at: offset)
    }

    /// What becomes of it without the open phases up to `number` that last `until` this. Nil: all of them are over.
    func shortened(
        past until: Pattern.Phase.Until, through number: Int, at offset: Nanoseconds
    ) -> PhasePlan.Shortened<PlaybackPlan>? {
        guard case .phases(let plan) = self else { return nil }
        return switch plan.shortened(past: until, through: number, at: offset) {
        case nil: nil
        case .now(let remainder): .now(.phases(remainder))
        case .later(let remainder, let index, let offset): .later(.phases(remainder), index: index, offset: offset)
        }
    }
}

extension StepPlan {
    func motion(at offset: Nanoseconds) -> Motion? {
        guard train == nil, let passage = pattern.passage(at: offset) else { return nil }
        return motion(of: passage, at: offset)
    }

    var opening: PlaybackPlan.Opening? {
        guard train == nil, let first = pattern.passages.first, first.start <= Passage.longestImpact, first.glides, !first.strikes
        else { return nil }
        var motion = motion(of: first, at: first.start)
        if first.start > .zero {
            // It rises from nothing before its first frame.
            motion.level.intensity = .zero
            (motion.intensityRate, motion.sharpnessRate) = (0, 0)
        }
        return .init(motion: motion, end: first.end, spring: pattern.transition)
    }

    private func motion(of passage: Passage, at offset: Nanoseconds) -> Motion {
        let frames = pattern.timeline.frames
        let index = frames.countOfPrefix { $0.offset <= offset } - 1
        var motion = Motion(
            at: frames[index], before: index + 1 < frames.count ? frames[index + 1] : nil, glides: passage.glides)
        let gained = motion.level.intensity.value * gain.value
        motion.level.intensity = Intensity(clamping: gained)
        // Where it is cut off at 1 it stays there.
        motion.intensityRate = gained > 1 ? 0 : motion.intensityRate * gain.value
        if let sharpness { (motion.level.sharpness, motion.sharpnessRate) = (sharpness, 0) }
        return motion
    }
}
