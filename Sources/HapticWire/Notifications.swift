// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// One change of an actuator, with its planned and its real time.
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
        .required("atNs", \.atNs, .whole, "when it was sent, in ns of CLOCK_MONOTONIC"),
        .required("plannedNs", \.plannedNs, .whole, "when it was to be sent"),
        .required("actuator", \.actuator, .anyText, "the actuator"),
        .required("playback", \.playback, .whole, "the playback"),
        .required(
            "intensity", \.intensity, .amount,
            "the level that is meant at this instant; it may change before the next actuation, if the drive stays as it is"),
        .required("sharpness", \.sharpness, .amount, "the sharpness that is meant"),
        .required("drive", \.drive, .number, "what is sent for it, −1…1.5; 0 is off"),
        .optional(
            "felt", \.felt, .number,
            """
            the acceleration of the motor at `atNs`, by its model; 1 is that at rated drive. Left out if the motor is not known. Under one \
            drive it only rises or only falls, unless the motor is driven backwards: then it may fall to 0 and rise again
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

/// An actuator has come or gone.
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
        .required("available", \.available, .boolean, "whether it can be used now"),
        .nullable("error", \.error, .anyText, "what its driver said, where it failed"),
    ]
}

/// A playback whose rule says `resume` is felt nowhere for a time, or again.
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
        .required("state", \.state, .choice(), "whether it is felt nowhere, or again"),
        .required("atNs", \.atNs, .whole, "when, in ns of CLOCK_MONOTONIC"),
    ]
}

/// A press and hold goes on.
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
        .nullable("id", \.id, .anyText, "the hold; null: another user's"),
        .required("origin", \.origin, .choice(), "`device`: a key or a button that hapticd reads"),
        .required("user", \.user, .whole, "whose it is"),
        .required("state", \.state, .choice(), "what has become of it"),
        .nullable("value", \.value, .amount, "how far it has come, 0…1; null: another user's"),
        .required("atNs", \.atNs, .whole, "when, in ns of CLOCK_MONOTONIC"),
    ]
}

/// This many notifications were left out, because they were not read fast enough.
public struct MissedNotice: WireResult {
    public var count: UInt64

    public init(count: UInt64) { self.count = count }

    public static let blank = Self(count: 0)

    public static let members: [WireMember<Self>] = [
        .required("count", \.count, .whole, "how many notifications were left out")
    ]
}

/// What a subscriber gets.
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

    /// What it says.
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

    /// What another user may know of it; nil: all of it.
    public var masked: Notice? {
        switch self {
        case .decision(let decision) where decision != decision.masked: .decision(decision.masked)
        case .hold(let hold) where hold != hold.masked: .hold(hold.masked)
        case .actuation(let actuation) where actuation.followedOwner != nil: .actuation(actuation.masked)
        default: nil
        }
    }

    /// The one to subscribe to for this; nil: it comes without.
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

    enum Kind: String, CaseIterable {
        case decision, playback, interruption, actuation, actuator, hold, settings, missed

        var content: any WireResult.Type {
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

        var topic: Topic? {
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

        var summary: String {
            switch self {
            case .decision: "topic `decisions`: what became of an input, and why"
            case .playback: "topic `playbacks`: how a playback ended"
            case .interruption: "topic `playbacks`: one whose rule says `resume` is felt nowhere for a time, or again"
            case .actuation: "topic `actuations`: a change of an actuator: what is meant, what is sent, planned and real time"
            case .actuator: "topic `actuators`: an actuator has come or gone"
            case .hold: "topic `holds`: a press and hold has begun, has come a step further, is confirmed or has fallen back to 0"
            case .settings:
                "topic `settings`: what people have set has changed, or what is configured of it; `settings` says what is in force"
            case .missed: "this many notifications were left out, because they were not read fast enough"
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
