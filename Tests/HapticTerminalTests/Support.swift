// SPDX-License-Identifier: MIT
import HapticCore

/// A decision on an input that is not felt: of the set `cart`, or with the id `pay`.
func notFelt(
    _ input: Decision.InputKind, _ reason: Reason?, _ value: Scalar? = nil, rule: String? = nil,
    change: (inout Decision) -> Void = { _ in }
) -> Decision {
    var decision = Decision(
        sequence: 1, at: .zero, input: input, source: input == .present ? nil : "pay", name: input == .present ? "cart" : nil,
        value: value, rule: rule, outcome: .suppressed, reason: reason)
    change(&decision)
    return decision
}
