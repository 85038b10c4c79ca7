// SPDX-License-Identifier: MIT

/// How a motor moves, as the configuration or the library has it, or as it is assumed.
public struct MotorResult: Codable, Hashable, Sendable {
    /// More than the rated drive, for a short time.
    public struct Overdrive: Codable, Hashable, Sendable {
        /// As a multiple of the rated drive; 1…1.5.
        public var level: Double
        /// The longest time at more than the rated drive without a break.
        public var forMs: Double

        public init(level: Double, forMs: Double) { (self.level, self.forMs) = (level, forMs) }
    }

    /// The name of a known motor that moves like that; null: none does.
    public var name: String?
    /// The configuration does not describe it: this is the commonest motor of such devices.
    public var assumed: Bool
    /// `erm` or `lra`.
    public var kind: String
    /// From rest to 90 % of the acceleration at rated drive.
    public var riseMs: Double
    /// From there, undriven, to 10 %.
    public var fallMs: Double
    /// The least share of the rated drive that sets it in motion.
    public var start: Double
    /// The least share that keeps it in motion.
    public var hold: Double
    /// The shortest pulse at rated drive, from rest, that is felt.
    public var minPulseMs: Double
    /// Null: not known, or it has none; so with `q`, the quality factor.
    public var resonanceHz: Double?
    public var q: Double?
    /// Null: no more than the rated drive.
    public var overdrive: Overdrive?
    /// It may be braked by driving it backwards, where its driver can.
    public var brake: Bool

    public init(
        name: String? = nil, assumed: Bool = false, kind: String, riseMs: Double, fallMs: Double, start: Double, hold: Double,
        minPulseMs: Double, resonanceHz: Double?,
        q: Double?, overdrive: Overdrive?, brake: Bool
    ) {
        self.name = name
        self.assumed = assumed
        self.kind = kind
        self.riseMs = riseMs
        self.fallMs = fallMs
        self.start = start
        self.hold = hold
        self.minPulseMs = minPulseMs
        self.resonanceHz = resonanceHz
        self.q = q
        self.overdrive = overdrive
        self.brake = brake
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(assumed, forKey: .assumed)
        try container.encode(kind, forKey: .kind)
        try container.encode(riseMs, forKey: .riseMs)
        try container.encode(fallMs, forKey: .fallMs)
        try container.encode(start, forKey: .start)
        try container.encode(hold, forKey: .hold)
        try container.encode(minPulseMs, forKey: .minPulseMs)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(resonanceHz, forKey: .resonanceHz)
        try container.encode(q, forKey: .q)
        try container.encode(overdrive, forKey: .overdrive)
        try container.encode(brake, forKey: .brake)
    }

    private enum CodingKeys: CodingKey {
        case name, assumed, kind, riseMs, fallMs, start, hold, minPulseMs, resonanceHz, q, overdrive, brake
    }
}
