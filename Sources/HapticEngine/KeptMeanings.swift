// SPDX-License-Identifier: MIT
public import HapticCore

/// In which patterns the profile `reduced` keeps a meaning, by their names.
public struct KeptMeanings: Hashable, Sendable, Codable {
    /// What lights show. None flashes more often than `FlashBound` says, or the configuration is refused.
    public var success: String
    public var warning: String
    public var error: String
    /// What motors play where no light can show it and the class is nothing.
    public var touch: String

    public init(success: String, warning: String, error: String, touch: String) {
        self.success = success
        self.warning = warning
        self.error = error
        self.touch = touch
    }

    public static let standard = KeptMeanings(
        success: "glowSuccess", warning: "glowWarning", error: "glowError", touch: "tick")

    /// What lights show of it.
    public subscript(_ meaning: Meaning) -> String {
        get {
            switch meaning {
            case .success: success
            case .warning: warning
            case .error: error
            }
        }
        set {
            switch meaning {
            case .success: success = newValue
            case .warning: warning = newValue
            case .error: error = newValue
            }
        }
    }
}
