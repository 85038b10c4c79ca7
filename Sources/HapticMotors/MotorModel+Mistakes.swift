// SPDX-License-Identifier: MIT
import Glibc
public import HapticCore

extension MotorModel {
    /// The longest `rise`, `fall`, `minPulse` and time of an overdrive that can be meant: 10 s, a thousandfold of a real one.
    public static let longestTime = Nanoseconds.seconds(10)
    /// The resonances, in hertz, and quality factors that a vibration motor may have.
    public static let resonances = 20.0...1000.0
    public static let qs = 0.5...200.0
    /// τ = q/(π·resonance), and so a `rise` and a `fall` of 2.30 τ; a data sheet's may differ by this factor.
    public static let mostDisagreement = 3.0
    /// An overdrive lasts no longer than so many times `rise`: before that the motor is at its full speed, and nothing drives it beyond.
    public static let mostRisesOverdriven = 3

    /// How a model contradicts itself or the possible.
    public enum Mistake: Error, Hashable, Sendable {
        case time(Key)
        case holdAboveStart(hold: Share, start: Share)
        case holdOfOne
        case resonanceOfERM
        case qOfERM
        case resonanceOutOfRange(Double)
        case qOutOfRange(Double)
        case qWithoutResonance
        /// `expected`: what `q` and `resonance` make of it.
        case riseAgainstQ(rise: Nanoseconds, expected: Nanoseconds)
        case fallAgainstQ(fall: Nanoseconds, expected: Nanoseconds)
        case overdriveLevel(Drive)
        /// `enough`: what brings it from rest to its full speed.
        case overdriveTooLong(time: Nanoseconds, rise: Nanoseconds, enough: Nanoseconds)

        /// The key that a mistake of a time is about.
        public enum Key: String, Hashable, Sendable {
            case rise, fall, minPulse
            case overdriveFor = "overdrive.for"
        }
    }

    /// All that is wrong with it; empty: it can be fitted to.
    public var mistakes: [Mistake] {
        var mistakes: [Mistake] = []
        let positive = Nanoseconds(1)...Self.longestTime
        if !positive.contains(rise) { mistakes.append(.time(.rise)) }
        if !positive.contains(fall) { mistakes.append(.time(.fall)) }
        if !(Nanoseconds.zero...Self.longestTime).contains(minPulse) { mistakes.append(.time(.minPulse)) }
        if hold > start { mistakes.append(.holdAboveStart(hold: hold, start: start)) }
        if hold == .one, start == .one { mistakes.append(.holdOfOne) }
        return mistakes + mistakesOfOverdrive + mistakesOfResonance
    }

    private var mistakesOfOverdrive: [Mistake] {
        guard let overdrive else { return [] }
        let positive = Nanoseconds(1)...Self.longestTime
        var mistakes: [Mistake] = []
        if overdrive.level <= Drive(.one) { mistakes.append(.overdriveLevel(overdrive.level)) }
        if !positive.contains(overdrive.time) { mistakes.append(.time(.overdriveFor)) }
        // Where `rise` is wrong, that is said of it alone.
        guard mistakes.isEmpty, positive.contains(rise), overdrive.time > rise * Self.mostRisesOverdriven else { return mistakes }
        let level = overdrive.level.value
        // From rest to 1 at `level`, τ·ln(level/(level − 1)).
        let taus = log(level / (level - 1))
        let enough = min(tauUp.scaled(by: taus), rise * Self.mostRisesOverdriven)
        return [.overdriveTooLong(time: overdrive.time, rise: rise, enough: .milliseconds(enough.count / 1_000_000 + 1))]
    }

    private var mistakesOfResonance: [Mistake] {
        if kind == .erm { return (resonance == nil ? [] : [.resonanceOfERM]) + (q == nil ? [] : [.qOfERM]) }
        var mistakes: [Mistake] = []
        if let resonance, !Self.resonances.contains(resonance) { mistakes.append(.resonanceOutOfRange(resonance)) }
        if let q, !Self.qs.contains(q) { mistakes.append(.qOutOfRange(q)) }
        if q != nil, resonance == nil { mistakes.append(.qWithoutResonance) }
        guard mistakes.isEmpty, let resonance, let q else { return mistakes }
        let seconds = 2.30 * q / (.pi * resonance)
        func disagrees(_ time: Nanoseconds) -> Bool {
            let ratio = time.inSeconds / seconds
            return time > .zero && (ratio > Self.mostDisagreement || ratio < 1 / Self.mostDisagreement)
        }
        // trap: the ranges of both make it 8 s at most.
        let expected = Nanoseconds.microseconds(Int64((seconds * 10_000).rounded() * 100))
        // A `fall` that is not given follows from `rise`, of which it is said then.
        if disagrees(rise) { return [.riseAgainstQ(rise: rise, expected: expected)] }
        return disagrees(fall) ? [.fallAgainstQ(fall: fall, expected: expected)] : []
    }
}

extension MotorModel.Mistake {
    /// The time that it is about; nil where it is about several keys together.
    public var key: Key? { if case .time(let key) = self { key } else { nil } }
}

extension MotorModel.Mistake: CustomStringConvertible {
    public var description: String {
        switch self {
        case .time(.minPulse): "`minPulse` must be 0 to \(MotorModel.longestTime)"
        case .time(let key): "`\(key.rawValue)` must be more than 0 and at most \(MotorModel.longestTime)"
        case .holdAboveStart(let hold, let start):
            "`hold` (\(short(hold.value))) is above `start` (\(short(start.value))), but a motor keeps turning with less than it starts with; lower `hold`"
        case .holdOfOne:
            "a `hold` of 1 keeps the motor in motion at its rated drive only, and so it would have no levels; write half of `start` where it is not known"
        case .resonanceOfERM: "an `erm` has no `resonance`: its frequency goes with its drive; leave it out, or set `kind: lra`"
        case .qOfERM: "an `erm` has no `q`; leave it out, or set `kind: lra`"
        case .resonanceOutOfRange(let resonance):
            "a `resonance` of \(resonance) Hz is outside \(MotorModel.resonances.lowerBound) to \(MotorModel.resonances.upperBound) Hz"
        case .qOutOfRange(let q): "a `q` of \(q) is outside \(MotorModel.qs.lowerBound) to \(MotorModel.qs.upperBound)"
        case .qWithoutResonance: "`q` says nothing without `resonance`; give both or neither"
        case .riseAgainstQ(let rise, let expected):
            "`rise` (\(rise)) contradicts `q` and `resonance`, which make it about \(expected); leave one of them out"
        case .fallAgainstQ(let fall, let expected):
            "`fall` (\(fall)) contradicts `q` and `resonance`, which make it about \(expected); leave one of them out"
        case .overdriveLevel(let level):
            "`overdrive.level` (\(short(level.value))) must be more than 1 and at most 1.5: 1 is the rated drive"
        case .overdriveTooLong(let time, let rise, let enough):
            "`overdrive.for` (\(time)) is more than \(MotorModel.mostRisesOverdriven) times `rise` (\(rise)): the motor is at its full speed after \(enough), so write about that"
        }
    }

    /// To a thousandth: 41 % is not quite 0.41.
    private func short(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
