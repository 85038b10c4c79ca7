// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// The phases of a pattern one after another, of which open ones are played over and over until something ends them.
package struct PhasePlan {
    struct Phase {
        /// Its position in the pattern: that in a plan is less where phases before it have ended before their time.
        let number: Int
        let round: StepPlan
        let until: Pattern.Phase.Until
        /// From its start to that of the next one; of an open phase the longest that it may last.
        let length: Nanoseconds
        /// From the start of one round to the next.
        let period: Nanoseconds
        /// The round is on at its first instant and at its last: there is no gap between the rounds.
        let isSeamless: Bool
        /// And all the time between: so is the whole phase.
        let isHeld: Bool
        /// The actuator is at this level all the time.
        let level: Level?

        var isOpen: Bool { until != .end }

        /// A round takes this long at least for each of its frames, so that a stretch of time has a bounded number of frames.
        private static let leastTimePerFrame = Nanoseconds.milliseconds(1)

        fileprivate init(_ number: Int, _ phase: PlayablePattern.Phase, gain: Gain, sharpness: Sharpness?) {
            self.number = number
            round = StepPlan(pattern: phase.pattern, train: nil, gain: gain, sharpness: sharpness)
            until = phase.until
            let timeline = phase.pattern.timeline
            let shortest = Self.leastTimePerFrame * max(1, timeline.frames.count)
            period = phase.until == .end ? timeline.duration : max(timeline.duration, shortest)
            length = phase.until == .end ? timeline.duration : phase.upTo
            isSeamless = timeline.frames.first?.offset == .zero && timeline.felt == period
            isHeld = isSeamless && phase.pattern.passages.count == 1
            level = nil
        }

        private init(_ phase: Phase, level: Level?) {
            (number, round, until) = (phase.number, phase.round, phase.until)
            (length, period, isSeamless, isHeld) = (phase.length, phase.period, phase.isSeamless, phase.isHeld)
            self.level = level
        }

        /// When the round began that plays `elapsed` after the start of the phase.
        fileprivate func roundStart(after elapsed: Nanoseconds) -> Nanoseconds {
            isOpen ? period * Int(elapsed.count / period.count) : .zero
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

    init(_ phases: [PlayablePattern.Phase], gain: Gain, sharpness: Sharpness?) {
        self.phases = phases.enumerated().map { Phase($0, $1, gain: gain, sharpness: sharpness) }
    }

    /// The frames of each phase once, and the off that ends it.
    var frameCount: Int { phases.reduce(0) { $0 + $1.round.frameCount + 1 } }
    var length: Nanoseconds { phases.reduce(.zero) { $0 + $1.length } }
    var peak: Intensity { phases.reduce(.zero) { max($0, $1.round.pattern.timeline.peak * $1.round.gain) } }

    /// The same, as far as it differs on this kind of actuator.
    func fitted(to capabilities: ActuatorCapabilities) -> PhasePlan { PhasePlan(phases.map { $0.fitted(to: capabilities) }) }

    /// What becomes of a plan of which open phases end before their time.
    enum Shortened<Plan> {
        /// The present phase has ended: what there is to play from now on, maybe nothing.
        case now(Plan)
        /// Nothing changes before the phase at `index`, which was to begin at `offset`.
        case later(Plan, index: Int, offset: Nanoseconds)
    }

    /// The number of the open phase that ends with what it lasts `until`: that at `offset`, or else the next one that waits for it.
    /// `offset` is below 0 where the plan has not begun.
    func phase(endedBy until: Pattern.Phase.Until, at offset: Nanoseconds) -> Int? {
        guard let (index, _) = phase(at: offset) else { return nil }
        return phases[index...].first { $0.until == until }?.number
    }

    /// The plan without the open phases up to `number` that last `until` this, as far as they are not over at `offset`. Nil: there are none.
    func shortened(past until: Pattern.Phase.Until, through number: Int, at offset: Nanoseconds) -> Shortened<PhasePlan>? {
        guard let (present, start) = phase(at: offset) else { return nil }
        let ends = { (phase: Phase) in phase.until == until && phase.number <= number }
        guard let first = phases[present...].firstIndex(where: ends) else { return nil }
        let remainder = phases[first...].filter { !ends($0) }
        if first == present, start <= offset { return .now(PhasePlan(remainder)) }
        return .later(PhasePlan(phases[..<first] + remainder), index: first, offset: self.start(of: first))
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
        opening.end = first.isHeld ? first.length : min(opening.end, first.length)
        return opening
    }

    /// What is felt without a break at `offset`.
    func stretch(at offset: Nanoseconds) -> PlaybackPlan.Stretch? {
        guard let (index, start) = phase(at: offset), offset >= start else { return nil }
        let phase = phases[index]
        let roundStart = phase.roundStart(after: offset - start)
        guard var stretch = phase.round.stretch(at: offset - start - roundStart) else { return nil }
        if let level = phase.level { stretch.level = level }
        let end = start + phase.length
        stretch.start = phase.isHeld ? start : start + roundStart + stretch.start
        stretch.end = phase.isHeld ? end : min(end, start + roundStart + stretch.end)
        return stretch
    }

    /// From the start to where nothing more is felt, if no phase ends before its time.
    var feltLength: Nanoseconds {
        var (start, felt) = (Nanoseconds.zero, Nanoseconds.zero)
        for index in phases.indices {
            felt = max(felt, start + (phases[index].isOpen ? phases[index].length : phases[index].round.pattern.timeline.felt))
            start += phases[index].length
        }
        return felt
    }

    private func start(of index: Int) -> Nanoseconds { phases[..<index].reduce(.zero) { $0 + $1.length } }

    /// Its index and its start; before the plan the first one.
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
        /// When the open phases begin of which `next` is the first frame, or the off before it: the first of them and the last.
        private(set) var openings: ClosedRange<Nanoseconds>?
        private var phase: Int
        /// That of the phase, and that of its round, from the start of the plan.
        private var phaseStart: Nanoseconds
        private var roundStart: Nanoseconds
        private var round: StepPlan.Cursor?
        private var isOn: Bool

        /// From the start of the phase at `index`. `isOn`: what was before it has not gone off.
        init(_ plan: PhasePlan, from index: Int = 0, isOn: Bool = false) {
            (phase, self.isOn) = (index, isOn)
            phaseStart = plan.start(of: index)
            roundStart = phaseStart
            enterPhase(plan)
            if next == nil { findNext(plan) }
        }

        /// At the first frame at `offset` or later.
        init(_ plan: PhasePlan, at offset: Nanoseconds) {
            let (index, start) = plan.phase(at: offset) ?? (plan.phases.count, plan.length)
            // What is on to the end of the phase before goes off at the start of this one.
            let wasOn = index > 0 && (plan.phases[index - 1].isHeld || plan.stretch(at: start - Nanoseconds(1)) != nil)
            self.init(plan, from: index, isOn: offset <= start && wasOn)
            guard index < plan.phases.count, offset > start else { return }
            let present = plan.phases[index]
            (phase, phaseStart, roundStart) = (index, start, start + present.roundStart(after: offset - start))
            isOn = present.isHeld || plan.stretch(at: offset) != nil
            // One that is at one level all the time has said so at its start.
            round = present.level == nil ? StepPlan.Cursor(present.round, at: offset - roundStart) : nil
            (next, openings) = (nil, nil)
            // What is on to the end of the round before goes off where this one begins with silence.
            let endsNow = offset == roundStart && !present.isHeld && plan.stretch(at: offset - Nanoseconds(1)) != nil
            if endsNow, !isOn { next = Timeline.Frame(offset: offset, level: .off) } else { findNext(plan) }
        }

        /// `plan` takes the place of the present one, which is the same up to the phase at `index`; that has not begun. `isOn`: what the
        /// frame before `next` has left on.
        mutating func replacePlan(with plan: PhasePlan, from index: Int, isOn: Bool) {
            // As in `findNext`: what lasts ends where the next one begins, however faint it is.
            let lasts = index > 0 && plan.phases[index - 1].level != nil
            if phase >= index { self = Self(plan, from: index, isOn: isOn || lasts) }
        }

        mutating func advance(_ plan: PhasePlan) {
            (next, openings) = (nil, nil)
            findNext(plan)
        }

        private mutating func findNext(_ plan: PhasePlan) {
            while next == nil, phase < plan.phases.count {
                let end = phaseStart + plan.phases[phase].length
                if let frame = takeFrame(of: plan.phases[phase], before: end) {
                    // What lasts, lasts also where its one level is too faint for this actuator.
                    (next, isOn) = (frame, frame.level.isOn || plan.phases[phase].level != nil)
                } else {
                    phase += 1
                    (phaseStart, roundStart) = (end, end)
                    enterPhase(plan)
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
                    if phase.isOpen, phase.isSeamless, frame.offset == phase.period { continue }
                    return Timeline.Frame(offset: offset, level: frame.level)
                }
                guard phase.isOpen else { return nil }
                roundStart += phase.period
                round = StepPlan.Cursor(phase.round)
            }
            return nil
        }

        private mutating func enterPhase(_ plan: PhasePlan) {
            let entered = phase < plan.phases.count ? plan.phases[phase] : nil
            round = entered.map { StepPlan.Cursor($0.round) }
            if entered?.isOpen == true { openings = (openings?.lowerBound ?? phaseStart)...phaseStart }
            // What is on at the end of a phase goes off there, unless the next one begins with an on.
            let staysOn = entered.flatMap { round?.peek($0.round)?.offset } == .zero
            if isOn, !staysOn { (next, isOn) = (Timeline.Frame(offset: phaseStart, level: .off), false) }
        }
    }
}
