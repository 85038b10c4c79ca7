// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// What became of one shape on one motor that is judged.
struct Result {
    let shape: Shape
    let intended: SampledEnvelope
    let drives: [DriveChange]
    let felt: SampledEnvelope
    let error: Double
    let opponents: [(opponent: Opponent, felt: SampledEnvelope, error: Double)]
    /// The motor is slower than its model.
    let isSlower: Bool

    init(_ shape: Shape, _ judged: Judged, on truth: MotorModel) {
        let length = shape.length
        let intended = SampledEnvelope(intended: shape.frames, length: length)
        let drives = judged.drives(for: shape)
        let felt = SampledEnvelope(truth, driven: drives, length: length)
        (self.shape, self.intended, self.drives, self.felt) = (shape, intended, drives, felt)
        error = SustainedMeasure.error(intended: intended, felt: felt)
        isSlower = truth.rise > judged.model.rise
        opponents = judged.opponents.map {
            let felt = SampledEnvelope(truth, driven: $0.drives(for: shape), length: length)
            return ($0, felt, SustainedMeasure.error(intended: intended, felt: felt))
        }
    }

    var bestOpponent: Double { opponents.map(\.error).min() ?? .infinity }
    /// Below 1: nearer to what was intended than all others.
    var ratio: Double { error / bestOpponent }
    func felt(by opponent: Opponent) -> SampledEnvelope? { opponents.first { $0.opponent == opponent }?.felt }

    /// How long the motor was driven forwards.
    var driven: Nanoseconds {
        zip(drives, drives.dropFirst()).reduce(.zero) { $0 + ($1.0.drive > .zero ? $1.1.at - $1.0.at : .zero) }
    }

    /// The most of `curve`'s pulses that can be of this shape.
    func apart(_ curve: SampledEnvelope) -> Int { min(TrainMeasure.pulsesApart(curve), shape.pulses.count) }

    /// Those that keep more of its pulses apart.
    var keepingMoreApart: [Opponent] {
        let own = apart(felt)
        return opponents.filter { apart($0.felt) > own }.map(\.opponent)
    }
}

/// All that is judged, once.
struct Results {
    /// By motor, and for each shape the results on each truth.
    let motors: [(judged: Judged, results: [[Result]])]

    init(_ motors: [Judged], _ shapes: [Shape]) {
        self.motors = motors.map { judged in
            (judged, shapes.map { shape in judged.truths.map { Result(shape, judged, on: $0) } })
        }
    }

    /// The results of `families` on the motors of these names.
    func all(_ names: [String], _ families: [Shape.Family]) -> [Result] {
        motors.filter { names.contains($0.judged.name) }.flatMap { $0.results.joined() }.filter {
            families.contains($0.shape.family)
        }
    }
}

extension [Double] {
    /// 0 where there are none.
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    var most: Double { self.max() ?? 0 }
}
