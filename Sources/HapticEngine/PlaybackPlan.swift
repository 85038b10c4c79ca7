// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What is to be played, from the start: parts one after another, at the same time, or over and over. At most a year long, or without
/// an end.
enum PlaybackPlan {
    case steps(StepPlan)
    /// Of a pattern with open phases.
    case phases(PhasePlan)
    /// Each begins where the one before ends.
    case sequence([PlaybackPlan])
    /// Their levels add up, as those of a pattern's tracks do.
    case together([PlaybackPlan])
    /// So many times over; nil: until something ends it.
    indirect case repeated(PlaybackPlan, times: Int?)

    /// A round without an end takes this long at least, so that a stretch of time has a bounded number of rounds.
    static let shortestRound = Nanoseconds.milliseconds(1)

    /// What is played over and over, or in steps, has each of its phases once; the service asks for no such thing.
    init(pattern: PlayablePattern, train: StepTrain?, repetitions: Int, gain: Gain, sharpness: Sharpness?) {
        if train == nil, repetitions == 1, !pattern.phases.isEmpty {
            self = .phases(PhasePlan(pattern.phases, gain: gain, sharpness: sharpness))
            return
        }
        let steps = PlaybackPlan.steps(StepPlan(pattern: pattern, train: train, gain: gain, sharpness: sharpness))
        self = repetitions == 1 ? steps : .repeated(steps, times: repetitions)
    }

    // MARK: Measures

    /// How often a pattern is played; what has no end is counted once.
    var steps: Int {
        switch self {
        case .steps(let plan): plan.steps
        case .phases: 1
        case .sequence(let parts), .together(let parts): parts.reduce(0) { $0 + $1.steps }
        case .repeated(let part, let times): part.steps * (times ?? 1)
        }
    }

    /// The frames that a preview looks at; of what has no end those of one round, of open phases each once.
    var frameCount: Int {
        switch self {
        case .steps(let plan): plan.frameCount
        case .phases(let plan): plan.frameCount
        case .sequence(let parts), .together(let parts): parts.reduce(0) { $0 + $1.frameCount }
        case .repeated(let part, let times): part.frameCount * (times ?? 1)
        }
    }

    /// To its end, silence included; of what has no end one round, of open phases the longest that they may last.
    var length: Nanoseconds {
        switch self {
        case .steps(let plan): plan.length
        case .phases(let plan): plan.length
        case .sequence(let parts): parts.reduce(.zero) { $0 + $1.length }
        case .together(let parts): parts.reduce(.zero) { max($0, $1.length) }
        case .repeated(let part, let times): times.map { part.period * max(0, $0 - 1) + part.length } ?? round
        }
    }

    /// From the start of one repetition to the next.
    var period: Nanoseconds { if case .steps(let plan) = self { plan.period } else { length } }

    /// One of those without an end.
    var round: Nanoseconds {
        guard case .repeated(let part, nil) = self else { return length }
        return max(part.period, Self.shortestRound)
    }

    /// The peak of what is felt.
    var peak: Intensity {
        switch self {
        case .steps(let plan): plan.pattern.timeline.peak * plan.gain
        case .phases(let plan): plan.peak
        case .sequence(let parts): parts.reduce(.zero) { max($0, $1.peak) }
        case .together(let parts): Intensity(clamping: parts.reduce(0) { $0 + $1.peak.value })
        case .repeated(let part, _): part.peak
        }
    }

    /// What it takes to look at all of it for an actuator with `limits`, and to begin it there: see `WorkBudget`. `isFitted`: to its
    /// motor.
    func cost(within limits: MotorLimits, isFitted: Bool = false) -> Int {
        // A frame that is fitted takes about as much again.
        let looking = frameCount * WorkBudget.Cost.previewedFrame * (isFitted ? 2 : 1)
        var cost = WorkBudget.Cost.actuator + looking
        // Whether a phase comes to one level is looked for by the preview, and by what begins.
        if case .phases = self { cost += 2 * frameCount * WorkBudget.Cost.entry }
        guard limits.duty < .one else { return cost }
        // The ledger goes on by a bucket at a time, at each pulse by a window at most.
        let length = if case .repeated(let part, let times?) = self { part.period * times } else { period }
        let buckets = Int(length.count / DutyLedger.bucket.count)
        let bucketsOfWindow = Int(MotorLimits.dutyWindow.count / DutyLedger.bucket.count)
        return cost + looking + min(frameCount * bucketsOfWindow, buckets)
    }
}

extension PlaybackPlan {
    /// Walks the frames of a plan in order of time. One that plays nothing but steps takes no memory of its own.
    enum Cursor {
        case steps(StepPlan.Cursor)
        case phases(PhasePlan.Cursor)
        /// In part `index`, which began at `start`.
        indirect case sequence(index: Int, start: Nanoseconds, Cursor?)
        /// And the level that each part is at.
        case together([Cursor], [Level])
        indirect case repeated(round: Int, Cursor)

        init(_ plan: PlaybackPlan) {
            switch plan {
            case .steps(let plan): self = .steps(.init(plan))
            case .phases(let plan): self = .phases(.init(plan))
            case .sequence(let parts):
                self = .sequence(index: 0, start: .zero, parts.first.map(Cursor.init))
                skipEnded(parts)
            case .together(let parts): self = .together(parts.map(Cursor.init), parts.map { _ in .off })
            case .repeated(let part, _): self = .repeated(round: 0, Cursor(part))
            }
        }

        /// The next frame, its offset from the start of the plan; nil at the end.
        func peek(_ plan: PlaybackPlan) -> Timeline.Frame? {
            switch (self, plan) {
            case (.steps(let cursor), .steps(let plan)): return cursor.peek(plan)
            case (.phases(let cursor), .phases): return cursor.next
            case (.sequence(let index, let start, let cursor), .sequence(let parts)):
                return cursor?.peek(parts[index])?.delayed(by: start)
            case (.together(let cursors, let levels), .together(let parts)):
                let next = zip(cursors, parts).map { $0.peek($1) }
                guard let offset = next.compactMap({ $0?.offset }).min() else { return nil }
                var mixer = LevelMixer()
                for (frame, level) in zip(next, levels) {
                    let level = frame?.offset == offset ? frame?.level ?? level : level
                    mixer.add(level.intensity.value, level.sharpness.value)
                }
                return Timeline.Frame(offset: offset, level: mixer.level(intensityControl: nil, sharpnessControl: nil))
            case (.repeated(let round, let cursor), .repeated(let part, let times)):
                guard round < times ?? .max else { return nil }
                return cursor.peek(part)?.delayed(by: (times == nil ? plan.round : part.period) * round)
            // trap: a cursor is used with the plan that it was made for.
            default: preconditionFailure("a cursor is used with the plan that it was made for")
            }
        }

        /// The run that begins with the next frame; what is at the same time as something else is none.
        func run(_ plan: PlaybackPlan) -> RunIndex? {
            switch (self, plan) {
            case (.steps(let cursor), .steps(let plan)): cursor.run(plan)
            case (.sequence(let index, _, let cursor?), .sequence(let parts)): cursor.run(parts[index])
            case (.repeated(_, let cursor), .repeated(let part, _)): cursor.run(part)
            default: nil
            }
        }

        /// When an open phase begins, from the start of the plan, of which `peek` is the first frame or the off before it.
        var opening: Nanoseconds? { if case .phases(let cursor) = self { cursor.opening } else { nil } }

        /// `plan` takes the place of the present one: see `PhasePlan.Cursor`.
        mutating func goOn(with plan: PlaybackPlan, from index: Int, isOn: Bool) {
            guard case (.phases(var cursor), .phases(let plan)) = (self, plan) else { return }
            cursor.goOn(with: plan, from: index, isOn: isOn)
            self = .phases(cursor)
        }

        mutating func advance(_ plan: PlaybackPlan) {
            switch (self, plan) {
            case (.steps(var cursor), .steps(let plan)):
                cursor.advance(plan)
                self = .steps(cursor)
            case (.phases(var cursor), .phases(let plan)):
                cursor.advance(plan)
                self = .phases(cursor)
            case (.sequence(let index, let start, var cursor?), .sequence(let parts)):
                cursor.advance(parts[index])
                self = .sequence(index: index, start: start, cursor)
                skipEnded(parts)
            case (.together(var cursors, var levels), .together(let parts)):
                let next = zip(cursors, parts).map { $0.peek($1) }
                let offset = next.compactMap { $0?.offset }.min()
                for (index, frame) in next.enumerated() {
                    guard let frame, frame.offset == offset else { continue }
                    levels[index] = frame.level
                    cursors[index].advance(parts[index])
                }
                self = .together(cursors, levels)
            case (.repeated(var round, var cursor), .repeated(let part, _)):
                cursor.advance(part)
                if cursor.peek(part) == nil { (round, cursor) = (round + 1, Cursor(part)) }
                self = .repeated(round: round, cursor)
            default: break
            }
        }

        /// Goes on with the next part where this one has nothing more.
        private mutating func skipEnded(_ parts: [PlaybackPlan]) {
            while case .sequence(let index, let start, let cursor?) = self, cursor.peek(parts[index]) == nil {
                let next = index + 1
                self = .sequence(
                    index: next, start: start + parts[index].length, next < parts.count ? Cursor(parts[next]) : nil)
            }
        }
    }
}

extension Timeline.Frame {
    fileprivate func delayed(by time: Nanoseconds) -> Timeline.Frame { Timeline.Frame(offset: offset + time, level: level) }
}
