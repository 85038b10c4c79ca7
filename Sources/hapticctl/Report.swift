// SPDX-License-Identifier: MIT
import HapticWire

/// What the commands that send one input say of its decision.
enum Report {
    /// Not being felt is no failure here: most progress is less than a step, and most events change nothing.
    static func input(_ decision: DecisionResult, _ console: Console) throws {
        try console.writeJSON(decision)
        let input = Words.input(decision)
        switch decision.outcome {
        case "failed":
            try console.flush()
            throw Failure("\(input): \(Words.notFelt(decision))", code: .notFelt)
        default: try console.say("\(input): \(Words.outcome(decision))")
        }
        try console.flush()
    }
}
