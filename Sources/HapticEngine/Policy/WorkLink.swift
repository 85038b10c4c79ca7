// SPDX-License-Identifier: MIT
import HapticCore

/// The rest of the line's work must be enough for another input.
enum WorkLink {
    /// Takes from `work` what that costs.
    static func objection(leaving work: inout WorkBudget) -> Reason? {
        work.take(WorkBudget.Cost.input) ? nil : .quota
    }
}
