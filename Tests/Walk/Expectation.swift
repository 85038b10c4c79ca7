// SPDX-License-Identifier: MIT

/// What one playback is to feel like on one motor: a shape at each of its starts, or phases one after another. All times in nanoseconds
/// from the playback's start.
struct Expectation {
    /// A train of steps, as docs/patterns.md has it.
    struct Train: Sendable {
        var steps: Int
        var length: Int64
        var isCharge: Bool
        /// The first step comes at once, and from one to the next it is `length`.
        var isRhythm = false

        /// The start of step `number`, from 1.
        func offset(_ number: Int) -> Int64 {
            if isRhythm { return length * Int64(number - 1) }
            let share = Double(number) / Double(steps)
            guard isCharge else { return Int64((Double(length) * share).rounded()) }
            // The tick n of 160 at which 0.000035 n² + 0.000665 n is 1.0024 times the share.
            let tick = (-0.000665 + (0.000665 * 0.000665 + 4 * 0.000035 * 1.0024 * share).squareRoot()) / 0.00007
            return Int64((Double(length) * tick / 160).rounded())
        }
    }

    /// A time in which a shape is felt.
    struct Stretch {
        /// From the start on this motor.
        var at: Int64
        /// What is later than this is not felt, or belongs to the next one.
        var length: Int64
        let shape: Shape
        /// From one round to the next, where there are several.
        var period: Int64 = .max
        /// Which phase of its pattern it is, and what that lasts until.
        var number = 0
        var until: Movement.Until?

        var end: Int64 { at + length }
    }

    /// One side of a hand-over.
    struct Fade {
        let takes: Bool
        let length: Int64

        /// Of the strength, so long after the start.
        func share(_ offset: Int64) -> Double {
            guard offset < length else { return takes ? 1 : 0 }
            let angle = Double.pi / 2 * Double(max(0, offset)) / Double(length)
            return takes ? sine(angle) : sine(Double.pi / 2 - angle)
        }

        /// By the series, which is exact enough up to a right angle: no function of the C library is asked.
        private func sine(_ angle: Double) -> Double {
            var (term, sum) = (angle, angle)
            for index in 1...10 {
                term *= -angle * angle / Double(2 * index * (2 * index + 1))
                sum += term
            }
            return sum
        }
    }

    /// Less than this no motor is given.
    static let least = 0.002

    let gain: Double
    /// In order; none reaches into the next.
    var stretches: [Stretch]
    /// How much later it begins on this motor than on the first one.
    var delay: Int64 = 0
    var fade: Fade?
    /// When one of its phases ended before its time: it does not end before that.
    var shortenedAt: Int64 = 0
    /// Nothing followed then: what is felt fades out.
    var isFadingOut = false

    init(_ shape: Shape, gain: Double, train: Train?, repetitions: Int) {
        self.gain = gain
        let offsets = train.map { train in (1...train.steps).map { train.offset($0) } } ?? [0]
        let period = train.map { $0.length + shape.length } ?? max(shape.length, shape.felt + shape.felt / 2)
        stretches = []
        for repetition in 0..<repetitions {
            for (index, offset) in offsets.enumerated() {
                var felt = shape.felt
                if index + 1 < offsets.count, offsets[index + 1] - offset < felt { felt = (offsets[index + 1] - offset) * 2 / 3 }
                stretches.append(Stretch(at: period * Int64(repetition) + offset, length: felt, shape: shape))
            }
        }
    }

    init(_ movement: Movement, gain: Double) {
        self.gain = gain
        stretches = []
        for (number, phase) in movement.phases.enumerated() {
            var stretch = Stretch(at: stretches.last?.end ?? 0, length: phase.shape.length, shape: phase.shape, number: number)
            if let until = phase.until {
                stretch.until = until
                (stretch.length, stretch.period) = (phase.upTo, phase.period)
            }
            stretches.append(stretch)
        }
    }

    /// What glides in it goes on from what is felt, or is gone on from.
    var mayGlide: Bool { stretches.contains { $0.shape.mayGlide } }
    var glides: Bool { fade != nil || stretches.contains { $0.shape.glides } }
    var isOpen: Bool { stretches.contains { $0.until != nil } }

    /// From here on nothing is felt.
    var end: Int64 {
        // Where all of it was left out before it began here, it ends with that.
        guard let felt = stretches.reversed().lazy.compactMap({ $0.lastFelt }).first else { return shortenedAt }
        if let fade, !fade.takes, felt > fade.length { return max(shortenedAt, lastFelt(before: fade.length)) }
        return max(shortenedAt, delay + felt)
    }

    private func lastFelt(before limit: Int64) -> Int64 {
        for stretch in stretches.reversed() where stretch.at < limit {
            var cut = stretch
            cut.length = min(stretch.length, limit - stretch.at)
            if let felt = cut.lastFelt { return felt }
        }
        return 0
    }

    /// The least and the greatest intensity in `first`…`last`.
    func range(_ first: Int64, _ last: Int64) -> (low: Double, high: Double) {
        let whole = wholeRange(first, last)
        guard let fade else { return whole }
        let shares = [fade.share(first), fade.share(last)]
        let low = whole.low * shares.min()!
        return (low < Self.least * 1.01 ? 0 : low, whole.high * shares.max()!)
    }

    /// As `range`, of what both sides of a hand-over are together.
    func wholeRange(_ first: Int64, _ last: Int64) -> (low: Double, high: Double) {
        let (first, last) = (first - delay, last - delay)
        var (low, high) = (Double.infinity, 0.0)
        var index = self.index(of: first)
        var isCovered = false
        while index < stretches.count, stretches[index].at <= last {
            let (start, end) = (stretches[index].at, stretches[index].end)
            if first >= start, last < end { isCovered = true }
            if end > first, start < end {
                let part = stretches[index].range(max(first, start) - start, min(last, end - 1) - start)
                (low, high) = (min(low, part.low), max(high, part.high))
            }
            index += 1
        }
        return (isCovered ? low * gain : 0, high * gain)
    }

    /// The last instant up to `offset` at which it was below `threshold`, from where it has been above since; its start where it was never.
    func lastBelow(_ threshold: Double, upTo offset: Int64) -> Int64 {
        var (place, offset) = (index(of: offset - delay), offset - delay)
        guard stretches[place].at <= offset, offset < stretches[place].end else { return delay + offset }
        while true {
            let stretch = stretches[place]
            if let below = stretch.lastBelow(threshold / gain, upTo: offset - stretch.at) { return delay + stretch.at + below }
            guard place > 0, stretches[place - 1].end == stretch.at, stretches[place - 1].length > 0 else {
                return delay + stretch.at
            }
            place -= 1
            offset = stretch.at - 1
        }
    }

    /// Up to `count` instants at which something changes, each with what follows it.
    func changes(_ count: Int, using random: inout some RandomNumberGenerator) -> [Int64] {
        (0..<count).map { _ in
            let stretch = stretches.randomElement(using: &random)!
            let rounds = stretch.period == .max ? 0 : stretch.length / stretch.period
            let start = rounds == 0 ? 0 : Int64.random(in: 0...rounds, using: &random) * stretch.period
            return delay + stretch.at + start + stretch.shape.points.randomElement(using: &random)!.at
        }
    }

    private func index(of offset: Int64) -> Int {
        var (low, high) = (0, stretches.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if stretches[middle].at <= offset { low = middle } else { high = middle }
        }
        return low
    }
}

extension Expectation.Stretch {
    /// When the last that is felt in it ends, from the start on this motor; nil where that is nothing.
    fileprivate var lastFelt: Int64? {
        guard length > 0 else { return nil }
        guard period < .max else { return shape.felt(before: length).map { at + $0 } }
        let round = (length - 1) / period
        if let felt = shape.felt(before: length - round * period) { return at + round * period + felt }
        return round == 0 ? nil : at + (round - 1) * period + shape.felt
    }

    /// The least and the greatest value in `first`…`last` from its start; it is not shorter.
    fileprivate func range(_ first: Int64, _ last: Int64) -> (low: Double, high: Double) {
        guard period < .max else { return shape.range(first, last) }
        var (low, high) = (Double.infinity, 0.0)
        for round in first / period...last / period {
            let start = round * period
            let part = shape.range(max(first, start) - start, min(last, start + period - 1) - start)
            (low, high) = (min(low, part.low), max(high, part.high))
        }
        return (low, high)
    }

    /// Nil where it was not below `threshold` from its start on.
    fileprivate func lastBelow(_ threshold: Double, upTo offset: Int64) -> Int64? {
        guard period < .max else { return shape.lastBelow(threshold, upTo: offset) }
        // What is not below it in a whole round never is.
        let round = offset / period
        for round in [round, round - 1] where round >= 0 {
            let last = min(offset, (round + 1) * period - 1) - round * period
            if let below = shape.lastBelow(threshold, upTo: last) { return round * period + below }
        }
        return nil
    }
}
