// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A change of an actuator, with the planned and the real time.
public struct ActuationNotice: WireResult {
    public var atNs: Int64 = 0
    public var plannedNs: Int64 = 0
    public var actuator = ""
    public var playback: UInt64 = 0
    public var intensity = 0.0
    public var sharpness = 0.0
    public var drive = 0.0
    public var felt: Double?
    /// Not on the wire: the owner of the followed value that the levels reveal; `nil` if they reveal none, and `severalOwners`.
    public var followedOwner: Owner?

    /// The values of several owners are revealed, so nobody may read the notice as its own: the kernel gives no user this id.
    public static let severalOwners = Owner(user: .max)

    public init(
        _ actuation: Actuation, at real: MonotonicInstant, actuator: String, felt: Double? = nil, followedOwner: Owner? = nil
    ) {
        self.followedOwner = followedOwner
        atNs = real.nanoseconds
        plannedNs = actuation.planned.nanoseconds
        self.actuator = actuator
        playback = actuation.playback.value
        intensity = actuation.level.intensity.value
        sharpness = actuation.level.sharpness.value
        drive = actuation.drive.value
        self.felt = felt.map { ($0 * 1000).rounded() / 1000 }
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("atNs", \.atNs, .whole, "the real instant, in ns of `CLOCK_MONOTONIC`"),
        .required("plannedNs", \.plannedNs, .whole, "the planned instant"),
        .required("actuator", \.actuator, .anyText, "the actuator"),
        .required("playback", \.playback, .whole, "the playback"),
        .required(
            "intensity", \.intensity, .amount,
            """
            the intended level at this instant; while the drive of a fitted motor stays the same, the level may change without \
            a notification
            """
        ),
        .required("sharpness", \.sharpness, .amount, "the intended sharpness"),
        .required("drive", \.drive, .number, "the drive that is sent, −1…1.5; 0 is off, below 0 is backwards"),
        .optional(
            "felt", \.felt, .number,
            """
            the acceleration of the motor at `atNs`, by its model; 1 is the acceleration at rated drive. Absent if the motor is unknown. \
            Under one drive it only rises or only falls, unless the motor is driven backwards: then it may fall to 0 and rise again
            """),
    ]
}

extension ActuationNotice {
    /// The notice for other users: a followed value is readable only to the next tenth.
    var masked: ActuationNotice {
        guard followedOwner != nil else { return self }
        func rough(_ value: Double) -> Double { (value * 10).rounded(.awayFromZero) / 10 }
        var masked = self
        // At a detent the sharpness depends on the value, too.
        (masked.intensity, masked.sharpness, masked.drive) = (rough(intensity), rough(sharpness), rough(drive))
        masked.felt = felt.map(rough)
        return masked
    }
}

/// An actuator was connected or lost.
public struct ActuatorNotice: WireResult {
    public var actuator: String
    public var available: Bool
    public var error: String?

    public init(actuator: String, isAvailable: Bool, error: String?) {
        self.actuator = actuator
        available = isAvailable
        self.error = error
    }

    public static let blank = Self(actuator: "", isAvailable: false, error: nil)

    public static let members: [WireMember<Self>] = [
        .required("actuator", \.actuator, .anyText, "the actuator"),
        .required("available", \.available, .boolean, "whether the actuator can be used now"),
        .nullable("error", \.error, .anyText, "the error of the driver, else null"),
    ]
}

/// A playback whose rule has `resume` is interrupted, or goes on.
public struct InterruptionNotice: WireResult {
    public var playback: UInt64
    public var state: PlaybackInterruption.State
    public var atNs: Int64

    public init(_ interruption: PlaybackInterruption) {
        playback = interruption.playback.value
        state = interruption.state
        atNs = interruption.at.nanoseconds
    }

    public static let blank = Self(PlaybackInterruption(playback: PlaybackID(0), state: .interrupted, at: .zero))

    public static let members: [WireMember<Self>] = [
        .required("playback", \.playback, .whole, "the playback"),
        .required("state", \.state, .choice(), "`interrupted`: it waits, and is felt nowhere; `resumed`: it goes on"),
        .required("atNs", \.atNs, .whole, "the instant, in ns of `CLOCK_MONOTONIC`"),
    ]
}

/// A change of a hold.
public struct HoldNotice: WireResult {
    public var id: String?
    public var origin = Decision.Origin.client
    public var user: UInt32 = 0
    public var state = HoldChange.State.began
    public var value: Double?
    public var atNs: Int64 = 0
    /// Not on the wire: the scope of `user`.
    var scope: UInt32?

    public init(_ change: HoldChange) {
        id = change.id
        origin = change.origin
        user = change.user
        scope = change.scope
        state = change.state
        value = change.value.value
        atNs = change.at.nanoseconds
    }

    private init() {}

    /// The owner of its id and value.
    public var owner: Owner { Owner(user: user, scope: scope) }

    /// The notice for other owners.
    public var masked: HoldNotice {
        if origin == .device { return self }
        var masked = self
        (masked.id, masked.value) = (nil, nil)
        return masked
    }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .nullable("id", \.id, .anyText, "the hold; null: the hold of another user or scope"),
        .required("origin", \.origin, .choice(), "`device`: a key or a button that hapticd reads"),
        .required("user", \.user, .whole, "the user of the hold"),
        .required("state", \.state, .choice(), "the new state"),
        .nullable(
            "value", \.value, .amount,
            "the progress, 0…1; with `began` above 0 if the hold continues while it falls; null: the hold of another user or scope"
        ),
        .required("atNs", \.atNs, .whole, "the instant, in ns of `CLOCK_MONOTONIC`"),
    ]
}

/// Notifications that a slow client missed.
public struct MissedNotice: WireResult {
    public var count: UInt64

    public init(count: UInt64) { self.count = count }

    public static let blank = Self(count: 0)

    public static let members: [WireMember<Self>] = [
        .required("count", \.count, .whole, "the number of missed notifications before this one")
    ]
}

/// A notification for a subscriber.
public enum Notice: Hashable, Sendable {
    case decision(DecisionResult)
    case playback(EndingResult)
    case interruption(InterruptionNotice)
    case actuation(ActuationNotice)
    case actuator(ActuatorNotice)
    case hold(HoldNotice)
    case settings(SettingsNotice)
    case missed(MissedNotice)

    /// The method of the notification, and the key in `--json` output.
    public var name: String { kind.rawValue }

    /// The params of the notification.
    var content: any WireResult {
        switch self {
        case .decision(let content): content
        case .playback(let content): content
        case .interruption(let content): content
        case .actuation(let content): content
        case .actuator(let content): content
        case .hold(let content): content
        case .settings(let content): content
        case .missed(let content): content
        }
    }

    private var kind: Kind {
        switch self {
        case .decision: .decision
        case .playback: .playback
        case .interruption: .interruption
        case .actuation: .actuation
        case .actuator: .actuator
        case .hold: .hold
        case .settings: .settings
        case .missed: .missed
        }
    }

    /// The notice for other users; `nil`: the same.
    public var masked: Notice? {
        switch self {
        case .decision(let decision) where decision != decision.masked: .decision(decision.masked)
        case .hold(let hold) where hold != hold.masked: .hold(hold.masked)
        case .actuation(let actuation) where actuation.followedOwner != nil: .actuation(actuation.masked)
        default: nil
        }
    }

    /// The topic of a subscription; `nil`: any.
    public var topic: Topic? { kind.topic }

    init(_ kind: Kind, _ node: Node?, of path: String) throws(WireError) {
        switch kind {
        case .decision: self = .decision(try DecisionResult(node, of: path))
        case .playback: self = .playback(try EndingResult(node, of: path))
        case .interruption: self = .interruption(try InterruptionNotice(node, of: path))
        case .actuation: self = .actuation(try ActuationNotice(node, of: path))
        case .actuator: self = .actuator(try ActuatorNotice(node, of: path))
        case .hold: self = .hold(try HoldNotice(node, of: path))
        case .settings: self = .settings(try SettingsNotice(node, of: path))
        case .missed: self = .missed(try MissedNotice(node, of: path))
        }
    }

    package enum Kind: String, CaseIterable {
        case decision, playback, interruption, actuation, actuator, hold, settings, missed

        package var content: any WireResult.Type {
            switch self {
            case .decision: DecisionResult.self
            case .playback: EndingResult.self
            case .interruption: InterruptionNotice.self
            case .actuation: ActuationNotice.self
            case .actuator: ActuatorNotice.self
            case .hold: HoldNotice.self
            case .settings: SettingsNotice.self
            case .missed: MissedNotice.self
            }
        }

        package var topic: Topic? {
            switch self {
            case .decision: .decisions
            case .playback, .interruption: .playbacks
            case .actuation: .actuations
            case .actuator: .actuators
            case .hold: .holds
            case .settings: .settings
            case .missed: nil
            }
        }

        package var summary: String {
            switch self {
            case .decision: "the decision on an input"
            case .playback: "the end of a playback"
            case .interruption: "a playback whose rule has `resume` is interrupted, or goes on"
            case .actuation: "an actuator changes: the intended level, the drive, planned and real time"
            case .actuator: "an actuator was connected or lost"
            case .hold: "a hold begins, is charged by another step, is confirmed, or has fallen back to 0"
            case .settings:
                "the settings in force have changed, or quiet hours or a condition begin or end; one notification for each line"
            case .missed: "a slow client has missed notifications"
            }
        }
    }
}

/// As one object `{"decision": {…}}`: a line of `--json` output.
extension Notice: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        try container.encode(content, forKey: MemberKey(stringValue: name))
    }
}
