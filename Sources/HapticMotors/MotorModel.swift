// SPDX-License-Identifier: MIT
public import HapticCore

/// How a motor moves when it is driven: what a data sheet says of it, or what `hapticctl tune` found.
public struct MotorModel: Hashable, Sendable, Codable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// An eccentric rotating mass. Its speed follows its drive, ω′ = (u − ω)/τ, and its acceleration is ω².
        case erm
        /// A linear resonant actuator. Its acceleration follows its drive, a′ = (u − a)/τ.
        case lra
    }

    /// More than the rated drive, for a short time.
    public struct Overdrive: Hashable, Sendable, Codable {
        /// As a multiple of the rated drive; 1…1.5.
        public var level: Drive
        /// The longest time at more than the rated drive without a break; more than 0.
        public var time: Nanoseconds

        public init(level: Drive, time: Nanoseconds) {
            self.level = level
            self.time = time
        }
    }

    public var kind: Kind
    /// From rest to 90 % of the acceleration at rated drive; more than 0.
    public var rise: Nanoseconds
    /// From the acceleration at rated drive, undriven, to 10 % of it; more than 0.
    public var fall: Nanoseconds
    /// The least drive that sets it in motion.
    public var start: Share
    /// The least drive that keeps it in motion; not above `start`.
    public var hold: Share
    /// The shortest pulse at rated drive, from rest, that is felt.
    public var minPulse: Nanoseconds
    /// In hertz; nil: not known, or (ERM) it has none.
    public var resonance: Double?
    /// The quality factor of its resonance; nil: not known, or (ERM) it has none.
    public var q: Double?
    /// Nil: no more than the rated drive.
    public var overdrive: Overdrive?
    /// It may be braked by driving it backwards, where its driver can.
    public var brake: Bool

    public init(
        kind: Kind, rise: Nanoseconds, fall: Nanoseconds, start: Share = .zero, hold: Share = .zero,
        minPulse: Nanoseconds = .zero, resonance: Double? = nil, q: Double? = nil, overdrive: Overdrive? = nil,
        brake: Bool = false
    ) {
        self.kind = kind
        self.rise = rise
        self.fall = fall
        self.start = start
        self.hold = hold
        self.minPulse = minPulse
        self.resonance = resonance
        self.q = q
        self.overdrive = overdrive
        self.brake = brake
    }

    /// The acceleration that `drive` keeps up; 0 below `hold`, and for a brake.
    func steadyAcceleration(at drive: Drive) -> Double {
        guard drive.value > 0, drive.value >= hold.value else { return 0 }
        return kind == .erm ? drive.value * drive.value : drive.value
    }

    /// The same motor with no longer `minPulse` than its limits allow; `maxOn`: `nil` is no limit.
    public func within(maxOn: Nanoseconds?) -> MotorModel {
        var model = self
        model.minPulse = min(minPulse, maxOn ?? minPulse)
        return model
    }

    /// The time constant while it gains speed: `rise` is 2.97 of them for an ERM, as (1 − e^−x)² = 0.9, 2.30 for an LRA, as
    /// 1 − e^−x = 0.9.
    public var tauUp: Nanoseconds { rise.scaled(by: 1 / (kind == .erm ? 2.97 : 2.30)) }
    /// The time constant while it loses speed: `fall` is 1.15 of them for an ERM, as (e^−x)² = 0.1, 2.30 for an LRA, as e^−x = 0.1.
    public var tauDown: Nanoseconds { fall.scaled(by: 1 / (kind == .erm ? 1.15 : 2.30)) }
}
