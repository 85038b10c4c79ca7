// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What one actuator is to feel like from an instant on: the frames of a plan, and what moves them: a transition from what was felt
/// before, or a cross-fade. While anything moves there is a level each `tick`; else the plan's frames are all there is.
struct Course {
    static var tick: Nanoseconds { Timeline.frameInterval }
    /// How long a graceful cancel takes at most.
    static var longestFade: Nanoseconds { .milliseconds(50) }
    /// That of a fade: at its end 3 % are left, and no two frames are more than 20 % apart.
    // trap: a spring with these numbers can be made.
    private static let fadeSpring = Spring(response: .milliseconds(60), dampingFraction: 1)!

    /// What is intended next, and from when on.
    struct Next {
        let at: MonotonicInstant
        let level: Level
        /// It is felt as the plan says.
        fileprivate let isPlain: Bool
        /// The plan's own frame; nil: the plan stays where it is.
        let frame: Timeline.Frame?
    }

    /// Nil: it only fades out.
    var plan: PlaybackPlan?
    var cursor: PlaybackPlan.Cursor?
    /// The frame that the cursor is at.
    var frame: Timeline.Frame?
    /// What comes next; nil at the end. Kept: it is asked for more often than it is taken.
    var next: Next?
    /// When the plan begins.
    let start: MonotonicInstant
    private let transition: Transition?
    let crossFade: CrossFade?
    /// Until when it moves; the past where nothing does.
    private let movingEnd: MonotonicInstant
    /// The plan's level, and when anything was taken last.
    var planned = Level.off
    private var last: MonotonicInstant

    /// `plan` in the way of `entry`, decided at `now`. `before`: the motion at `now`, which it goes on from; nil: there is none, or an
    /// impact cuts it.
    init(_ plan: PlaybackPlan, _ entry: Entry, at now: MonotonicInstant, after before: Motion? = nil) {
        let start = now + entry.delay
        (self.plan, self.start, crossFade) = (plan, start, entry.crossFade)
        // What goes on has a level at once: that which was to come now is revoked.
        last = before == nil ? now : now - Self.tick
        let cursor = PlaybackPlan.Cursor(plan)
        (self.cursor, frame) = (cursor, cursor.peek(plan))
        transition = before.flatMap { before in
            plan.opening.map { opening in
                var after = opening.motion
                // What is to begin later is at nothing now.
                if entry.delay > .zero { after = Motion(level: Level(intensity: .zero, sharpness: after.level.sharpness)) }
                if let crossFade = entry.crossFade { after = after.faded(by: crossFade, after: .zero) }
                return Transition(from: before, to: after, opening.spring, at: now, runEnd: start + opening.end)
            }
        }
        movingEnd = max(transition?.end ?? .distantPast, crossFade.map { start + $0.left } ?? .distantPast)
        next = following
    }

    /// A fade of `before`, over at `end` at the latest.
    init(fading before: Motion, at now: MonotonicInstant, end: MonotonicInstant) {
        let silence = Motion(level: Level(intensity: .zero, sharpness: before.level.sharpness))
        let end = min(now + Self.longestFade, end)
        let transition = Transition(from: before, to: silence, Self.fadeSpring, at: now, runEnd: end)
        (plan, cursor, frame, start, crossFade) = (nil, nil, nil, now, nil)
        (self.transition, last, movingEnd) = (transition, now - Self.tick, transition.end)
        next = following
    }

    /// `level` until `end`, and then off: what is over so soon is not worth a fade.
    init(holding level: Level, at now: MonotonicInstant, until end: MonotonicInstant) {
        (plan, cursor, frame, start, last, crossFade, transition) = (nil, nil, nil, now, now, nil, nil)
        (planned, movingEnd) = (level, max(end, now + Nanoseconds(1)))
        next = following
    }

    /// Frames and ticks that a preview looks at, at most.
    var frameCount: Int { (plan?.frameCount ?? 0) + tickCount }
    private var tickCount: Int { movingEnd <= last ? 0 : Int((movingEnd - last).count / Self.tick.count) + 1 }
    /// What looking at them costs beside the plan's own frames, see `WorkBudget`. `isFitted`: to the motor, which looks at the two
    /// that follow each as well.
    func movingCost(isFitted: Bool) -> Int {
        tickCount * (WorkBudget.Cost.spring * (isFitted ? 3 : 1) + WorkBudget.Cost.previewedFrame * (isFitted ? 2 : 1))
    }

    var following: Next? {
        guard movingEnd > .distantPast else { return frame.map(plain) }
        // Who has handed over, and has gone off, is done.
        if isHandedOver(by: last), !level(planned, at: last).isOn { return nil }
        if last < movingEnd, planned.isOn || last < transition?.end ?? .distantPast {
            let tick = min(last + Self.tick, movingEnd)
            let isFirst = frame.map { tick < start + $0.offset } ?? true
            if isFirst { return Next(at: tick, level: level(planned, at: tick), isPlain: false, frame: nil) }
        }
        guard let frame else { return nil }
        let at = start + frame.offset
        guard at <= movingEnd || crossFade != nil else { return plain(frame) }
        if isHandedOver(by: at), at > movingEnd { return nil }
        return Next(at: at, level: level(frame.level, at: at), isPlain: false, frame: frame)
    }

    private func plain(_ frame: Timeline.Frame) -> Next {
        Next(at: start + frame.offset, level: frame.level, isPlain: true, frame: frame)
    }

    /// The run of a named pattern that begins with `next`, unless that is felt in another way than the pattern says.
    func run(of next: Next) -> RunIndex? {
        // trap: with a cursor there is the plan that it is in.
        next.isPlain ? cursor?.run(plan!) : nil
    }

    /// Goes on behind `next`.
    mutating func advance(past next: Next) {
        last = next.at
        defer { self.next = following }
        guard let frame = next.frame else { return }
        planned = frame.level
        // A frame comes of a plan.
        guard let plan else { return }
        cursor?.advance(plan)
        self.frame = cursor?.peek(plan)
    }

    /// What is intended at `now`, where it is part of a glide.
    func motion(at now: MonotonicInstant) -> Motion? {
        let own = now < start ? nil : plan?.motion(at: now - start)
        let moves = now < movingEnd && (transition != nil || crossFade != nil)
        guard moves || own?.glides == true else { return nil }
        var motion = own ?? Motion(level: .off)
        let isOn = motion.level.isOn
        if let crossFade { motion = motion.faded(by: crossFade, after: now - start) }
        var intensity = motion.level.intensity.value
        if let transition {
            let left = transition.displacement(at: now)
            let sharpness = isOn ? motion.level.sharpness.value : transition.targetSharpness
            motion.level.sharpness = Sharpness(clamping: sharpness + left.sharpness.displacement)
            intensity += left.intensity.displacement
            motion.intensityRate += left.intensity.velocity
            motion.sharpnessRate += left.sharpness.velocity
        }
        if intensity < Timeline.leastIntensity {
            // It is held there through a bounce, as in `level`.
            guard isOn, !isHandedOver(by: now), let transition, now < transition.end else { return nil }
            (intensity, motion.intensityRate) = (Timeline.leastIntensity, 0)
        }
        motion.level.intensity = Intensity(clamping: intensity)
        motion.glides = true
        return motion
    }

    /// What the plan's level comes to at `now`.
    private func level(_ planned: Level, at now: MonotonicInstant) -> Level {
        if plan == nil, now >= movingEnd { return .off }
        var intensity = planned.intensity.value * (crossFade?.share(after: now - start).value ?? 1)
        var sharpness = planned.sharpness.value
        if let transition, now < transition.end {
            let left = transition.displacement(at: now)
            intensity += left.intensity.displacement
            sharpness = (planned.isOn ? sharpness : transition.targetSharpness) + left.sharpness.displacement
            // A bounce does not part what is felt in two.
            if planned.isOn, !isHandedOver(by: now) { intensity = max(intensity, Timeline.leastIntensity) }
        }
        guard intensity >= Timeline.leastIntensity else { return .off }
        return Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness))
    }
}
