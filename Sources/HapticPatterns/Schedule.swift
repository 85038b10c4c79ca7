// SPDX-License-Identifier: MIT
internal import HapticCore

/// A part of a track or curve between two of its points.
struct Stretch {
    var start: Nanoseconds
    var end: Nanoseconds
    /// What it gives stays the same in it.
    var isConstant: Bool
    /// What one look at it costs, see `WorkBudget`.
    var cost: Int
}

/// Where the level of a pattern may change: what rendering it comes to, known before it is done.
struct Schedule: Hashable, Sendable {
    /// How often a gliding level is sampled.
    static let frameInterval = Timeline.frameInterval

    /// An end of stretches.
    private struct Turn: Hashable {
        var at: Nanoseconds
        /// How many gliding stretches begin here, less those that end.
        var gliding = 0
        /// What the stretches that begin here cost at each frame, less those that end.
        var cost = 0
    }

    /// In ascending order of time, each once, up to the end of the pattern.
    private let turns: [Turn]

    /// `forEachStretch` calls its argument with each stretch of each track and curve. O(stretches · log(stretches)).
    init(duration: Nanoseconds, forEachStretch: ((Stretch) -> Void) -> Void) {
        var ends = [Turn(at: .zero), Turn(at: duration)]
        forEachStretch { stretch in
            let gliding = stretch.isConstant ? 0 : 1
            ends.append(Turn(at: stretch.start, gliding: gliding, cost: stretch.cost))
            ends.append(Turn(at: stretch.end, gliding: -gliding, cost: -stretch.cost))
        }
        ends.sort { $0.at < $1.at }
        var turns: [Turn] = []
        for end in ends where end.at <= duration {
            if turns.last?.at == end.at {
                turns[turns.count - 1].gliding += end.gliding
                turns[turns.count - 1].cost += end.cost
            } else {
                turns.append(end)
            }
        }
        self.turns = turns
    }

    /// What it takes to look at all that sounds, at each offset.
    var cost: Int {
        var (sum, gliding, sounding) = (0, 0, 0)
        for (index, turn) in turns.enumerated() {
            gliding += turn.gliding
            sounding += turn.cost
            var frames = 1
            if gliding > 0, index + 1 < turns.count {
                frames += Int((turns[index + 1].at - turn.at).count - 1) / Int(Self.frameInterval.count)
            }
            sum += frames * (WorkBudget.Cost.frame + sounding)
        }
        return sum
    }

    /// The same as stretches, none of which overlap: what sounds at once is one.
    func forEachStretch(_ body: (Stretch) -> Void) {
        var (gliding, cost) = (0, 0)
        for (turn, next) in zip(turns, turns.dropFirst()) {
            gliding += turn.gliding
            cost += turn.cost
            body(Stretch(start: turn.at, end: next.at, isConstant: gliding == 0, cost: cost))
        }
    }

    /// In ascending order: the ends of all stretches, and between two of them, where anything glides, every `frameInterval` from
    /// the first.
    func forEachOffset(_ body: (Nanoseconds) -> Void) {
        var gliding = 0
        for (index, turn) in turns.enumerated() {
            body(turn.at)
            gliding += turn.gliding
            guard gliding > 0, index + 1 < turns.count else { continue }
            var offset = turn.at + Self.frameInterval
            while offset < turns[index + 1].at {
                body(offset)
                offset = offset + Self.frameInterval
            }
        }
    }
}
