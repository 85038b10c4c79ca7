// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// The phases of a pattern one after another, of which open ones are played over and over until something ends them.
struct PhasePlan {
    struct Phase {
        let round: StepPlan
        let until: Pattern.Phase.Until
        /// From its start to that of the next one; of an open phase the longest that it may last.
        let length: Nanoseconds
        /// From the start of one round to the next.
        let period: Nanoseconds
        /// The round is felt from its first instant to its last: so is the whole phase, without a gap between the rounds.
        let isHeld: Bool
        /// The actuator is at this level all the time.
        let level: Level?

        var isOpen: Bool { until != .end }

        /// A round takes a millisecond at least for each of its frames, so that a stretch of time has a bounded number of frames.
        fileprivate init(_ phase: PlayablePattern.Phase, gain: Intensity, sharpness: Sharpness?) {
            round = StepPlan(pattern: phase.pattern, train: nil, gain: gain, sharpness: sharpness)
            until = phase.until
            let timeline = phase.pattern.timeline
            let shortest = PlaybackPlan.shortestRound * max(1, timeline.frames.count)
            period = phase.until == .end ? timeline.duration : max(timeline.duration, shortest)
            length = phase.until == .end ? timeline.duration : phase.upTo
            isHeld = timeline.frames.first?.offset == .zero && phase.pattern.passages.count == 1 && timeline.felt == period
            level = nil
        }

        private init(_ phase: Phase, level: Level?) {
            (round, until, length, period, isHeld) = (phase.round, phase.until, phase.length, phase.period, phase.isHeld)
            self.level = level
        }

        /// Where an open phase comes to one level on this kind of actuator, nothing of it has to be looked at again and again.
        fileprivate func fitted(to capabilities: ActuatorCapabilities) -> Phase {
            guard isOpen, isHeld else { return self }
            var (cursor, only) = (StepPlan.Cursor(round), Level?.none)
            // Only the last frame is off.
            while let level = cursor.peek(round)?.level, level.isOn {
                let fitted = capabilities.fitted(level)
                guard only == nil || only == fitted else { return self }
                only = fitted
                cursor.advance(round)
            }
            return Phase(self, level: only)
        }
    }

    let phases: [Phase]

    fileprivate init(_ phases: [Phase]) { self.phases = phases }

    init(_ phases: [PlayablePattern.Phase], gain: Intensity, sharpness: Sharpness?) {
        self.phases = phases.map { Phase($0, gain: gain, sharpness: sharpness) }
    }

    /// The frames of each phase once, and the off that ends it.
    var frameCount: Int { phases.reduce(0) { $0 + $1.round.frameCount + 1 } }
    var length: Nanoseconds { phases.reduce(.zero) { $0 + $1.length } }
    var peak: Intensity { phases.reduce(.zero) { max($0, $1.round.pattern.timeline.peak * $1.round.gain) } }

    /// The same, as far as it differs on this kind of actuator.
    func fitted(to capabilities: ActuatorCapabilities) -> PhasePlan { PhasePlan(phases.map { $0.fitted(to: capabilities) }) }

    /// What there is to play once the phase at `offset` is ended by what it lasts `until`: maybe nothing. Nil: it does not wait for this.
    func rest(after until: Pattern.Phase.Until, at offset: Nanoseconds) -> PhasePlan? {
        guard let (index, _) = phase(at: offset), phases[index].until == until else { return nil }
        return PhasePlan(Array(phases[(index + 1)...]))
    }

    func motion(at offset: Nanoseconds) -> Motion? {
        guard let (index, start) = phase(at: offset) else { return nil }
        let phase = phases[index]
        let elapsed = offset - start
        guard phase.isOpen else { return phase.round.motion(at: elapsed) }
        return phase.round.motion(at: Nanoseconds(elapsed.count % phase.period.count))
    }

    var opening: PlaybackPlan.Opening? {
        guard let first = phases.first, var opening = first.round.opening else { return nil }
        if first.isHeld { opening.end = first.length }
        return opening
    }

    /// Its index and its start.
    private func phase(at offset: Nanoseconds) -> (index: Int, start: Nanoseconds)? {
        var start = Nanoseconds.zero
        for index in phases.indices {
            if offset < start + phases[index].length { return (index, start) }
            start += phases[index].length
        }
        return nil
    }
}

extension PhasePlan {
    /// Walks the frames in order of time.
    struct Cursor {
        /// The next frame, its offset from the start of the plan; nil at the end.
        private(set) var next: Timeline.Frame?
        private var phase = 0
        /// That of the phase, and that of its round, from the start of the plan.
        private var phaseStart = Nanoseconds.zero
        private var roundStart = Nanoseconds.zero
        private var round: StepPlan.Cursor?
        private var isOn = false

        init(_ plan: PhasePlan) {
            round = plan.phases.first.map { StepPlan.Cursor($0.round) }
            advance(plan)
        }

        mutating func advance(_ plan: PhasePlan) {
            next = nil
            while next == nil, phase < plan.phases.count {
                let end = phaseStart + plan.phases[phase].length
                if let frame = takeFrame(of: plan.phases[phase], before: end) {
                    (next, isOn) = (frame, frame.level.isOn)
                } else {
                    beginNextPhase(plan, at: end)
                    // What is on at the end of a phase goes off there, unless the next one begins with an on.
                    let goesOn = round.flatMap { $0.peek(plan.phases[phase].round)?.offset } == .zero
                    if isOn, !goesOn { (next, isOn) = (Timeline.Frame(offset: end, level: .off), false) }
                }
            }
        }

        private mutating func takeFrame(of phase: Phase, before end: Nanoseconds) -> Timeline.Frame? {
            if let level = phase.level {
                defer { round = nil }
                return round.map { _ in Timeline.Frame(offset: roundStart, level: level) }
            }
            while roundStart < end {
                if let frame = round?.peek(phase.round) {
                    let offset = roundStart + frame.offset
                    guard offset < end else { return nil }
                    round?.advance(phase.round)
                    // The next round goes on where this one ends.
                    if phase.isOpen, phase.isHeld, !frame.level.isOn { continue }
                    return Timeline.Frame(offset: offset, level: frame.level)
                }
                guard phase.isOpen else { return nil }
                roundStart += phase.period
                round = StepPlan.Cursor(phase.round)
            }
            return nil
        }

        private mutating func beginNextPhase(_ plan: PhasePlan, at start: Nanoseconds) {
            phase += 1
            (phaseStart, roundStart) = (start, start)
            round = phase < plan.phases.count ? StepPlan.Cursor(plan.phases[phase].round) : nil
        }
    }
}
