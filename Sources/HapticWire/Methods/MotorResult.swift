// SPDX-License-Identifier: MIT

/// How a motor moves, as the configuration or the library has it, or as it is assumed.
public struct MotorResult: WireResult {
    /// More than the rated drive, for a short time.
    public struct Overdrive: WireResult {
        public var level: Double
        public var forMs: Double

        public init(level: Double, forMs: Double) { (self.level, self.forMs) = (level, forMs) }

        public static let blank = Self(level: 1, forMs: 0)

        public static let members: [WireMember<Self>] = [
            .required("level", \.level, .amount, "as a multiple of the rated drive; 1…1.5"),
            .required("forMs", \.forMs, .amount, "the longest time at more than the rated drive without a break"),
        ]
    }

    public var name: String?
    public var assumed: Bool
    public var kind: String
    public var riseMs: Double
    public var fallMs: Double
    public var start: Double
    public var hold: Double
    public var minPulseMs: Double
    public var resonanceHz: Double?
    public var q: Double?
    public var overdrive: Overdrive?
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

    public static let blank = Self(
        kind: "", riseMs: 0, fallMs: 0, start: 0, hold: 0, minPulseMs: 0, resonanceHz: nil, q: nil, overdrive: nil, brake: false)

    public static let members: [WireMember<Self>] = [
        .nullable("name", \.name, .anyText, "the name of a known motor that moves like this one"),
        .required(
            "assumed", \.assumed, .boolean,
            "the configuration does not describe the motor: this is the commonest motor of such devices"),
        .required("kind", \.kind, .anyText, "`erm` or `lra`"),
        .required("riseMs", \.riseMs, .amount, "from rest to 90 % of the acceleration at rated drive"),
        .required("fallMs", \.fallMs, .amount, "from there, undriven, to 10 %"),
        .required("start", \.start, .amount, "the least share of the rated drive that sets it in motion"),
        .required("hold", \.hold, .amount, "the least share that keeps it in motion"),
        .required("minPulseMs", \.minPulseMs, .amount, "the shortest pulse at rated drive, from rest, that is felt"),
        .nullable("resonanceHz", \.resonanceHz, .amount, "its resonance; null: unknown, or none"),
        .nullable("q", \.q, .amount, "its quality factor; null: unknown, or none"),
        .nullable("overdrive", \.overdrive, .object, "null: no more than the rated drive"),
        .required("brake", \.brake, .boolean, "it may be braked by driving it backwards, where its driver can"),
    ]
}
