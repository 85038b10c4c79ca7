// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// What an update did to a gate.
enum GateResult: Hashable, Sendable {
    /// A step, or several at once, were crossed.
    case fires
    /// 1 was reached, or 0 by a countdown.
    case completes
    case belowStep
    /// A step was crossed within `minInterval` of the one before; it stays to be crossed.
    case tooSoon
}

/// The memory of one progress source.
struct GateState: Hashable, Sendable {
    /// The value that fired last, or that a reversal fell back to.
    private var last = 0.0
    private var isComplete = false
    private var lastFire: MonotonicInstant?
    private var lastFireWasUp = true
    /// A countdown begins wherever its first value is.
    private var isNew = true

    /// Rounding of sums such as 0.1 + 0.2 must not cost a step, nor the completion.
    private static let tolerance = 1e-9

    mutating func update(to value: Progress, at now: MonotonicInstant, _ gate: GateConfiguration) -> GateResult {
        let value = value.value
        let isCountdown = gate.direction == .down
        if isCountdown, isNew {
            (last, isComplete, isNew) = (value, value <= Self.tolerance, false)
            return .belowStep
        }
        if isCountdown ? value > gate.step : value < 1 - gate.step { isComplete = false }
        if isCountdown ? value <= Self.tolerance : value >= 1 - Self.tolerance, !isComplete {
            (last, isComplete, lastFire, lastFireWasUp) = (value, true, now, !isCountdown)
            return .completes
        }
        let isUp = value > last
        let isWanted = gate.direction == .both || (gate.direction == .up) == isUp
        guard isWanted else {
            if abs(value - last) > max(gate.step, gate.hysteresis) { last = value }
            return .belowStep
        }
        guard crossesStep(value, isUp: isUp, gate) else { return .belowStep }
        // Times may go back: a hand's are the kernel's, and a step that fires late fires at the time it is then.
        if gate.minInterval > .zero, let lastFire, now - lastFire < gate.minInterval { return .tooSoon }
        let felt = Canary.is("steps-from-multiples") && gate.mode == .relative ? last + (isUp ? gate.step : -gate.step) : value
        (last, lastFire, lastFireWasUp) = (felt, now, isUp)
        return .fires
    }

    private func crossesStep(_ value: Double, isUp: Bool, _ gate: GateConfiguration) -> Bool {
        let distance = abs(value - last)
        let isReversal = lastFire != nil && isUp != lastFireWasUp
        if isReversal, distance < gate.hysteresis - Self.tolerance { return false }
        switch gate.mode {
        case .relative: return distance >= gate.step - Self.tolerance
        case .grid: return cell(of: value, gate.step) != cell(of: last, gate.step)
        }
    }

    private func cell(of value: Double, _ step: Double) -> Double { floor(value / step + Self.tolerance) }
}
