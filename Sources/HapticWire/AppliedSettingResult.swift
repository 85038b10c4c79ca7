// SPDX-License-Identifier: MIT
internal import HapticCore

/// A setting that had a say in a decision; null is what it does not have.
public struct AppliedSettingResult: Codable, Hashable, Sendable {
    /// `off`, `quietHours`, `strength` (of everything), `classStrength` or `appStrength` (of the decision's class and app).
    public var of: String
    /// By whose word it was in force: `settings` or `configuration`.
    public var by: String
    /// Of `off`: when it ends, on CLOCK_MONOTONIC; null: when somebody switches it on.
    public var untilNs: Int64?
    public var quietHours: Hours?
    /// Of `quietHours`: why it is felt all the same, `class`, `app` or `repeated`; null: it is not.
    public var exception: String?
    /// 0…1.5.
    public var strength: Double?

    /// Without what is excepted, which is much.
    public struct Hours: Codable, Hashable, Sendable {
        public var days: [String]
        public var from: String
        public var to: String

        init(_ hours: QuietHours) {
            let hours = QuietTime(hours)
            (days, from, to) = (hours.days, hours.from, hours.to)
        }
    }

    init(_ applied: AppliedSetting) {
        by = applied.layer.rawValue
        switch applied.value {
        case .off(.forGood): of = "off"
        case .off(.until(let end)): (of, untilNs) = ("off", end.nanoseconds)
        case .quietHours(let hours, let exception):
            (of, quietHours, self.exception) = ("quietHours", Hours(hours), exception?.rawValue)
        case .strength(let strength): (of, self.strength) = ("strength", strength.value)
        case .classStrength(let strength): (of, self.strength) = ("classStrength", strength.value)
        case .appStrength(let strength): (of, self.strength) = ("appStrength", strength.value)
        }
    }

    private enum CodingKeys: CodingKey { case of, by, untilNs, quietHours, exception, strength }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(of, forKey: .of)
        try container.encode(by, forKey: .by)
        try container.encode(untilNs, forKey: .untilNs)
        try container.encode(quietHours, forKey: .quietHours)
        try container.encode(exception, forKey: .exception)
        try container.encode(strength, forKey: .strength)
    }
}
