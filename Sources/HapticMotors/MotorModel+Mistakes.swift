// SPDX-License-Identifier: MIT
public import HapticCore

extension MotorModel {
    /// The longest `rise`, `fall`, `minPulse` and time of an overdrive that can be meant: 10 s, a thousandfold of a real one.
    public static let longestTime = Nanoseconds.seconds(10)
    /// The resonances, in hertz, and quality factors that a vibration motor may have.
    public static let resonances = 20.0...1000.0
    public static let qs = 0.5...200.0
    /// τ = q/(π·resonance), and so a `rise` of 2.30 τ; a data sheet's may differ by this factor.
    public static let mostDisagreement = 3.0

    /// How a model contradicts itself or the possible.
    public enum Mistake: Error, Hashable, Sendable {
        case time(Key)
        case holdAboveStart(hold: Share, start: Share)
        case resonanceOfERM
        case qOfERM
        case resonanceOutOfRange(Double)
        case qOutOfRange(Double)
        case qWithoutResonance
        /// `expected`: what `q` and `resonance` make of it.
        case riseAgainstQ(rise: Nanoseconds, expected: Nanoseconds)
        case overdriveLevel(Drive)

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
        if let overdrive {
            if overdrive.level <= Drive(.one) { mistakes.append(.overdriveLevel(overdrive.level)) }
            if !positive.contains(overdrive.time) { mistakes.append(.time(.overdriveFor)) }
        }
        return mistakes + mistakesOfResonance
    }

    private var mistakesOfResonance: [Mistake] {
        if kind == .erm { return (resonance == nil ? [] : [.resonanceOfERM]) + (q == nil ? [] : [.qOfERM]) }
        var mistakes: [Mistake] = []
        if let resonance, !Self.resonances.contains(resonance) { mistakes.append(.resonanceOutOfRange(resonance)) }
        if let q, !Self.qs.contains(q) { mistakes.append(.qOutOfRange(q)) }
        if q != nil, resonance == nil { mistakes.append(.qWithoutResonance) }
        guard mistakes.isEmpty, let resonance, let q, rise > .zero else { return mistakes }
        let expected = 2.30 * q / (.pi * resonance)
        let ratio = rise.inSeconds / expected
        guard ratio > Self.mostDisagreement || ratio < 1 / Self.mostDisagreement else { return [] }
        // trap: the ranges of both make it 8 s at most.
        return [.riseAgainstQ(rise: rise, expected: .microseconds(Int64((expected * 10_000).rounded() * 100)))]
    }
}

extension MotorModel.Mistake: CustomStringConvertible {
    public var description: String {
        switch self {
        case .time(.minPulse): "`minPulse` must be 0 to \(MotorModel.longestTime)"
        case .time(let key): "`\(key.rawValue)` must be more than 0 and at most \(MotorModel.longestTime)"
        case .holdAboveStart(let hold, let start):
            "`hold` (\(hold.value)) is above `start` (\(start.value)), but a motor keeps turning with less than it starts with; lower `hold`"
        case .resonanceOfERM: "an `erm` has no `resonance`: its frequency goes with its drive; leave it out, or set `kind: lra`"
        case .qOfERM: "an `erm` has no `q`; leave it out, or set `kind: lra`"
        case .resonanceOutOfRange(let resonance):
            "a `resonance` of \(resonance) Hz is outside \(MotorModel.resonances.lowerBound) to \(MotorModel.resonances.upperBound) Hz"
        case .qOutOfRange(let q): "a `q` of \(q) is outside \(MotorModel.qs.lowerBound) to \(MotorModel.qs.upperBound)"
        case .qWithoutResonance: "`q` says nothing without `resonance`; give both or neither"
        case .riseAgainstQ(let rise, let expected):
            "`rise` (\(rise)) contradicts `q` and `resonance`, which make it about \(expected); leave one of them out"
        case .overdriveLevel(let level):
            "`overdrive.level` (\(level.value)) must be more than 1 and at most 1.5: 1 is the rated drive"
        }
    }
}
