// SPDX-License-Identifier: MIT
public import HapticCore

/// The changes that a condition makes to the policy while a client or a switch asserts it. `alarm` has no change: no condition suppresses one.
public struct ConditionRule: Hashable, Sendable, Codable {
    /// The most rules of a configuration.
    public static let most = 64
    /// The most assertions of one user: each name counts once for each connection.
    public static let mostPerUser = 32

    /// The effect on each class that the condition changes itself, in place of its profile.
    public struct Effects: Hashable, Sendable, Codable {
        public var notification: ProfileEffect?
        public var interaction: ProfileEffect?
        public var texture: ProfileEffect?

        public init() {}

        /// `nil` for `alarm`, which cannot be set.
        public subscript(_ feedbackClass: FeedbackClass) -> ProfileEffect? {
            get {
                switch feedbackClass {
                case .alarm: nil
                case .notification: notification
                case .interaction: interaction
                case .texture: texture
                }
            }
            set {
                switch feedbackClass {
                case .alarm: break
                case .notification: notification = newValue
                case .interaction: interaction = newValue
                case .texture: texture = newValue
                }
            }
        }
    }

    /// The name of the condition, exactly.
    public var name: String
    public var effects: Effects
    /// The profile of the classes without an effect of their own. It counts if it is stricter than the one in force.
    public var profile: Profile?

    public init(name: String, effects: Effects = Effects(), profile: Profile? = nil) {
        self.name = name
        self.effects = effects
        self.profile = profile
    }
}

/// The request of a client, or of a switch of the device, to assert a condition, or to release it.
public struct ConditionRequest: Hashable, Sendable, Codable {
    public var client: ClientIdentity
    public var name: String
    public var isOn: Bool

    public init(client: ClientIdentity, name: String, isOn: Bool) {
        self.client = client
        self.name = name
        self.isOn = isOn
    }
}

/// The result of a `ConditionRequest`.
public enum ConditionChange: Hashable, Sendable, Encodable {
    /// `isInForce`: whether anyone asserts the condition of this name after the request.
    case taken(String, isInForce: Bool)
    /// The configuration has no rule of this name.
    case unknown
    /// The user asserts as many as one user may.
    case tooMany
}
