// SPDX-License-Identifier: MIT
import HapticCore
package import HapticMotors
import HapticText

/// What `tune` says.
package enum TuningWords {
    package static func question(_ quantity: Tuning.Quantity) -> String {
        switch quantity {
        case .minPulse, .start: "Did you feel it?"
        case .hold: "Did it go on for a second after the kick?"
        case .gap: "Were there two?"
        }
    }

    /// Before a question is asked again.
    package static func noAnswer(_ line: String) -> String { "\(quoted(line)) is no answer: y is yes, n is no, r plays it again" }

    /// What was found, with its spread.
    package static func lines(_ outcome: Tuning.Outcome) -> [String] {
        let rows = Tuning.Quantity.allCases.compactMap { quantity in
            outcome.found[quantity].map { [quantity.rawValue, value($0, of: quantity), meaning(quantity)] }
        }
        return ["\(outcome.trials) questions, \(outcome.guesses) of \(outcome.catches) catch trials answered with yes"]
            + (rows.isEmpty ? [] : Table.lines(rows))
    }

    private static func value(_ found: Tuning.Measured, of quantity: Tuning.Quantity) -> String {
        guard quantity.isTime else { return "\(Words.percent(rounded(found.value))) ± \(Words.percent(rounded(found.spread)))" }
        return "\(milliseconds(found.value)) ± \(milliseconds(found.spread)) ms"
    }

    private static func meaning(_ quantity: Tuning.Quantity) -> String {
        switch quantity {
        case .minPulse: "the shortest pulse that is felt"
        case .start: "of the rated drive sets it in motion"
        case .hold: "of the rated drive keeps it in motion"
        case .gap: "the shortest gap that makes two pulses of one"
        }
    }

    package static func doubt(_ doubt: Tuning.Doubt) -> String {
        switch doubt {
        case .guessed(let count, let all):
            "\(count) of \(all) catch trials, in which there was nothing, were answered with yes: what was found is guessing; try again, and answer n where you are not sure"
        case .notFound(.minPulse):
            "not even pulses of half a second were felt for certain; hold the device closer, or see `hapticctl doctor` on whether the motor moves"
        case .notFound(let quantity):
            "no clear answer was found for `\(quantity.rawValue)`; try again, and answer n where you are not sure"
        }
    }

    /// For the configuration. The smallest gap is what the motor's limits keep.
    package static func block(_ model: MotorModel, gap: Tuning.Measured?) -> String {
        var keys = [
            "kind: \(model.kind.rawValue)", "rise: \(model.rise.wholeMilliseconds)ms", "fall: \(model.fall.wholeMilliseconds)ms",
            "start: \(model.start.value)", "hold: \(model.hold.value)", "minPulse: \(model.minPulse.wholeMilliseconds)ms",
        ]
        if let gap { keys.append("minGap: \(milliseconds(gap.value))ms") }
        return "motor: { \(keys.joined(separator: ", ")) }"
    }

    // trap: what was found is in the range of a staircase.
    static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
    private static func rounded(_ share: Double) -> Double { (share * 100).rounded() / 100 }
}

extension Nanoseconds {
    /// Rounded.
    var wholeMilliseconds: Int64 { (count + 500_000) / 1_000_000 }
}

/// What `tune --json` says.
package struct TuningRow: Encodable {
    struct Found: Encodable {
        var quantity: String
        /// Of times.
        var ms: Double?
        /// Of drives, as a share of the rated one.
        var share: Double?
        /// In the same unit.
        var spread: Double
    }

    var actuator: String
    var questions: Int
    var catchTrials: Int
    var guessed: Int
    var found: [Found]
    var doubts: [String]
    /// The block; nil where there are doubts.
    var motor: String?

    package init(actuator: String, _ outcome: Tuning.Outcome) {
        self.actuator = actuator
        questions = outcome.trials
        catchTrials = outcome.catches
        guessed = outcome.guesses
        found = Tuning.Quantity.allCases.compactMap { quantity in
            outcome.found[quantity].map { found in
                let factor = quantity.isTime ? 1000.0 : 1
                func rounded(_ number: Double) -> Double { (number * factor * 1000).rounded() / 1000 }
                return Found(
                    quantity: quantity.rawValue, ms: quantity.isTime ? rounded(found.value) : nil,
                    share: quantity.isTime ? nil : rounded(found.value), spread: rounded(found.spread))
            }
        }
        doubts = outcome.doubts.map(TuningWords.doubt)
        if doubts.isEmpty, let model = outcome.model { motor = TuningWords.block(model, gap: outcome.found[.gap]) }
    }

    private enum CodingKeys: CodingKey { case actuator, questions, catchTrials, guessed, found, doubts, motor }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(actuator, forKey: .actuator)
        try container.encode(questions, forKey: .questions)
        try container.encode(catchTrials, forKey: .catchTrials)
        try container.encode(guessed, forKey: .guessed)
        try container.encode(found, forKey: .found)
        try container.encode(doubts, forKey: .doubts)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(motor, forKey: .motor)
    }
}
