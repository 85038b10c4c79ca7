// SPDX-License-Identifier: MIT
package import HapticCore
import HapticPatterns

/// A value that is followed, from when it was said: its level for as long as a value counts, and then a fade. So nothing has to come
/// for it to end. And on top of it an impact, as of a detent.
package struct FollowPlan {
    /// How long a value counts.
    package static let hold = Nanoseconds.milliseconds(250)
    static let fade = Nanoseconds.milliseconds(100)
    /// Nothing is felt after this, whatever its spring or its impact would still do.
    package static var length: Nanoseconds { hold + fade }
    /// How sharp the level is: neither dull nor hard.
    package static let sharpness = Sharpness(clamping: 0.5)
    // trap: a spring with these numbers can be made.
    private static let fadeSpring = Spring(response: fade, dampingFraction: 1)!

    /// An impact on top of the level.
    package struct Impact {
        let pattern: PlayablePattern
        let gain: Gain
        let at: MonotonicInstant

        package init(pattern: PlayablePattern, gain: Gain, at instant: MonotonicInstant) {
            (self.pattern, self.gain, at) = (pattern, gain, instant)
        }

        package func isOver(by now: MonotonicInstant) -> Bool { at + pattern.timeline.felt <= now }
    }

    private struct Layer {
        let pattern: PlayablePattern
        let gain: Gain
        /// From the start of the plan; below 0 where the value is newer than the impact.
        let start: Nanoseconds

        func level(before frame: Int) -> Level {
            guard frame > 0 else { return .off }
            var level = pattern.timeline.frames[frame - 1].level
            level.intensity = level.intensity * gain
            return level
        }
    }

    private var intensity: Intensity
    /// From one level to the next while it moves.
    private(set) var tick = ActuatorCapabilities.shortestFollowInterval
    private var fadeFrames: Int { Int((Self.fade.count + tick.count - 1) / tick.count) }
    /// Through this what is felt gets to the level.
    let spring: Spring
    private let impact: Layer?
    /// The users' limit for level and impact together.
    let most: Intensity
    /// It has a level at its start; else it goes on from what is felt then, and has not.
    private let begins: Bool

    package init(
        _ intensity: Intensity, _ spring: Spring, _ impact: Impact?, most: Intensity = .one, saidAt start: MonotonicInstant,
        begins: Bool
    ) {
        self.intensity = intensity.value < Timeline.leastIntensity ? .zero : intensity
        self.spring = spring
        self.impact = impact.map { Layer(pattern: $0.pattern, gain: $0.gain, start: $0.at - start) }
        self.most = most
        self.begins = begins
    }

    /// The same where it differs on this kind of actuator: one that is only on or off has no level that it could follow, and is on only
    /// for an impact.
    func fitted(to capabilities: ActuatorCapabilities) -> FollowPlan {
        var fitted = self
        if !capabilities.variesIntensity { fitted.intensity = .zero }
        fitted.tick = max(tick, capabilities.followInterval)
        return fitted
    }

    var frameCount: Int { fadeFrames + 2 + (impact.map { $0.pattern.timeline.frames.count } ?? 0) }

    package var peak: Intensity {
        let above = impact.map { ($0.pattern.timeline.peak * $0.gain).value } ?? 0
        return min(most, Intensity(clamping: intensity.value + above))
    }

    /// Of the level alone: an impact is nothing that anything goes on from. Nil: it is over, or has not begun.
    func motion(at offset: Nanoseconds) -> Motion? {
        guard offset >= .zero, offset < Self.length else { return nil }
        let share = Self.share(at: offset)
        let level = Level(intensity: Intensity(clamping: intensity.value * share.value), sharpness: Self.sharpness)
        return Motion(level: level, intensityRate: intensity.value * share.rate, glides: true)
    }

    /// Where nothing has been felt before.
    var initialMotion: Motion { Motion(level: Level(intensity: .zero, sharpness: Self.sharpness), glides: true) }

    /// It goes on from whatever glides.
    var opening: PlaybackPlan.Opening {
        .init(motion: motion(at: .zero) ?? initialMotion, end: Self.length, spring: spring)
    }

    /// What is left of the level at `offset`, and how fast that changes per second.
    static func share(at offset: Nanoseconds) -> (value: Double, rate: Double) {
        guard offset > hold else { return (1, 0) }
        guard offset < length else { return (0, 0) }
        let state = fadeSpring.state(after: offset - hold, from: Spring.State(displacement: 1, velocity: 0))
        return (state.displacement, state.velocity)
    }

    /// Level and impact at `offset`.
    func level(at offset: Nanoseconds) -> Level {
        let frame = impact.map { impact in
            impact.pattern.timeline.frames.countOfPrefix { impact.start + $0.offset <= offset }
        }
        return level(at: offset, before: frame ?? 0)
    }

    /// The same, `frame` frames of the impact having come.
    private func level(at offset: Nanoseconds, before frame: Int) -> Level {
        guard offset < Self.length else { return .off }
        let base = intensity.value * Self.share(at: offset).value
        guard let above = impact?.level(before: frame), above.isOn else {
            return base > 0 ? Level(intensity: Intensity(clamping: base), sharpness: Self.sharpness) : .off
        }
        var mixer = LevelMixer()
        mixer.add(base, Self.sharpness.value)
        mixer.add(above.intensity.value, above.sharpness.value)
        var level = mixer.level()
        level.intensity = min(level.intensity, most)
        return level
    }

    /// Walks the frames in order of time.
    struct Cursor {
        /// Of the level: 0 is its start, and those after it are of the fade.
        private var base: Int
        /// Of the impact.
        private var frame: Int

        /// At the first frame at `offset` or later.
        init(_ plan: FollowPlan, at offset: Nanoseconds) {
            base = plan.begins ? 0 : 1
            if offset > .zero {
                let late = (offset - FollowPlan.hold).count + plan.tick.count - 1
                base = max(1, Int(late / plan.tick.count))
            }
            frame =
                plan.impact.map { impact in
                    impact.pattern.timeline.frames.countOfPrefix { impact.start + $0.offset < offset }
                } ?? 0
        }

        /// The next frame, its offset from the start of the plan; nil at the end.
        func peek(_ plan: FollowPlan) -> Timeline.Frame? {
            guard let offset = next(plan) else { return nil }
            let isOfImpact = impactOffset(plan) == offset
            return Timeline.Frame(offset: offset, level: plan.level(at: offset, before: frame + (isOfImpact ? 1 : 0)))
        }

        mutating func advance(_ plan: FollowPlan) {
            guard let offset = next(plan) else { return }
            if baseOffset(plan) == offset { base += 1 }
            guard impactOffset(plan) == offset, let frames = plan.impact?.pattern.timeline.frames.count else { return }
            // All of it is over where the plan is.
            frame = offset < FollowPlan.length ? frame + 1 : frames
        }

        private func next(_ plan: FollowPlan) -> Nanoseconds? {
            guard let base = baseOffset(plan) else { return impactOffset(plan) }
            return impactOffset(plan).map { min($0, base) } ?? base
        }

        private func baseOffset(_ plan: FollowPlan) -> Nanoseconds? {
            guard plan.intensity > .zero, base <= plan.fadeFrames else { return nil }
            return base == 0 ? .zero : min(FollowPlan.hold + plan.tick * base, FollowPlan.length)
        }

        private func impactOffset(_ plan: FollowPlan) -> Nanoseconds? {
            guard let impact = plan.impact, frame < impact.pattern.timeline.frames.count else { return nil }
            return min(impact.start + impact.pattern.timeline.frames[frame].offset, FollowPlan.length)
        }
    }
}
