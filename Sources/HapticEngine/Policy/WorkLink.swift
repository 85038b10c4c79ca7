// SPDX-License-Identifier: MIT
import HapticCore

/// What is left of the line's work must be enough to look at what plays.
enum WorkLink {
    /// Takes from `work` what that costs.
    static func objection(among playbacks: Int, leaving work: inout WorkBudget) -> Reason? {
        work.take(WorkBudget.Cost.input + playbacks * WorkBudget.Cost.playback) ? nil : .quota
    }
}
