// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPlanning
internal import HapticWire

/// What the `transaction` of a line gives the inputs behind it, each where it does not say it itself; nil: nothing.
struct InputDefaults {
    var feedback: Input.FeedbackOverride?
    var intensity: Intensity?
    var app: String?
    var deadlineMs: Double?

    var result: TransactionResult {
        let name: String? =
            switch feedback {
            case nil: nil
            case .normal: "normal"
            case .off: "off"
            case .pattern(let pattern): pattern.name
            }
        return TransactionResult(feedback: name, intensity: intensity?.value, app: app, deadlineMs: deadlineMs)
    }
}
