// SPDX-License-Identifier: MIT
import HapticCore

/// Finds out that the rounds of a repetition recur, so that a preview need not look at all of them.
///
/// A motor that is in the same state at the beginning of two rounds does the same after both. The rounds between them are a cycle, and
/// all whole cycles up to the last round can be left out: only the counts of what came of them are added. One round is held against
/// all that follow, up to twice as many as before it (Brent's method), so a cycle of several rounds is found, too.
struct RoundWatch {
    /// The beginning of a round.
    private struct Mark {
        let round: Int
        let state: MotorOutput.RelativeState
        let counts: MotorLimiter.Counts
    }

    private let times: Int
    /// What it takes to look at one more round, see `WorkBudget`.
    private let roundCost: Int
    private var round = 0
    private var mark: Mark?
    /// The cycles that were left out, and the counts before and after one of them.
    private var leftOut: (cycles: Int, before: MotorLimiter.Counts, after: MotorLimiter.Counts)?

    /// `nil`: `plan` repeats nothing, or its rounds are too few to leave any out.
    init?(_ plan: PlaybackPlan, roundCost: Int) {
        guard case .repeated(_, let times) = plan, times > PlaybackPlan.leastRounds else { return nil }
        (self.times, self.roundCost) = (times, roundCost)
    }

    /// Looks whether a round begins in `course`, whose last frame came at `now` and has made `output` what it is, and leaves out of it what
    /// recurs. Returns false if `work` has too little left for one more round.
    mutating func observe(_ course: inout Course, _ output: MotorOutput, at now: MonotonicInstant, work: inout WorkBudget) -> Bool
    {
        guard let present = course.round, present > round else { return true }
        let unpaid = min(present, times - 1) - max(round, PlaybackPlan.leastRounds - 1)
        round = present
        if unpaid > 0, !work.take(unpaid * roundCost) { return false }
        guard leftOut == nil, present < times - 1, let state = output.relativeState(at: now) else { return true }
        if let mark, mark.state == state {
            let length = present - mark.round
            let cycles = (times - 1 - present) / length
            course.leaveOut(rounds: cycles * length)
            leftOut = (cycles, mark.counts, output.counts)
        } else if present & (present - 1) == 0 {
            mark = Mark(round: present, state: state, counts: output.counts)
        }
        return true
    }

    /// `counts` with what came of the rounds that were left out.
    func whole(_ counts: MotorLimiter.Counts) -> MotorLimiter.Counts {
        guard let leftOut else { return counts }
        return counts.adding(leftOut.cycles, from: leftOut.before, to: leftOut.after)
    }
}
