// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticWire

/// What a daemon that has started again must be sent of one progress source, so that the source goes on where it was; and what one
/// must be sent that has refused inputs for their rate.
///
/// Such a daemon has forgotten the source. It is sent silently where the last step was felt, so that no step is felt twice; then a
/// completion that it missed, as of now, for a result is felt also where it comes late; then the newest value, with the time at which
/// it came: where that is older than what its class allows, the daemon moves the gate and lets nothing be felt. Of all other values
/// that came meanwhile only their number is kept, so this never grows.
///
/// What was sent and not answered counts as not delivered: a step may be felt twice then, rather than a completion never.
/// A value: reads no clock and sends nothing.
public struct ProgressMemory: Sendable {
    /// The value at which a step was crossed last, as the daemon answered.
    private var crossed: ProgressParams?
    private var completion: ProgressParams?
    /// Came after `completion`.
    private var newest: ProgressParams?
    /// How many values were not delivered because newer ones had come.
    public private(set) var leftOut = 0

    public init() {}

    /// What is still to be delivered, in its order; at most two.
    public var undelivered: [ProgressParams] { [completion, newest].compactMap(\.self) }

    /// The daemon has decided `input`, which came after all that is kept: a value that is has been overtaken, a completion has not.
    public mutating func answered(_ input: ProgressParams, _ decision: DecisionResult) {
        if newest != nil { leftOut += 1 }
        newest = nil
        // A pattern was looked for: so the gate has fired, felt or not.
        if decision.pattern != nil { crossed = input }
    }

    /// `input` could not be delivered. It should say when it came (`atNs`).
    public mutating func keep(_ input: ProgressParams) {
        if newest != nil { leftOut += 1 }
        newest = input
        guard input.value >= .one else { return }
        if completion != nil { leftOut += 1 }
        (completion, newest) = (input, nil)
    }

    /// The source goes back to 0, where one that the daemon does not know is already.
    public mutating func release() {
        if newest != nil { leftOut += 1 }
        (crossed, newest) = (nil, nil)
    }

    /// Where the source stood, for a daemon that does not know it: to be sent first. Nothing is felt of it.
    public func restoration(at now: Int64) -> ProgressParams? {
        guard var input = crossed else { return nil }
        (input.feedback, input.atNs, input.deadlineMs) = (.off, now, nil)
        return input
    }

    /// What is to be sent after that, in this order. It is forgotten here: `keep` it again where it is not delivered this time either.
    public mutating func takeUndelivered(at now: Int64) -> [ProgressParams] {
        completion?.atNs = now
        defer { (completion, newest) = (nil, nil) }
        return undelivered
    }
}
