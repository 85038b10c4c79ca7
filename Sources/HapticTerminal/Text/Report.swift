// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// What the commands that send one input say of its decision.
package enum Report {
    /// Not being felt is no failure here: most progress is less than a step, and most events change nothing.
    ///
    /// - Parameter near: The rule that it nearly matches, in words.
    package static func input(_ decision: DecisionResult, _ console: Console, near: String? = nil) throws {
        try console.writeJSON(decision)
        let input = Words.input(decision)
        switch decision.outcome {
        case .failed:
            try console.flush()
            throw Failure("\(input): \(Words.notFelt(decision))", code: .notFelt)
        case _ where near != nil: try console.say("\(input): \(Words.whyNotFelt(decision))\(near ?? "")")
        default: try console.say("\(input): \(Words.outcome(decision))")
        }
        try console.flush()
    }
}
