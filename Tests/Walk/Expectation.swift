// SPDX-License-Identifier: MIT

/// What one playback is to feel like: a shape at each of its starts. All times in nanoseconds from the playback's start.
struct Expectation {
    /// A train of steps, as docs/patterns.md has it.
    struct Train: Sendable {
        var steps: Int
        var length: Int64
        var isCharge: Bool

        /// The start of step `number`, from 1.
        func offset(_ number: Int) -> Int64 {
            let share = Double(number) / Double(steps)
            guard isCharge else { return Int64((Double(length) * share).rounded()) }
            // The tick n of 160 at which 0.000035 n² + 0.000665 n is 1.0024 times the share.
            let tick = (-0.000665 + (0.000665 * 0.000665 + 4 * 0.000035 * 1.0024 * share).squareRoot()) / 0.00007
            return Int64((Double(length) * tick / 160).rounded())
        }
    }

    let shape: Shape
    let gain: Double
    /// When each step begins, and for how long it may be felt; in order, none reaches into the next.
    private let steps: [(at: Int64, felt: Int64)]

    init(_ shape: Shape, gain: Double, train: Train?, repetitions: Int) {
        (self.shape, self.gain) = (shape, gain)
        let offsets = train.map { train in (1...train.steps).map { train.offset($0) } } ?? [0]
        let period = train.map { $0.length + shape.length } ?? max(shape.length, shape.felt + shape.felt / 2)
        var steps: [(at: Int64, felt: Int64)] = []
        for repetition in 0..<repetitions {
            for (index, offset) in offsets.enumerated() {
                var felt = shape.felt
                if index + 1 < offsets.count, offsets[index + 1] - offset < felt { felt = (offsets[index + 1] - offset) * 2 / 3 }
                steps.append((period * Int64(repetition) + offset, felt))
            }
        }
        self.steps = steps
    }

    /// From here on nothing is felt.
    var end: Int64 { steps[steps.count - 1].at + steps[steps.count - 1].felt }

    /// The least and the greatest intensity in `first`…`last`.
    func range(_ first: Int64, _ last: Int64) -> (low: Double, high: Double) {
        var (low, high) = (Double.infinity, 0.0)
        var index = self.index(of: first)
        var isCovered = false
        while index < steps.count, steps[index].at <= last {
            let (start, end) = (steps[index].at, steps[index].at + steps[index].felt)
            if first >= start, last < end { isCovered = true }
            if end > first {
                let part = shape.range(max(first, start) - start, min(last, end - 1) - start)
                (low, high) = (min(low, part.low), max(high, part.high))
            }
            index += 1
        }
        return (isCovered ? low * gain : 0, high * gain)
    }

    /// The last instant up to `offset` at which it was below `threshold`, from where it has been above since; 0 where it was never.
    func lastBelow(_ threshold: Double, upTo offset: Int64) -> Int64 {
        let (start, felt) = steps[index(of: offset)]
        guard offset >= start, offset < start + felt else { return offset }
        return shape.lastBelow(threshold / gain, upTo: offset - start).map { start + $0 } ?? start
    }

    /// Up to `count` instants at which something changes, each with what follows it.
    func changes(_ count: Int, using random: inout some RandomNumberGenerator) -> [Int64] {
        (0..<count).map { _ in
            steps.randomElement(using: &random)!.at + shape.points.randomElement(using: &random)!.at
        }
    }

    private func index(of offset: Int64) -> Int {
        var (low, high) = (0, steps.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if steps[middle].at <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
