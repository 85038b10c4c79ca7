// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// A plan that is taken up in the middle.
extension PlaybackPlan {
    /// What is felt without a break at some offset: from an on to the next off.
    struct Stretch {
        /// At that offset.
        var level: Level
        /// From the start of the plan.
        var start: Nanoseconds
        var end: Nanoseconds
        /// Through this the pattern goes over from what was felt before.
        let spring: Spring

        /// Half of it is no news; it is felt from its start or not at all.
        var isImpact: Bool { end - start <= Passage.longestImpact }
    }

    /// Nil: nothing is felt at `offset`.
    func stretch(at offset: Nanoseconds) -> Stretch? {
        switch self {
        case .steps(let plan): return plan.stretch(at: offset)
        case .phases(let plan): return plan.stretch(at: offset)
        case .repeated(let plan, let times):
            let round = plan.round(at: offset)
            guard round < times else { return nil }
            let start = plan.period * round
            return plan.stretch(at: offset - start)?.delayed(by: start)
        // It is said again or it is over; it never waits for its actuator.
        case .followed: return nil
        }
    }

    /// From the start to where nothing more is felt; of open phases at the latest.
    var feltLength: Nanoseconds {
        switch self {
        case .steps(let plan): plan.feltLength
        case .phases(let plan): plan.feltLength
        case .repeated(let plan, let times): plan.period * (times - 1) + plan.feltLength
        case .followed: FollowPlan.length
        }
    }
}

extension StepPlan {
    /// The number of the repetition that has begun last by `offset`.
    fileprivate func round(at offset: Nanoseconds) -> Int { period > .zero ? Int(max(0, offset.count) / period.count) : 0 }
}

extension PlaybackPlan.Stretch {
    fileprivate func delayed(by time: Nanoseconds) -> Self {
        var delayed = self
        (delayed.start, delayed.end) = (start + time, end + time)
        return delayed
    }
}

extension PlaybackPlan.Cursor {
    /// At the first frame at `offset` or later. What it costs does not depend on how far that is.
    init(_ plan: PlaybackPlan, at offset: Nanoseconds) {
        switch plan {
        case .steps(let plan): self = .steps(.init(plan, at: offset))
        case .phases(let plan): self = .phases(.init(plan, at: offset))
        case .repeated(let plan, _):
            // What ends a round comes where the next one begins.
            let round = plan.round(at: offset - Nanoseconds(1))
            let cursor = StepPlan.Cursor(plan, at: offset - plan.period * round)
            // Nothing of this round is left.
            self = cursor.peek(plan) == nil ? .repeated(round: round + 1, .init(plan)) : .repeated(round: round, cursor)
        case .followed(let plan): self = .followed(.init(plan, at: offset))
        }
    }
}
