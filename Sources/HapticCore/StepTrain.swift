// SPDX-License-Identifier: MIT

/// The instants at which a pattern is played N times over a duration.
public struct StepTrain: Hashable, Sendable {
    public enum Ramp: String, CaseIterable, Hashable, Sendable, Codable {
        /// Starts slowly and accelerates, as the press-and-hold charge does.
        case charge
        case linear
    }

    public static let stepRange = 1...10_000
    public static let longestDuration = Nanoseconds.seconds(3600)
    /// That of the whole charge: 160 ticks of 10 ms.
    public static let standardDuration = Nanoseconds.milliseconds(1600)

    public let steps: Int
    public let duration: Nanoseconds
    public let curve: Ramp
    /// The first step comes at 0, and all others as much earlier.
    public let startsAtOnce: Bool

    /// Nil where `steps` is outside `stepRange` or `duration` is not more than 0 and at most `longestDuration`.
    public init?(steps: Int, duration: Nanoseconds = Self.standardDuration, curve: Ramp = .charge) {
        guard Self.stepRange.contains(steps), duration > .zero, duration <= Self.longestDuration else { return nil }
        self.steps = steps
        self.duration = duration
        self.curve = curve
        startsAtOnce = false
    }

    /// A step at once, and then one after each interval. Nil as above.
    public init?(rhythmOf steps: Int, every interval: Nanoseconds) {
        guard Self.stepRange.contains(steps), interval > .zero, interval <= Self.longestDuration else { return nil }
        guard interval * steps <= Self.longestDuration else { return nil }
        self.steps = steps
        duration = interval * (steps - 1)
        curve = .linear
        startsAtOnce = true
    }

    /// When step `k` (1…`steps`) begins, from the start; the last one at the full duration.
    ///
    /// `charge`: duration · n(k/N) / 160 with n(p) the positive root of 0.000035 n² + 0.000665 n = 1.0024 p, which is the
    /// tick at which the charge reaches p when every tick adds an increment that itself grows (see `docs/patterns.md`).
    public func offset(of k: Int) -> Nanoseconds {
        if startsAtOnce { return steps > 1 ? Nanoseconds(duration.count / Int64(steps - 1)) * (k - 1) : .zero }
        let share = Double(k) / Double(steps)
        switch curve {
        case .linear: return duration.scaled(by: share)
        case .charge:
            let (a, b, c) = (0.000035, 0.000665, -1.0024 * share)
            let tick = (-b + (b * b - 4 * a * c).squareRoot()) / (2 * a)
            return duration.scaled(by: tick / 160)
        }
    }
}

/// As a client asks for it: a rhythm is made where it is felt, and is never stored.
extension StepTrain: Codable {
    private enum CodingKeys: CodingKey { case steps, duration, curve }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let train = StepTrain(
            steps: try container.decode(Int.self, forKey: .steps),
            duration: try container.decode(Nanoseconds.self, forKey: .duration),
            curve: try container.decode(Ramp.self, forKey: .curve))
        guard let train else {
            throw DecodingError.dataCorruptedError(forKey: .steps, in: container, debugDescription: "there is no such train")
        }
        self = train
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(steps, forKey: .steps)
        try container.encode(duration, forKey: .duration)
        try container.encode(curve, forKey: .curve)
    }
}
