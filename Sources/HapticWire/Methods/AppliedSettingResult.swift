// SPDX-License-Identifier: MIT
public import HapticCore

/// A setting that had a say in a decision; null is what it does not have.
public struct AppliedSettingResult: WireResult {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case off, quietHours
        /// Of everything, of the class, or of the app of the decision.
        case strength, classStrength, appStrength
    }

    public var of = Kind.off
    public var by = SettingsLayer.settings
    public var untilNs: Int64?
    public var quietHours: Hours?
    public var exception: QuietHours.Exception?
    public var strength: Double?

    /// Quiet hours without their exceptions, which are much.
    public struct Hours: WireResult {
        public var times: QuietHours

        public static let blank = Self(times: .blank)

        public static let members = QuietHours.times.map { $0.beside(\Self.times) }
    }

    init(_ applied: AppliedSetting) {
        by = applied.layer
        switch applied.value {
        case .off(.forGood): of = .off
        case .off(.until(let end)): (of, untilNs) = (.off, end.nanoseconds)
        case .quietHours(let hours, let exception):
            (of, quietHours, self.exception) = (.quietHours, Hours(times: hours), exception)
        case .strength(let strength): (of, self.strength) = (.strength, strength.value)
        case .classStrength(let strength): (of, self.strength) = (.classStrength, strength.value)
        case .appStrength(let strength): (of, self.strength) = (.appStrength, strength.value)
        }
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("of", \.of, .choice(), "which setting"),
        .required("by", \.by, .choice(), "by whose word it was in force"),
        .nullable(
            "untilNs", \.untilNs, .whole, "of `off`: when it ends, on CLOCK_MONOTONIC; null: when somebody switches it on"),
        .nullable("quietHours", \.quietHours, .object, "the quiet time"),
        .nullable("exception", \.exception, .choice(), "of `quietHours`: why it is felt all the same; null: it is not"),
        .nullable("strength", \.strength, .amount, "the strength, 0…1.5"),
    ]
}
