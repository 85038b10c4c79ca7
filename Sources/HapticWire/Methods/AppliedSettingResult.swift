// SPDX-License-Identifier: MIT
public import HapticCore

/// A setting that affected a decision; values of other settings are null.
public struct AppliedSettingResult: WireResult {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case off, quietHours
        /// The strength of all feedback, of the class, or of the app of the decision.
        case strength, classStrength, appStrength
    }

    public var of = Kind.off
    public var by = SettingsLayer.settings
    public var untilNs: Int64?
    public var quietHours: Hours?
    public var exception: QuietHours.Exception?
    public var strength: Double?

    /// Quiet hours without their exceptions, which are long.
    public struct Hours: WireResult {
        public var times: QuietHours

        public static let blank = Self(times: .blank)

        public static let members = QuietHours.times.map { $0.flattened(from: \Self.times) }
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
        .required(
            "of", \.of, .choice(),
            "the setting; `classStrength` and `appStrength` concern the `class` and the `app` of the decision"),
        .required("by", \.by, .choice(), "the layer that gave the setting"),
        .nullable(
            "untilNs", \.untilNs, .whole, "for `off`: the end, in ns of `CLOCK_MONOTONIC`; null: until feedback is switched on"),
        .nullable("quietHours", \.quietHours, .object, "for `quietHours`: the time"),
        .nullable(
            "exception", \.exception, .choice(),
            "for `quietHours`: the exception that allowed the feedback; null: none. Two excepting quiet hours are two settings"),
        .nullable("strength", \.strength, .amount, "the strength, 0…1.5"),
    ]
}
