// SPDX-License-Identifier: MIT
public import HapticCore

/// A motor was asked for more than it can bear.
public struct MotorViolation: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// It went on this soon after it had gone off.
        case minGap(Nanoseconds)
        /// It was on this long without a break.
        case maxOn(Nanoseconds)
        /// It was on this long within the last `MotorLimits.dutyWindow`.
        case duty(Nanoseconds)
    }

    public var at: MonotonicInstant
    public var kind: Kind

    public init(at: MonotonicInstant, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// Sees a motor go on and off, and what that breaks of its limits. A value, no clock; O(1) amortised, fixed memory.
struct MotorWatch {
    /// Half of it is the most pulses of one duty window; with more the oldest go uncounted, but no motor turns that fast.
    private static let pulseCapacity = 8192

    private struct Pulse {
        var start: MonotonicInstant
        var end: MonotonicInstant
        var length: Nanoseconds { end - start }
    }

    private let limits: MotorLimits
    private let tolerance: Nanoseconds
    private var onSince: MonotonicInstant?
    private var offSince: MonotonicInstant?
    private var pulses: [Pulse] = []
    private var oldest = 0
    private var onTime = Nanoseconds.zero

    init(_ limits: MotorLimits, tolerance: Nanoseconds) {
        self.limits = limits
        self.tolerance = tolerance
        pulses.reserveCapacity(Self.pulseCapacity)
    }

    /// `isCutOff`: it went off because its longest on-time was over, which is a violation also where it came to the instant.
    mutating func see(
        isOn: Bool, isCutOff: Bool = false, at now: MonotonicInstant, violations: inout RecentLog<MotorViolation>
    ) {
        switch (onSince, isOn) {
        case (nil, true):
            onSince = now
            if let offSince, now - offSince + tolerance < limits.minGap {
                violations.append(MotorViolation(at: now, kind: .minGap(now - offSince)))
            }
        case (let start?, false):
            onSince = nil
            offSince = now
            end(Pulse(start: start, end: now), isCutOff: isCutOff, violations: &violations)
        default: break
        }
    }

    /// The duty is greatest at the end of a pulse, so it is enough to look there.
    private mutating func end(_ pulse: Pulse, isCutOff: Bool, violations: inout RecentLog<MotorViolation>) {
        if let maxOn = limits.maxOn, isCutOff || pulse.length > maxOn + tolerance {
            violations.append(MotorViolation(at: pulse.end, kind: .maxOn(pulse.length)))
        }
        guard limits.duty < .one else { return }
        let windowStart = pulse.end - MotorLimits.dutyWindow
        add(pulse)
        while oldest < pulses.count, pulses[oldest].end <= windowStart { dropOldest() }
        let before = oldest < pulses.count ? max(.zero, windowStart - pulses[oldest].start) : .zero
        let felt = onTime - before
        if felt > MotorLimits.dutyWindow.scaled(by: limits.duty.value) + tolerance {
            violations.append(MotorViolation(at: pulse.end, kind: .duty(felt)))
        }
    }

    private mutating func add(_ pulse: Pulse) {
        if pulses.count - oldest == Self.pulseCapacity / 2 { dropOldest() }
        if pulses.count == Self.pulseCapacity {
            pulses.removeFirst(oldest)
            oldest = 0
        }
        pulses.append(pulse)
        onTime += pulse.length
    }

    private mutating func dropOldest() {
        onTime -= pulses[oldest].length
        oldest += 1
    }
}
