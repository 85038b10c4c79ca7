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

    /// What is intended from an instant on.
    struct Next {
        let at: MonotonicInstant
        let level: Level
        /// The plan's own level from then on, which nothing moves.
        fileprivate let planned: Level
        /// The run of a named pattern that begins here, unless it is felt in another way than the pattern says.
        var run: RunIndex?
        /// When the open phases begin of which this is the first level, or the off before it: the first of them and the last.
        var openings: ClosedRange<MonotonicInstant>?

        fileprivate static func nothing(at instant: MonotonicInstant) -> Next { Next(at: instant, level: .off, planned: .off) }
    }

    /// What comes next, and the two after it, by which a motor is fitted; nil from the end on.
    struct Upcoming {
        var next: Next?
        var second: Next?
        var third: Next?

        /// The first of them at `opening` or later is also that of open phases from `first` on.
        fileprivate mutating func open(_ first: MonotonicInstant, before opening: MonotonicInstant) {
            for path in [\Self.next, \.second, \.third] {
                guard let level = self[keyPath: path], level.at >= opening else { continue }
                self[keyPath: path]?.openings = first...max(opening, level.openings?.upperBound ?? opening)
                return
            }
        }
    }

    private(set) var upcoming = Upcoming()
    /// What was before all that is upcoming.
    private var past: Next
    /// Nil: it only fades out.
    private(set) var plan: PlaybackPlan?
    /// Where in the plan it is: behind all that is upcoming.
    private var cursor: PlaybackPlan.Cursor?
    /// The frame that the cursor is at.
    private var frame: Timeline.Frame?
    /// When the plan begins.
    let start: MonotonicInstant
    private let transition: Transition?
    let crossFade: CrossFade?
    /// While it moves there is a level each `interval` from here on.
    let grid: MonotonicInstant
    private let interval: Nanoseconds
    /// Until when it moves; the past where nothing does.
    private let movingEnd: MonotonicInstant
    /// The last of what is upcoming, or else of what was before.
    private var last: Next

    /// `plan` in the way of `entry`, decided at `now`. `before`: the motion at `now`, which it goes on from; nil: there is none, or an
    /// impact cuts it.
    init(_ plan: PlaybackPlan, _ entry: Entry, at now: MonotonicInstant, after before: Motion? = nil) {
        let start = now + entry.delay
        (self.plan, self.start, crossFade, grid) = (plan, start, entry.crossFade, now)
        interval = plan.interval
        let before = before ?? plan.initialMotion
        // What goes on has a level at once: that which was to come now is revoked.
        past = .nothing(at: before == nil ? now : now - interval)
        last = past
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
        fillUpcoming()
    }

    /// A fade of `before`, over at `end` at the latest.
    init(fading before: Motion, at now: MonotonicInstant, end: MonotonicInstant) {
        interval = Self.tick
        let silence = Motion(level: Level(intensity: .zero, sharpness: before.level.sharpness))
        let end = min(now + Self.longestFade, end)
        let transition = Transition(from: before, to: silence, Self.fadeSpring, at: now, runEnd: end)
        (plan, cursor, frame, start, crossFade, grid) = (nil, nil, nil, now, nil, now)
        (self.transition, movingEnd) = (transition, transition.end)
        past = .nothing(at: now - Self.tick)
        last = past
        fillUpcoming()
    }

    /// `level` until `end`, and then off: what is over so soon is not worth a fade.
    init(holding level: Level, at now: MonotonicInstant, until end: MonotonicInstant) {
        (plan, cursor, frame, start, crossFade, transition, grid) = (nil, nil, nil, now, nil, nil, now)
        interval = Self.tick
        movingEnd = max(end, now + Nanoseconds(1))
        past = Next(at: now, level: level, planned: level)
        last = past
        fillUpcoming()
    }

    /// Takes up `remainder` at `now`, where it would be by then: what is left of an impact is left out. `before`: the motion that it goes on
    /// from; nil: the actuator is off.
    init(_ remainder: CourseRemainder, resumedAt now: MonotonicInstant, after before: Motion? = nil) {
        (plan, start, crossFade, grid, interval) = (remainder.plan, remainder.start, remainder.crossFade, now, Self.tick)
        past = .nothing(at: now)
        last = past
        let offset = now - remainder.start
        // One that begins now begins by itself.
        let begun = remainder.plan.stretch(at: offset).flatMap { $0.start < offset ? $0 : nil }
        let stretch = begun.flatMap { $0.isImpact ? nil : $0 }
        var cursor = PlaybackPlan.Cursor(remainder.plan, at: begun == nil ? offset : offset + Nanoseconds(1))
        if let begun, stretch == nil {
            while let frame = cursor.peek(remainder.plan), frame.level.isOn, frame.offset < begun.end {
                cursor.advance(remainder.plan)
            }
        }
        (self.cursor, frame) = (cursor, cursor.peek(remainder.plan))
        transition = stretch.flatMap { stretch -> Transition? in
            guard var after = remainder.plan.motion(at: offset), after.glides else { return nil }
            if let crossFade = remainder.crossFade { after = after.faded(by: crossFade, after: offset) }
            let silence = Motion(level: Level(intensity: .zero, sharpness: after.level.sharpness))
            return Transition(
                from: before ?? silence, to: after, stretch.spring, at: now, runEnd: remainder.start + stretch.end)
        }
        movingEnd = max(transition?.end ?? .distantPast, remainder.crossFade.map { remainder.start + $0.left } ?? .distantPast)
        if let stretch {
            last = Next(at: now, level: level(stretch.level, at: now), planned: stretch.level)
            upcoming.next = last
        }
        fillUpcoming()
    }

    /// A value that was said at `start`, at `now` or before, is followed from `before` on. The next level comes where that of the course
    /// before, whose `grid` this is, would have come; so there are no more of them, however often it goes over to another value.
    init(
        following plan: FollowPlan, saidAt start: MonotonicInstant, at now: MonotonicInstant, after before: Motion,
        grid: MonotonicInstant
    ) {
        let (whole, offset) = (PlaybackPlan.followed(plan), now - start)
        (self.plan, self.start, crossFade, self.grid, interval) = (whole, start, nil, grid, plan.tick)
        let ticks = now > grid ? (now - grid - Nanoseconds(1)).count / interval.count : 0
        let lastAt = now > grid ? grid + interval * Int(ticks) : now - interval
        past = Next(at: lastAt, level: .off, planned: plan.level(at: offset))
        last = past
        let cursor = PlaybackPlan.Cursor(whole, at: offset)
        (self.cursor, frame) = (cursor, cursor.peek(whole))
        let transition = Transition(
            from: before, to: plan.motion(at: offset) ?? plan.initialMotion, plan.spring, at: now,
            runEnd: start + FollowPlan.length)
        self.transition = transition
        let left = (transition.end - lastAt).count
        movingEnd = lastAt + interval * Int((left + interval.count - 1) / interval.count)
        fillUpcoming()
    }

    /// Nil: it only fades out.
    var remainder: CourseRemainder? { plan.map { CourseRemainder($0, start: start, crossFade) } }

    /// Frames and ticks that a preview looks at, at most. To be asked at the start.
    var frameCount: Int { (plan?.frameCount ?? 0) + tickCount }
    private var tickCount: Int { movingEnd <= past.at ? 0 : Int((movingEnd - past.at).count / interval.count) + 1 }
    /// What looking at them costs beside the plan's own frames, see `WorkBudget`. `isFitted`: to the motor; `hasHeat`: that is known to
    /// get hot. To be asked at the start.
    func movingCost(isFitted: Bool, hasHeat: Bool) -> Int {
        tickCount * (WorkBudget.Cost.spring + WorkBudget.Cost.frame(isFitted: isFitted, hasHeat: hasHeat))
    }

    /// Goes on behind what comes next.
    mutating func advance() {
        if let next = upcoming.next { past = next }
        upcoming = Upcoming(next: upcoming.second, second: upcoming.third, third: takeNext())
    }

    /// The round of a repetition that the plan's next frame begins or goes on with, behind all that is upcoming; `nil` as long as
    /// anything but the plan moves the level, and for any other plan.
    var round: Int? {
        guard crossFade == nil, past.at > movingEnd, case .repeated(let round, _) = cursor else { return nil }
        return round
    }

    /// Leaves out `count` rounds of a repetition, of those behind the present one.
    mutating func leaveOut(rounds count: Int) {
        guard case .repeated(let round, let times) = plan else { return }
        plan = .repeated(round, times: times - count)
    }

    /// Looks as far ahead as it has not looked yet.
    private mutating func fillUpcoming() {
        if upcoming.next == nil { upcoming.next = takeNext() }
        if upcoming.second == nil { upcoming.second = takeNext() }
        if upcoming.third == nil { upcoming.third = takeNext() }
    }

    /// `plan` takes the place of the present one, which is the same up to the phase at `index`; that begins at `opening`, and not before
    /// what comes next. What has been looked at from then on is looked at again.
    mutating func replacePlan(with plan: PlaybackPlan, from index: Int, at opening: MonotonicInstant) {
        let seen = upcoming
        (upcoming, last) = (Upcoming(), past)
        if let next = seen.next, next.at < opening { (upcoming.next, last) = (next, next) }
        if let second = seen.second, second.at < opening { (upcoming.second, last) = (second, second) }
        if let third = seen.third, third.at < opening { (upcoming.third, last) = (third, third) }
        self.plan = plan
        let dropped = [seen.next, seen.second, seen.third].first { $0.map { $0.at >= opening } ?? false }
        let first = (dropped.map { $0?.openings } ?? openings)?.lowerBound
        cursor?.replacePlan(with: plan, from: index, isOn: last.planned.isOn)
        frame = cursor?.peek(plan)
        fillUpcoming()
        // Others that come before it, and have no level of their own, may still end early.
        if let first, first < opening { upcoming.open(first, before: opening) }
    }

    /// Of the frame that the cursor is at.
    private var openings: ClosedRange<MonotonicInstant>? {
        cursor?.openings.map { start + $0.lowerBound...start + $0.upperBound }
    }

    private mutating func takeNext() -> Next? {
        // Who has handed over, and has gone off, is done.
        if isHandedOver(by: last.at), !last.level.isOn { return nil }
        if let tick = nextTick {
            last = Next(at: tick, level: level(last.planned, at: tick), planned: last.planned)
            return last
        }
        guard let frame, let plan else { return nil }
        let at = start + frame.offset
        if isHandedOver(by: at), at > movingEnd { return nil }
        let isMoved = at <= movingEnd || crossFade != nil
        last = Next(
            at: at, level: isMoved ? level(frame.level, at: at) : frame.level, planned: frame.level,
            run: isMoved ? nil : cursor?.run(plan), openings: openings)
        self.frame = cursor?.advance(plan) ?? nil
        return last
    }

    /// When it moves before the plan has another frame.
    private var nextTick: MonotonicInstant? {
        guard last.at < movingEnd, last.planned.isOn || last.at < transition?.end ?? .distantPast else { return nil }
        let tick = min(last.at + interval, movingEnd)
        return frame.map { tick < start + $0.offset } ?? true ? tick : nil
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
            let share = plan?.share(at: now - start) ?? (value: 1, rate: 0)
            let sharpness = isOn ? motion.level.sharpness.value : transition.targetSharpness
            motion.level.sharpness = Sharpness(clamping: sharpness + left.sharpness.displacement)
            intensity += left.intensity.displacement * share.value
            motion.intensityRate += left.intensity.velocity * share.value + left.intensity.displacement * share.rate
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
            intensity += left.intensity.displacement * (plan?.share(at: now - start).value ?? 1)
            sharpness = (planned.isOn ? sharpness : transition.targetSharpness) + left.sharpness.displacement
            // A bounce does not part what is felt in two.
            if planned.isOn, !isHandedOver(by: now) { intensity = max(intensity, Timeline.leastIntensity) }
        }
        guard intensity >= Timeline.leastIntensity else { return .off }
        if let plan { intensity = min(intensity, plan.most.value) }
        return Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness))
    }
}
