// SPDX-License-Identifier: MIT
internal import HapticCore

/// Looks for the level at which three of four answers are yes: the weighted up-down method (Kaernbach, "Simple adaptive testing
/// with the weighted up-down method", Perception & Psychophysics 49, 1991).
///
/// A yes lowers the level by one step, a no raises it by three, so that it settles where a yes is three times as likely as a no. Steps are
/// halved after each no until they are `finest`; what counts are the turns from then on (Levitt 1971 calls them reversals).
struct Staircase: Hashable, Sendable {
    /// Turns at the finest step that are enough.
    static let turnsWanted = 6
    /// Answers after which it ends in any case.
    static let mostAnswers = 26
    /// So many no at the highest level say that there is nothing to be found.
    static let mostMisses = 3
    /// So many yes at the lowest level say that it is that or less.
    static let mostEasy = 3

    let range: ClosedRange<Double>
    private let finest: Double
    private var step: Double
    /// What to ask about next.
    private(set) var level: Double
    private(set) var answers = 0
    private(set) var turns: [Double] = []
    private var wentDown: Bool?
    private var misses = 0
    private var easy = 0

    /// The steps are more than 0; `start` should be easy, and within `range`.
    init(range: ClosedRange<Double>, start: Double, step: Double, finest: Double) {
        self.range = range
        self.finest = finest
        self.step = step
        level = start
    }

    /// The highest level is not enough.
    var isHopeless: Bool { misses >= Self.mostMisses }
    private var isLowest: Bool { easy >= Self.mostEasy }
    var isOver: Bool { isHopeless || isLowest || turns.count >= Self.turnsWanted || answers >= Self.mostAnswers }

    mutating func answer(_ isYes: Bool) {
        answers += 1
        misses = !isYes && level >= range.upperBound ? misses + 1 : 0
        easy = isYes && level <= range.lowerBound ? easy + 1 : 0
        if let wentDown, wentDown != isYes, step <= finest { turns.append(level) }
        wentDown = isYes
        if !isYes { step = max(finest, step / 2) }
        level = min(max(level + (isYes ? -step : 3 * step), range.lowerBound), range.upperBound)
    }

    /// The mean of the turns, and how far they are from it on average (the standard deviation). Nil: there are too few of them, or the highest
    /// level was not enough.
    var result: (mean: Double, spread: Double)? {
        if isLowest { return (range.lowerBound, 0) }
        guard !isHopeless, turns.count >= 2 else { return nil }
        // As many upper ones as lower ones.
        let counted = turns.suffix(turns.count / 2 * 2)
        let mean = counted.reduce(0, +) / Double(counted.count)
        let variance = counted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(counted.count)
        return (mean, variance.squareRoot())
    }
}
