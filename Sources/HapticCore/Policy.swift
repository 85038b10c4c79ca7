// SPDX-License-Identifier: MIT

/// The links of the policy: the chain between what should be felt and its playback, in the order in which they are asked.
///
/// Each returns why nothing may be felt, or nil. The first that objects gives the decision its reason, and those after it are
/// not asked.
public enum PolicyLink: String, CaseIterable, Hashable, Sendable, Encodable {
    case feedback, suspend, deadline, work, duplicate, profile, rate

    /// `allCases`, which the compiler makes as an array each time.
    public static let chain = allCases
}

/// What a link has changed of what should be felt.
public struct PolicyChange: Hashable, Sendable, Encodable {
    public enum Change: Hashable, Sendable, Encodable {
        case pattern(from: String, to: String)
        case intensity(from: Intensity, to: Intensity)
        /// By name.
        case actuators(from: [String], to: [String])
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
    /// The profile at that time.
    public var profile: Profile
    /// The link that objected; nil: none did, and all were asked.
    public var objection: PolicyLink?
    /// In the order of the links; empty, mostly.
    public var changes: [PolicyChange]

    public init(profile: Profile, objection: PolicyLink? = nil, changes: [PolicyChange] = []) {
        self.profile = profile
        self.objection = objection
        self.changes = changes
    }
}
