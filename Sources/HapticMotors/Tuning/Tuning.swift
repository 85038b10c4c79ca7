// SPDX-License-Identifier: MIT
import Glibc
public import HapticCore

/// Finds out how a motor moves by asking who holds it: pure, a question out, an answer in, until there are no more.
///
/// Each quantity has a `Staircase` of its own. A quarter of the trials are catch trials, whose right answer is no: who says yes to many of
/// them guesses, and what was found means nothing. At most `mostTrials`.
public struct Tuning: Hashable, Sendable {
    /// What is looked for, in this order.
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
        /// The shortest pulse at rated drive, from rest, that is felt.
        case minPulse
        /// The least drive that sets it in motion so that it is felt.
        case start
        /// The least drive that keeps it in motion so that it is felt.
        case hold
        /// The shortest silence between two pulses at rated drive that makes them two.
        case gap
    }

    /// What is played, and what is asked of it.
    public struct Trial: Hashable, Sendable {
        public let quantity: Quantity
        /// From 1.
        public let number: Int
        public let stimulus: Stimulus
        /// The right answer is no, whatever the motor is.
        public let isCatch: Bool
        /// What is played has this much of the quantity: seconds of a pulse or a gap, or a share of the rated drive.
        let amount: Double
    }

    /// A catch trial is one of so many.
    static let catchShare = 4
    /// A yes to more than this share of the catch trials is guessing; one slip is always forgiven.
    public static let mostGuessed = 0.2
    /// Trials in all, whatever is answered.
    public static let mostTrials = Quantity.allCases.count * Staircase.mostAnswers * catchShare / (catchShare - 1) + catchShare

    private let quantities: [Quantity]
    private let kind: MotorModel.Kind
    private let seed: UInt64
    private var staircase: Staircase
    private var index = 0
    private var count = 0
    private(set) var found: [Quantity: Measured] = [:]
    private(set) var hopeless: [Quantity] = []
    /// How many catch trials there were, and how many of them were answered with yes.
    private(set) var catches = 0
    private(set) var guesses = 0
    /// What to play and ask now; nil: there is nothing more to be asked.
    public private(set) var trial: Trial?

    /// `levels`: the driver can send levels; else it is on or off, and start and hold are not looked for. `seed`: which trials are
    /// catch trials.
    public init(_ kind: MotorModel.Kind, levels: Bool, seed: UInt64) {
        quantities = levels ? Quantity.allCases : [.minPulse, .gap]
        self.kind = kind
        self.seed = seed
        staircase = Self.staircase(quantities[0])
        trial = nextTrial()
    }

    /// Takes the answer to `trial`: it was felt, it went on, there were two. Does nothing where there is no trial.
    public mutating func answer(_ isYes: Bool) {
        guard let trial else { return }
        if trial.isCatch {
            catches += 1
            guesses += isYes ? 1 : 0
        } else {
            staircase.answer(isYes)
            if staircase.isOver { finishQuantity() }
        }
        self.trial = nextTrial()
    }

    /// About how much has been asked; 0…1.
    public var progress: Double {
        let part = min(1, Double(staircase.answers) / Double(Staircase.mostAnswers))
        return min(1, (Double(index) + part) / Double(quantities.count))
    }

    /// What was found; nil until there are no more trials.
    public var outcome: Outcome? {
        trial == nil
            ? Outcome(kind, found: found, hopeless: hopeless, catches: catches, guesses: guesses, trials: count) : nil
    }

    // MARK: What is asked

    /// The gap is looked for between pulses of so many times the shortest one that is felt, and of at least this time: each of them is
    /// surely felt.
    private static let gapPulse = (times: 3.0, least: 0.12)
    private static let kick = Nanoseconds.milliseconds(300)
    private static let steady = (start: Nanoseconds.milliseconds(600), hold: Nanoseconds.milliseconds(900))

    /// Times go by ratios: a step is about 8 %. Drives go by differences of 0.02.
    private static func staircase(_ quantity: Quantity) -> Staircase {
        switch quantity {
        case .minPulse: Staircase(range: log(0.002)...log(0.5), start: log(0.12), step: log(1.6), finest: log(1.08))
        case .start: Staircase(range: 0.04...1, start: 0.9, step: 0.16, finest: 0.02)
        case .hold: Staircase(range: 0.02...1, start: 0.6, step: 0.16, finest: 0.02)
        case .gap: Staircase(range: log(0.002)...log(0.5), start: log(0.15), step: log(1.8), finest: log(1.08))
        }
    }

    private mutating func nextTrial() -> Trial? {
        guard index < quantities.count, count < Self.mostTrials else { return nil }
        let quantity = quantities[index]
        let isCatch = isCatch(count)
        count += 1
        let amount = quantity.isTime ? exp(staircase.level) : staircase.level
        return Trial(
            quantity: quantity, number: count, stimulus: stimulus(quantity, amount: amount, isCatch: isCatch), isCatch: isCatch,
            amount: amount)
    }

    /// One of each `catchShare` trials is, at random.
    private func isCatch(_ number: Int) -> Bool {
        let block = UInt64(number / Self.catchShare)
        // SplitMix64 (Steele, Lea, Flood 2014): one step of it mixes the bits well enough to choose one of four.
        var mixed = (seed &+ block) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return number % Self.catchShare == Int((mixed ^ (mixed >> 31)) % UInt64(Self.catchShare))
    }

    private func stimulus(_ quantity: Quantity, amount: Double, isCatch: Bool) -> Stimulus {
        // trap: a staircase stays in its range, half a second at most.
        func time(_ seconds: Double) -> Nanoseconds { .microseconds(Int64((seconds * 1e6).rounded())) }
        let share = Intensity(clamping: amount)
        switch quantity {
        case .minPulse: return isCatch ? Stimulus([]) : Stimulus([.init(.one, for: time(amount))])
        case .start: return isCatch ? Stimulus([]) : Stimulus([.init(share, for: Self.steady.start)])
        case .hold:
            let kick = Stimulus.Part(.one, for: Self.kick)
            return isCatch ? Stimulus([kick]) : Stimulus([kick, .init(share, for: Self.steady.hold)])
        case .gap:
            let pulse = max(Self.gapPulse.least, Self.gapPulse.times * (found[.minPulse]?.value ?? 0))
            if isCatch { return Stimulus([.init(.one, for: time(2 * pulse + amount))]) }
            let on = Stimulus.Part(.one, for: time(pulse))
            return Stimulus([on, .init(.zero, for: time(amount)), on])
        }
    }

    private mutating func finishQuantity() {
        let quantity = quantities[index]
        if let result = staircase.result {
            found[quantity] = Measured(result, isTime: quantity.isTime)
        } else {
            hopeless.append(quantity)
        }
        index += 1
        // What is not felt at all makes all that follows pointless.
        if quantity == .minPulse, found[.minPulse] == nil { index = quantities.count }
        if index < quantities.count { staircase = Self.staircase(quantities[index]) }
    }
}

extension Tuning.Quantity {
    /// Else a share of the rated drive.
    public var isTime: Bool { self == .minPulse || self == .gap }
}

/// What one trial plays.
public struct Stimulus: Hashable, Sendable {
    public struct Part: Hashable, Sendable {
        /// As a share of the rated drive, unfitted.
        public let drive: Intensity
        public let time: Nanoseconds

        init(_ drive: Intensity, for time: Nanoseconds) {
            self.drive = drive
            self.time = time
        }
    }

    /// One after another; none: nothing is played.
    public let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    public var duration: Nanoseconds { parts.reduce(.zero) { $0 + $1.time } }

    /// What a motor is sent.
    public var changes: [DriveChange] {
        var (changes, time) = ([DriveChange](), Nanoseconds.zero)
        for part in parts {
            changes.append(DriveChange(at: time, drive: Drive(part.drive)))
            time += part.time
        }
        return changes + (parts.isEmpty ? [] : [DriveChange(at: time, drive: .zero)])
    }
}
