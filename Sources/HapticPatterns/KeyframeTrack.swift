// SPDX-License-Identifier: MIT
public import HapticCore

/// A point that a track passes: what is felt at `at`, and how it gets there from the keyframe before.
public struct Keyframe: Hashable, Sendable {
    public var at: Nanoseconds
    public var intensity: Intensity
    public var sharpness: Sharpness
    /// How the values get to this keyframe; without meaning on a track's first one.
    public var curve: Easing

    public init(at: Nanoseconds, intensity: Intensity, sharpness: Sharpness, curve: Easing = .linear) {
        self.at = at
        self.intensity = intensity
        self.sharpness = sharpness
        self.curve = curve
    }
}

/// (intensity, sharpness) over time through keyframes. Off before the first and from the last keyframe on.
///
/// A segment starts from the track's present value. After a spring that is where the spring is, and a spring that follows a
/// spring also takes over its velocity, so that a target can be redirected without a jolt.
struct KeyframeTrack: Hashable, Sendable {
    private struct Segment: Hashable, Sendable {
        var start: Nanoseconds
        var end: Nanoseconds
        var curve: Easing
        var from: Motion
        var target: Motion

        var isConstant: Bool {
            switch curve {
            case .step: true
            case .spring: from == target
            case .linear, .easeIn, .easeOut, .easeInOut: from.intensity == target.intensity && from.sharpness == target.sharpness
            }
        }

        func motion(at offset: Nanoseconds) -> Motion {
            if case .spring(let spring) = curve { return springMotion(spring, after: offset - start) }
            let u = curve.eased(Double((offset - start).count) / Double((end - start).count))
            return Motion(
                intensity: from.intensity + (target.intensity - from.intensity) * u,
                sharpness: from.sharpness + (target.sharpness - from.sharpness) * u)
        }

        private func springMotion(_ spring: Spring, after elapsed: Nanoseconds) -> Motion {
            let intensity = spring.state(
                after: elapsed,
                from: .init(displacement: from.intensity - target.intensity, velocity: from.intensityVelocity))
            let sharpness = spring.state(
                after: elapsed,
                from: .init(displacement: from.sharpness - target.sharpness, velocity: from.sharpnessVelocity))
            return Motion(
                intensity: target.intensity + intensity.displacement, sharpness: target.sharpness + sharpness.displacement,
                intensityVelocity: intensity.velocity, sharpnessVelocity: sharpness.velocity)
        }
    }

    /// Values before they are cut to 0…1 (a spring overshoots) and velocities per second.
    private struct Motion: Hashable, Sendable {
        var intensity: Double
        var sharpness: Double
        var intensityVelocity = 0.0
        var sharpnessVelocity = 0.0

        /// What is felt: a displacement below 0 is as strong as one above.
        var level: Level {
            Level(intensity: Intensity(clamping: abs(intensity)), sharpness: Sharpness(clamping: sharpness))
        }
    }

    private let segments: [Segment]
    /// To the last keyframe.
    let duration: Nanoseconds
    /// From the first keyframe to the last; more than 0.
    let length: Nanoseconds
    /// What is felt when the last keyframe cuts it off: a spring may not have come to rest.
    let end: Level
    /// Of keyframes.
    var count: Int { segments.count + 1 }

    /// `keyframes` are in ascending order of time and not empty: `Pattern` has checked it.
    init(_ keyframes: [Keyframe]) {
        var segments: [Segment] = []
        var motion = Motion(intensity: keyframes[0].intensity.value, sharpness: keyframes[0].sharpness.value)
        for (before, keyframe) in zip(keyframes, keyframes.dropFirst()) {
            let target = Motion(intensity: keyframe.intensity.value, sharpness: keyframe.sharpness.value)
            let segment = Segment(start: before.at, end: keyframe.at, curve: keyframe.curve, from: motion, target: target)
            segments.append(segment)
            if case .spring = keyframe.curve { motion = segment.motion(at: keyframe.at) } else { motion = target }
        }
        self.segments = segments
        duration = keyframes[keyframes.count - 1].at
        length = duration - keyframes[0].at
        end = motion.level
    }

    /// Goes through the track forward in time.
    struct Cursor {
        private let segments: [Segment]
        private var begun = 0

        init(_ track: KeyframeTrack) { segments = track.segments }

        /// The level at `offset`, which is not before the one before.
        mutating func level(at offset: Nanoseconds) -> Level {
            while begun < segments.count, segments[begun].start <= offset { begun += 1 }
            guard begun > 0, offset < segments[begun - 1].end else { return .off }
            return segments[begun - 1].motion(at: offset).level
        }
    }

    func forEachStretch(_ body: (Stretch) -> Void) {
        for segment in segments {
            var cost = WorkBudget.Cost.entry
            if case .spring = segment.curve { cost = WorkBudget.Cost.spring }
            body(Stretch(start: segment.start, end: segment.end, isConstant: segment.isConstant, cost: cost))
        }
    }
}
