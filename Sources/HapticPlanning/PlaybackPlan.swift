// SPDX-License-Identifier: MIT
package import HapticCore
import HapticPatterns

/// What is to be played, from the start. At most a year long.
package enum PlaybackPlan {
    case steps(StepPlan)
    /// Of a pattern with open phases.
    case phases(PhasePlan)
    /// So many times over.
    case repeated(StepPlan, times: Int)
    /// A value that is followed.
    case followed(FollowPlan)

    /// What is played over and over, or in steps, has each of its phases once; the service asks for no such thing.
    package init(pattern: PlayablePattern, train: StepTrain?, repetitions: Int, gain: Gain, sharpness: Sharpness?) {
        if train == nil, repetitions == 1, !pattern.phases.isEmpty {
            self = .phases(PhasePlan(pattern.phases, gain: gain, sharpness: sharpness))
            return
        }
        let plan = StepPlan(pattern: pattern, train: train, gain: gain, sharpness: sharpness)
        self = repetitions == 1 ? .steps(plan) : .repeated(plan, times: repetitions)
    }

    // MARK: Measures

    /// How often a pattern is played.
    package var steps: Int {
        switch self {
        case .steps(let plan): plan.steps
        case .phases, .followed: 1
        case .repeated(let plan, let times): plan.steps * times
        }
    }

    /// The frames that a preview looks at; of open phases each once.
    var frameCount: Int {
        switch self {
        case .steps(let plan): plan.frameCount
        case .phases(let plan): plan.frameCount
        case .repeated(let plan, let times): plan.frameCount * times
        case .followed(let plan): plan.frameCount
        }
    }

    /// To its end, silence included; of open phases the longest that they may last.
    var length: Nanoseconds {
        switch self {
        case .steps(let plan): plan.length
        case .phases(let plan): plan.length
        case .repeated(let plan, let times): plan.period * (times - 1) + plan.length
        case .followed: FollowPlan.length
        }
    }

    /// The peak of what is felt.
    package var peak: Intensity {
        switch self {
        case .steps(let plan), .repeated(let plan, _): plan.pattern.timeline.peak * plan.gain
        case .phases(let plan): plan.peak
        case .followed(let plan): plan.peak
        }
    }

    /// The rounds of a repetition that a preview looks at before it can see that the motor does the same again: until one begins, a
    /// whole one, and the last.
    static let leastRounds = 3

    /// What it takes to look at it for an actuator with `limits`, and to begin it there: see `WorkBudget`. `isFitted`: to its motor.
    /// `hasHeat`: that is known to get hot. Further rounds than `leastRounds` a preview pays for as it goes, unless the motor gets hot.
    func cost(within limits: MotorLimits, isFitted: Bool = false, hasHeat: Bool = false) -> Int {
        if case .repeated(let plan, let times) = self, times > Self.leastRounds, !hasHeat {
            return PlaybackPlan.repeated(plan, times: Self.leastRounds).cost(within: limits, isFitted: isFitted)
        }
        var cost = WorkBudget.Cost.actuator + frameCount * WorkBudget.Cost.frame(isFitted: isFitted, hasHeat: hasHeat)
        // Whether a phase comes to one level is looked for by the preview, and by what begins.
        if case .phases = self { cost += 2 * frameCount * WorkBudget.Cost.entry }
        guard limits.duty < .one else { return cost }
        // The ledger goes on by a bucket at a time, at each pulse by a window at most.
        let length =
            switch self {
            case .steps(let plan): plan.period
            case .phases(let plan): plan.length
            case .repeated(let plan, let times): plan.period * times
            case .followed: FollowPlan.length
            }
        let buckets = Int(length.count / DutyLedger.bucket.count)
        let bucketsOfWindow = Int(MotorLimits.dutyWindow.count / DutyLedger.bucket.count)
        return cost + min(frameCount * bucketsOfWindow, buckets)
    }
}

extension PlaybackPlan {
    /// What it takes to look at one more round of a repetition.
    func roundCost(within limits: MotorLimits, isFitted: Bool) -> Int? {
        guard case .repeated(let plan, _) = self else { return nil }
        let cost = PlaybackPlan.repeated(plan, times: 1).cost(within: limits, isFitted: isFitted)
        return cost - WorkBudget.Cost.actuator + WorkBudget.Cost.comparedRound
    }

    /// Walks the frames of a plan in order of time, and takes no memory of its own.
    enum Cursor {
        case steps(StepPlan.Cursor)
        case phases(PhasePlan.Cursor)
        case repeated(round: Int, StepPlan.Cursor)
        case followed(FollowPlan.Cursor)

        init(_ plan: PlaybackPlan) {
            switch plan {
            case .steps(let plan): self = .steps(.init(plan))
            case .phases(let plan): self = .phases(.init(plan))
            case .repeated(let plan, _): self = .repeated(round: 0, .init(plan))
            case .followed(let plan): self = .followed(.init(plan, at: .zero))
            }
        }

        /// The next frame, its offset from the start of the plan; nil at the end.
        func peek(_ plan: PlaybackPlan) -> Timeline.Frame? {
            switch (self, plan) {
            case (.steps(let cursor), .steps(let plan)): return cursor.peek(plan)
            case (.phases(let cursor), .phases): return cursor.next
            case (.followed(let cursor), .followed(let plan)): return cursor.peek(plan)
            case (.repeated(let round, let cursor), .repeated(let plan, let times)):
                guard round < times, var frame = cursor.peek(plan) else { return nil }
                frame.offset += plan.period * round
                return frame
            // trap: a cursor is used with the plan that it was made for.
            default: preconditionFailure("a cursor is used with the plan that it was made for")
            }
        }

        /// The run that begins with the next frame.
        func run(_ plan: PlaybackPlan) -> RunIndex? {
            switch (self, plan) {
            case (.steps(let cursor), .steps(let plan)), (.repeated(_, let cursor), .repeated(let plan, _)): cursor.run(plan)
            default: nil
            }
        }

        /// When the open phases begin, from the start of the plan, of which `peek` is the first frame or the off before it.
        var openings: ClosedRange<Nanoseconds>? { if case .phases(let cursor) = self { cursor.openings } else { nil } }

        /// `plan` takes the place of the present one: see `PhasePlan.Cursor`.
        mutating func replacePlan(with plan: PlaybackPlan, from index: Int, isOn: Bool) {
            guard case (.phases(var cursor), .phases(let plan)) = (self, plan) else { return }
            cursor.replacePlan(with: plan, from: index, isOn: isOn)
            self = .phases(cursor)
        }

        /// Goes on behind the next frame. Returns the one after that, as `peek`.
        @discardableResult
        mutating func advance(_ plan: PlaybackPlan) -> Timeline.Frame? {
            // One switch within the other: a pair of both is a copy of both.
            switch self {
            case .steps(var cursor):
                guard case .steps(let plan) = plan else { return nil }
                cursor.advance(plan)
                self = .steps(cursor)
                return cursor.peek(plan)
            case .phases(var cursor):
                guard case .phases(let plan) = plan else { return nil }
                cursor.advance(plan)
                self = .phases(cursor)
                return cursor.next
            case .repeated(var round, var cursor):
                guard case .repeated(let plan, let times) = plan else { return nil }
                cursor.advance(plan)
                var frame = cursor.peek(plan)
                if frame == nil {
                    (round, cursor) = (round + 1, .init(plan))
                    frame = round < times ? cursor.peek(plan) : nil
                }
                self = .repeated(round: round, cursor)
                frame?.offset += plan.period * round
                return frame
            case .followed(var cursor):
                guard case .followed(let plan) = plan else { return nil }
                cursor.advance(plan)
                self = .followed(cursor)
                return cursor.peek(plan)
            }
        }
    }
}
