// SPDX-License-Identifier: MIT

/// The model of a motor: configured, from the library, or assumed.
public struct MotorResult: WireResult {
    /// A drive above the rated one, for a short time.
    public struct Overdrive: WireResult {
        public var level: Double
        public var forMs: Double

        public init(level: Double, forMs: Double) { (self.level, self.forMs) = (level, forMs) }

        public static let blank = Self(level: 1, forMs: 0)

        public static let members: [WireMember<Self>] = [
            .required("level", \.level, .amount, "a multiple of the rated drive; 1…1.5"),
            .required("forMs", \.forMs, .amount, "the longest time above the rated drive without a break"),
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
        .nullable("name", \.name, .anyText, "the name of a known motor with the same model; null: none"),
        .required(
            "assumed", \.assumed, .boolean,
            "whether this is only the commonest motor of such devices, because the configuration does not describe the motor"),
        .required("kind", \.kind, .anyText, "`erm` or `lra`"),
        .required("riseMs", \.riseMs, .amount, "from rest to 90 % of the acceleration at rated drive"),
        .required("fallMs", \.fallMs, .amount, "from there, undriven, to 10 %"),
        .required("start", \.start, .amount, "the least share of the rated drive that starts the motor"),
        .required("hold", \.hold, .amount, "the least share that keeps the motor in motion"),
        .required("minPulseMs", \.minPulseMs, .amount, "the shortest pulse at rated drive, from rest, that is felt"),
        .nullable("resonanceHz", \.resonanceHz, .amount, "the resonance; null: unknown, or none"),
        .nullable("q", \.q, .amount, "the quality factor; null: unknown, or none"),
        .nullable("overdrive", \.overdrive, .object, "the overdrive; null: the rated drive is the greatest"),
        .required("brake", \.brake, .boolean, "whether a driver that can drive the motor backwards may brake it"),
    ]
}
