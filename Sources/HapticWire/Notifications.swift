// SPDX-License-Identifier: MIT
public import HapticCore

/// One change of an actuator, with its planned and its real time.
public struct ActuationNotice: Codable, Hashable, Sendable {
    public var atNs: Int64
    public var plannedNs: Int64
    public var actuator: String
    public var playback: UInt64
    /// The level that is meant at this instant. The level may change before the next actuation, because a change that
    /// leaves the drive as it is causes none.
    public var intensity: Double
    public var sharpness: Double
    /// What is sent for it, −1…1.5; 0 is off.
    public var drive: Double
    /// The acceleration of the motor at `atNs`, by its model, to a thousandth; 1 is that at rated drive. Under one drive it only rises
    /// or only falls, unless the motor is driven backwards: then it may fall to 0 and rise again. `nil` if the motor is not known.
    public var felt: Double?
    /// Not on the wire: the user whose followed value the levels reveal; `nil` if they reveal none, and `severalUsers`.
    public var followedUser: UInt32?

    /// The values of several users are revealed, so nobody may read the notice as its own: the kernel gives no user this id.
    public static let severalUsers = UInt32.max

    private enum CodingKeys: CodingKey { case atNs, plannedNs, actuator, playback, intensity, sharpness, drive, felt }

    public init(
        _ actuation: Actuation, at real: MonotonicInstant, actuator: String, felt: Double? = nil, followedUser: UInt32? = nil
    ) {
        self.followedUser = followedUser
        atNs = real.nanoseconds
        plannedNs = actuation.planned.nanoseconds
        self.actuator = actuator
        playback = actuation.playback.value
        intensity = actuation.level.intensity.value
        sharpness = actuation.level.sharpness.value
        drive = actuation.drive.value
        self.felt = felt.map { ($0 * 1000).rounded() / 1000 }
    }
}

extension ActuationNotice {
    /// The notice for other users: a followed value is readable only to the next tenth.
    var masked: ActuationNotice {
        guard followedUser != nil else { return self }
        func rough(_ value: Double) -> Double { (value * 10).rounded(.awayFromZero) / 10 }
        var masked = self
        // At a detent the sharpness depends on the value, too.
        (masked.intensity, masked.sharpness, masked.drive) = (rough(intensity), rough(sharpness), rough(drive))
        masked.felt = felt.map(rough)
        return masked
    }
}

/// An actuator has come or gone.
public struct ActuatorNotice: Codable, Hashable, Sendable {
    public var actuator: String
    public var available: Bool
    /// What its driver said, where it failed.
    public var error: String?

    public init(actuator: String, isAvailable: Bool, error: String?) {
        self.actuator = actuator
        available = isAvailable
        self.error = error
    }

    private enum CodingKeys: CodingKey { case actuator, available, error }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(actuator, forKey: .actuator)
        try container.encode(available, forKey: .available)
        try container.encode(error, forKey: .error)
    }
}

/// A playback whose rule says `resume` is felt nowhere for a time, or again.
public struct InterruptionNotice: Codable, Hashable, Sendable {
    public var playback: UInt64
    /// `interrupted` or `resumed`.
    public var state: String
    public var atNs: Int64

    public init(_ interruption: PlaybackInterruption) {
        playback = interruption.playback.value
        state = interruption.state.rawValue
        atNs = interruption.at.nanoseconds
    }
}

/// A press and hold goes on.
public struct HoldNotice: Codable, Hashable, Sendable {
    /// Null: it is another user's.
    public var id: String?
    /// `client`, or `device`: a key or a button that hapticd reads.
    public var origin: String
    /// Whose it is.
    public var user: UInt32
    /// `began`, `progress`, `confirmed` or `released`.
    public var state: String
    /// How far it has come, 0…1. Null: it is another user's.
    public var value: Double?
    public var atNs: Int64

    public init(_ change: HoldChange) {
        id = change.id
        origin = change.origin.rawValue
        user = change.user
        state = change.state.rawValue
        value = change.value.value
        atNs = change.at.nanoseconds
    }

    /// What another user may know of it.
    public var masked: HoldNotice {
        if origin == Decision.Origin.device.rawValue { return self }
        var masked = self
        (masked.id, masked.value) = (nil, nil)
        return masked
    }

    private enum CodingKeys: CodingKey { case id, origin, user, state, value, atNs }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(origin, forKey: .origin)
        try container.encode(user, forKey: .user)
        try container.encode(state, forKey: .state)
        try container.encode(value, forKey: .value)
        try container.encode(atNs, forKey: .atNs)
    }
}

/// Another profile is in force.
public struct ProfileNotice: Codable, Hashable, Sendable {
    public var atNs: Int64
    public var profile: String
    /// The user who set it; null: the configuration did.
    public var user: UInt32?
    /// The process that did.
    public var process: Int32?

    public init(_ profile: Profile, at instant: MonotonicInstant, user: UInt32? = nil, process: Int32? = nil) {
        atNs = instant.nanoseconds
        self.profile = profile.rawValue
        self.user = user
        self.process = process
    }

    private enum CodingKeys: CodingKey { case atNs, profile, user, process }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(atNs, forKey: .atNs)
        try container.encode(profile, forKey: .profile)
        try container.encode(user, forKey: .user)
        try container.encode(process, forKey: .process)
    }
}

/// This many notifications were left out, because they were not read fast enough.
public struct MissedNotice: Codable, Hashable, Sendable {
    public var count: UInt64

    public init(count: UInt64) { self.count = count }
}

/// What a subscriber gets.
public enum Notice: Hashable, Sendable {
    case decision(DecisionResult)
    case playback(EndingResult)
    case interruption(InterruptionNotice)
    case actuation(ActuationNotice)
    case actuator(ActuatorNotice)
    case hold(HoldNotice)
    case profile(ProfileNotice)
    case settings(SettingsNotice)
    case missed(MissedNotice)

    /// The method of the notification, and the key in `--json` output.
    public var name: String { kind.rawValue }

    private var kind: Kind {
        switch self {
        case .decision: .decision
        case .playback: .playback
        case .interruption: .interruption
        case .actuation: .actuation
        case .actuator: .actuator
        case .hold: .hold
        case .profile: .profile
        case .settings: .settings
        case .missed: .missed
        }
    }

    /// What another user may know of it; nil: all of it.
    public var masked: Notice? {
        switch self {
        case .decision(let decision) where decision != decision.masked: .decision(decision.masked)
        case .hold(let hold) where hold != hold.masked: .hold(hold.masked)
        case .actuation(let actuation) where actuation.followedUser != nil: .actuation(actuation.masked)
        default: nil
        }
    }

    /// The one to subscribe to for this; nil: it comes without.
    public var topic: Topic? {
        switch self {
        case .decision: .decisions
        case .playback, .interruption: .playbacks
        case .actuation: .actuations
        case .actuator: .actuators
        case .hold: .holds
        case .profile: .profile
        case .settings: .settings
        case .missed: nil
        }
    }

    enum Kind: String, CodingKey, CaseIterable {
        case decision, playback, interruption, actuation, actuator, hold, profile, settings, missed
    }
}

/// As one object `{"decision": {…}}`: a line of `--json` output.
extension Notice: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: "not a notice"))
        }
        self = try Self(kind, in: container, at: kind)
    }

    init<Key: CodingKey>(_ kind: Kind, in container: KeyedDecodingContainer<Key>, at key: Key) throws {
        switch kind {
        case .decision: self = .decision(try container.decode(DecisionResult.self, forKey: key))
        case .playback: self = .playback(try container.decode(EndingResult.self, forKey: key))
        case .interruption: self = .interruption(try container.decode(InterruptionNotice.self, forKey: key))
        case .actuation: self = .actuation(try container.decode(ActuationNotice.self, forKey: key))
        case .actuator: self = .actuator(try container.decode(ActuatorNotice.self, forKey: key))
        case .hold: self = .hold(try container.decode(HoldNotice.self, forKey: key))
        case .profile: self = .profile(try container.decode(ProfileNotice.self, forKey: key))
        case .settings: self = .settings(try container.decode(SettingsNotice.self, forKey: key))
        case .missed: self = .missed(try container.decode(MissedNotice.self, forKey: key))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        try encode(into: &container, at: kind)
    }

    func encode<Key: CodingKey>(into container: inout KeyedEncodingContainer<Key>, at key: Key) throws {
        switch self {
        case .decision(let notice): try container.encode(notice, forKey: key)
        case .playback(let notice): try container.encode(notice, forKey: key)
        case .interruption(let notice): try container.encode(notice, forKey: key)
        case .actuation(let notice): try container.encode(notice, forKey: key)
        case .actuator(let notice): try container.encode(notice, forKey: key)
        case .hold(let notice): try container.encode(notice, forKey: key)
        case .profile(let notice): try container.encode(notice, forKey: key)
        case .settings(let notice): try container.encode(notice, forKey: key)
        case .missed(let notice): try container.encode(notice, forKey: key)
        }
    }
}
