// SPDX-License-Identifier: MIT

/// The links of the policy: the chain between what should be felt and its playback, in the order in which they are asked.
///
/// Each returns why nothing may be felt, or nil. The first that objects gives the decision its reason, and those after it are
/// not asked.
public enum PolicyLink: String, CaseIterable, Hashable, Sendable, Encodable {
    case feedback, condition, access, off, quietHours, deadline, work, duplicate, profile, strength, rate

    /// `allCases`, which the compiler makes as an array each time.
    public static let chain = allCases

    /// The name in a journal: `condition` keeps the one that it had as the link of a suspension alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self == .condition ? "suspend" : rawValue)
    }
}

/// What a link has changed of what should be felt.
public struct PolicyChange: Hashable, Sendable, Encodable {
    public enum Change: Hashable, Sendable, Encodable {
        case pattern(from: String, to: String)
        case intensity(from: Intensity, to: Intensity)
        /// By name.
        case actuators(from: [String], to: [String])
        /// So much later than the decision it begins.
        case delay(from: Nanoseconds, to: Nanoseconds)
    }

    public var link: PolicyLink
    public var change: Change

    public init(_ link: PolicyLink, _ change: Change) {
        self.link = link
        self.change = change
    }
}

/// What the policy made of one input.
public struct PolicyPath: Hashable, Sendable, Encodable {
    /// The profile at that time, and by whose word it was.
    public var profile: Profile
    public var profileLayer: SettingsLayer
    /// The link that objected; nil: none did, and all were asked.
    public var objection: PolicyLink?
    /// The name of the condition that objected, or that changed how much is felt; `nil`: none did.
    public var condition: String?
    /// In the order of the links; empty, mostly.
    public var changes: [PolicyChange]
    /// What of the settings beside the profile had a say, in the order of the links; empty, mostly.
    public var settings: [AppliedSetting]

    public init(
        profile: Profile, by profileLayer: SettingsLayer = .configuration, objection: PolicyLink? = nil,
        condition: String? = nil, changes: [PolicyChange] = [], settings: [AppliedSetting] = []
    ) {
        self.profile = profile
        self.profileLayer = profileLayer
        self.objection = objection
        self.condition = condition
        self.changes = changes
        self.settings = settings
    }
}

/// A setting that had a say in a decision, and by whose word it was in force.
public struct AppliedSetting: Hashable, Sendable, Encodable {
    public enum Value: Hashable, Sendable, Encodable {
        case off(Off)
        /// `exception`: why it is felt all the same; nil: it is not.
        case quietHours(QuietHours, exception: QuietHours.Exception?)
        /// Of everything.
        case strength(Strength)
        /// Of the class, and of the app, that the decision has.
        case classStrength(Strength)
        case appStrength(Strength)
    }

    public var value: Value
    public var layer: SettingsLayer

    public init(_ value: Value, by layer: SettingsLayer) {
        self.value = value
        self.layer = layer
    }
}
