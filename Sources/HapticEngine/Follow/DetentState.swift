// SPDX-License-Identifier: MIT
internal import HapticCore

/// Where the followed value of a source is among its detents.
struct DetentState: Hashable, Sendable {
    /// What a value has passed.
    enum Passed: Hashable, Sendable {
        case nothing
        /// A detent, or several at once.
        case detent
        /// It has come to 0 or to 1.
        case end
    }

    /// Nil: no value has come yet. The first one says where it is, and passes nothing.
    private var last: Double?
    /// The detent that was felt last, as long as the value is near it: there it may tremble.
    private var held: Double?
    private var isLowArmed = false
    private var isHighArmed = false

    /// Rounding must not cost a detent, nor an end.
    private static let tolerance = 1e-9

    mutating func update(to progress: Progress, _ shape: FollowShape) -> Passed {
        let value = progress.value
        let (isLow, isHigh) = (value <= Self.tolerance, value >= 1 - Self.tolerance)
        let isEnd = (isLow && isLowArmed) || (isHigh && isHighArmed)
        let passed = last.flatMap { detent(from: $0, to: value, shape.detents) }
        last = value
        isLowArmed = !isLow && (isLowArmed || value > shape.hysteresis)
        isHighArmed = !isHigh && (isHighArmed || value < 1 - shape.hysteresis)
        if let passed { held = passed }
        if let detent = held, abs(value - detent) > shape.hysteresis { held = nil }
        return isEnd ? .end : passed == nil ? .nothing : .detent
    }

    /// The detent that is passed on the way, of several the last one.
    private func detent(from last: Double, to value: Double, _ detents: [Progress]) -> Double? {
        func isPassed(_ detent: Progress) -> Bool {
            let detent = detent.value
            if detent == held { return false }
            return last < detent ? value >= detent - Self.tolerance : last > detent && value <= detent + Self.tolerance
        }
        return (last < value ? detents.last(where: isPassed) : detents.first(where: isPassed))?.value
    }
}
