// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
package import HapticWire

/// How many inputs of a stream ended how.
package struct Tally: Hashable, Sendable {
    private(set) var felt = 0
    private var others: [String: Int] = [:]

    package init() {}

    var count: Int { others.values.reduce(felt, +) }

    package mutating func count(_ decision: DecisionResult) {
        if decision.isFelt { felt += 1 } else { others[decision.whyNotFelt, default: 0] += 1 }
    }

    /// `160 sent, 77 felt, 83 not (83 belowStep)`.
    package var words: String {
        let rest = others.isEmpty ? "" : ", \(count - felt) not (\(reasons))"
        return "\(count) sent, \(felt) felt\(rest)"
    }

    /// `83 belowStep, 1 rateLimited`: why the others were not felt, the commonest reason first.
    var reasons: String {
        others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    var reasonCount: Int { others.count }

    /// `; no rule matches …` with the rule to write, if that is why nothing of the progress of `source` was felt; else empty.
    package func remedy(for source: String) -> String {
        let reasons = [Reason.noRule, .released].map(\.rawValue)
        guard felt == 0, others[Reason.noRule.rawValue] != nil, others.keys.allSatisfy(reasons.contains) else { return "" }
        return "; no rule matches \(quoted(source)): \(Words.ruleToAdd("progress", for: source, pattern: "soft"))"
    }
}
