// SPDX-License-Identifier: MIT
internal import HapticCore

/// What a device can be made to do.
enum FFOperation: Hashable, Sendable {
    /// Play from the start, in place of what plays.
    case play(FFEffect)
    case stop
}

/// What levels become on a device that plays effects: a value, one thread, no clock and no allocation.
///
/// A run that the device can play as a whole is started once. From then on each level is only compared with what the run says;
/// when one differs (the playback was scaled again, another one took over) it is shown by itself.
struct EvdevPlayer: Sendable {
    /// By how much a level may differ from its run and still belong to it.
    private static let sameLevel = 0.01

    let mapping: FFMapping
    private let plans: [RunPlan]
    private var onTime: OnTimeGuard
    private var following: Following?
    private var playing: FFEffect?
    /// `distantFuture` where nothing plays or it ends by itself.
    private var renewal = MonotonicInstant.distantFuture

    /// A run under way.
    private struct Following {
        let plan: Int
        let start: MonotonicInstant
        let scale: Double
        /// Where the playback has one of its own.
        let sharpness: Sharpness?
        var frame = 0
    }

    /// `runs`: a `RunIndex` is an index in them. Fits each of them to the device, so not for the timing path.
    init(_ mapping: FFMapping, runs: [Run], maxOn: Nanoseconds?) {
        self.mapping = mapping
        plans = runs.map { RunPlan($0, mapping) }
        onTime = OnTimeGuard(maxOn: maxOn)
    }

    /// When `advance` is due; `distantFuture` where it is not.
    var nextDeadline: MonotonicInstant { min(onTime.deadline, renewal) }

    /// What to do for `level`; nil: nothing, for it is what plays.
    mutating func apply(
        _ level: Level, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) -> FFOperation? {
        let level = onTime.admit(DrivenLevel(level), at: now).level
        guard level.isOn else { return stop() }
        if let run, begin(run, level, planned) {
            if let whole = whole() { return play(whole, isLevel: false, at: now) }
        } else {
            follow(level, planned)
            if following != nil, whole() != nil { return nil }
        }
        let effect = mapping.effect(of: step() ?? level)
        return effect == playing ? nil : play(effect, isLevel: true, at: now)
    }

    mutating func advance(to now: MonotonicInstant) -> (FFOperation?, AdvanceResult) {
        if onTime.cutsOff(at: now) { return (stop(), .cutOff) }
        guard renewal <= now, let playing else { return (nil, .kept) }
        return (play(playing, isLevel: true, at: now), .kept)
    }

    /// Off in any case, and free to go on again.
    mutating func switchOff(at now: MonotonicInstant) -> FFOperation {
        _ = onTime.admit(.off, at: now)
        _ = stop()
        return .stop
    }

    // MARK: Runs

    /// True where `level` is the first one of `run`, scaled.
    private mutating func begin(_ run: RunIndex, _ level: Level, _ planned: MonotonicInstant) -> Bool {
        following = nil
        guard plans.indices.contains(run.value) else { return false }
        let first = plans[run.value].frames[0].level
        let hasOwnSharpness = abs(first.sharpness.value - level.sharpness.value) > Self.sameLevel
        following = Following(
            plan: run.value, start: planned, scale: level.intensity.value / first.intensity.value,
            sharpness: hasOwnSharpness ? level.sharpness : nil)
        return true
    }

    /// Goes on to the frame of `planned`, and leaves the run where `level` is not what it says there.
    private mutating func follow(_ level: Level, _ planned: MonotonicInstant) {
        guard var following else { return }
        let plan = plans[following.plan]
        while following.frame + 1 < plan.frames.count, plan.frames[following.frame + 1].offset <= planned - following.start {
            following.frame += 1
        }
        let expected = plan.frames[following.frame].level
        let intensity = min(expected.intensity.value * following.scale, 1)
        let sharpness = following.sharpness ?? expected.sharpness
        let isSame =
            abs(level.intensity.value - intensity) <= Self.sameLevel
            && abs(level.sharpness.value - sharpness.value) <= Self.sameLevel
        self.following = isSame ? following : nil
    }

    /// What the run under way is played by; nil where there is none or it goes level by level.
    private func whole() -> FFEffect? {
        guard let following, case .whole(let shape) = plans[following.plan].form else { return nil }
        return mapping.effect(of: shape, scale: following.scale, sharpness: following.sharpness)
    }

    /// The level that stands for the present one in a run that goes level by level.
    private func step() -> Level? {
        guard let following, case .steps(let levels) = plans[following.plan].form, following.frame < levels.count else {
            return nil
        }
        let level = levels[following.frame]
        return Level(
            intensity: Intensity(clamping: level.intensity.value * following.scale),
            sharpness: following.sharpness ?? level.sharpness)
    }

    // MARK: Effects

    private mutating func play(_ effect: FFEffect, isLevel: Bool, at now: MonotonicInstant) -> FFOperation {
        playing = effect
        renewal = isLevel ? now + FFMapping.renewal : .distantFuture
        return .play(effect)
    }

    private mutating func stop() -> FFOperation? {
        following = nil
        renewal = .distantFuture
        guard playing != nil else { return nil }
        playing = nil
        return .stop
    }
}
