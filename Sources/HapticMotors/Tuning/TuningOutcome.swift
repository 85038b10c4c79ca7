// SPDX-License-Identifier: MIT
import Glibc
internal import HapticCore

extension Tuning {
    /// A quantity as it was found.
    public struct Measured: Hashable, Sendable {
        /// Seconds, or a share of the rated drive.
        public let value: Double
        /// How far the answers go apart around it (the standard deviation), in the same unit.
        public let spread: Double

        /// Of a staircase; that of a time goes by its logarithm.
        init(_ result: (mean: Double, spread: Double), isTime: Bool) {
            value = isTime ? exp(result.mean) : result.mean
            spread = isTime ? exp(result.mean) * (exp(result.spread) - 1) : result.spread
        }
    }

    /// Why the answers do not say how the motor moves.
    public enum Doubt: Hashable, Sendable {
        /// So many of the catch trials were answered with yes.
        case guessed(Int, of: Int)
        /// It was not felt at its most, or never went the other way.
        case notFound(Quantity)
    }

    /// What the answers say.
    public struct Outcome: Hashable, Sendable {
        /// What an acceleration has to be for it to be felt, where nothing better is known: 1 is that at rated drive. See `ImpactMeasure.felt`.
        static let felt = 0.1
        /// A time constant is in this range, in seconds.
        private static let taus = 0.001...1.0

        public let found: [Quantity: Measured]
        public let trials: Int
        public let catches: Int
        public let guesses: Int
        /// Empty: it can be relied on.
        public let doubts: [Doubt]
        /// What follows of it; nil where too little was found.
        public let model: MotorModel?

        init(
            _ kind: MotorModel.Kind, found: [Quantity: Measured], hopeless: [Quantity], catches: Int, guesses: Int, trials: Int
        ) {
            self.found = found
            self.trials = trials
            self.catches = catches
            self.guesses = guesses
            let isGuessing = guesses > 1 && Double(guesses) > Tuning.mostGuessed * Double(catches)
            doubts = (isGuessing ? [.guessed(guesses, of: catches)] : []) + hopeless.map { .notFound($0) }
            model = Self.model(kind, found)
        }

        /// The motor's time constants are those of a model that is felt in the same way.
        ///
        /// Up: the shortest felt pulse, from rest, reaches just the least acceleration that is felt. Down: two pulses with the smallest gap are
        /// just two, as `TrainMeasure` counts them. What is felt is smoothed as `SampledEnvelope.smoothed` has it.
        private static func model(_ kind: MotorModel.Kind, _ found: [Quantity: Measured]) -> MotorModel? {
            guard let pulse = found[.minPulse], let gap = found[.gap] else { return nil }
            let peak = leastAcceleration(kind, found[.hold]?.value)
            let up = tau { isFelt(kind, tau: $0, pulse: pulse.value, peak: peak) }
            let down = tau { isApart(kind, up: up, down: $0, gap: gap.value) }
            // An LRA has no friction: what was found is what is felt of it. An on/off line only ever drives fully.
            let start = kind == .lra ? 0 : (found[.start]?.value ?? 1)
            let hold = kind == .lra ? 0 : min(start, 0.99, found[.hold]?.value ?? 0)
            var model = model(kind, up: up, down: down)
            (model.rise, model.fall) = (milliseconds(model.rise.inSeconds), milliseconds(model.fall.inSeconds))
            (model.start, model.hold) = (hundredths(start), hundredths(hold))
            model.minPulse = milliseconds(pulse.value)
            return model
        }

        /// The least that is felt: what keeps the motor going so that it is felt is at least as much.
        private static func leastAcceleration(_ kind: MotorModel.Kind, _ hold: Double?) -> Double {
            min(felt, hold.map { kind == .erm ? $0 * $0 : $0 } ?? 1)
        }

        /// The greatest time constant, in seconds, for which `holds`: by bisection, as it holds for all smaller ones.
        private static func tau(_ holds: (Double) -> Bool) -> Double {
            var (low, high) = (taus.lowerBound, taus.upperBound)
            for _ in 0..<12 {
                let middle = (low * high).squareRoot()
                if holds(middle) { low = middle } else { high = middle }
            }
            return (low * high).squareRoot()
        }

        private static func isFelt(_ kind: MotorModel.Kind, tau: Double, pulse: Double, peak: Double) -> Bool {
            let stimulus = Stimulus([.init(.one, for: time(pulse))])
            let felt = SampledEnvelope(model(kind, up: tau, down: tau), driven: stimulus.changes, length: time(pulse + 0.05))
            return felt.smoothed.peak >= peak
        }

        private static func isApart(_ kind: MotorModel.Kind, up: Double, down: Double, gap: Double) -> Bool {
            let on = Stimulus.Part(.one, for: .milliseconds(200))
            let stimulus = Stimulus([on, .init(.zero, for: time(gap)), on])
            let felt = SampledEnvelope(
                model(kind, up: up, down: down), driven: stimulus.changes, length: stimulus.duration + .milliseconds(100))
            return TrainMeasure.pulsesApart(felt) > 1
        }

        /// As far as its time constants go.
        private static func model(_ kind: MotorModel.Kind, up: Double, down: Double) -> MotorModel {
            let factor = kind == .erm ? (rise: 2.97, fall: 1.15) : (rise: 2.30, fall: 2.30)
            return MotorModel(kind: kind, rise: time(up * factor.rise), fall: time(down * factor.fall))
        }

        // trap: of a time constant of a second at most.
        private static func time(_ seconds: Double) -> Nanoseconds { .microseconds(Int64((seconds * 1e6).rounded())) }

        private static func milliseconds(_ seconds: Double) -> Nanoseconds {
            // trap: of a time constant of a second at most.
            .milliseconds(max(1, Int64((seconds * 1000).rounded())))
        }

        private static func hundredths(_ share: Double) -> Share { Share(clamping: (share * 100).rounded() / 100) }
    }
}
