// SPDX-License-Identifier: MIT

/// What people have set while the daemon runs, or what the configuration says where they have not.
///
/// Each key counts whole: one that is set takes the place of the configuration's, one that is not leaves that in force. Each class and
/// each app is a key of its own.
public struct Settings: Hashable, Sendable, Codable {
    public enum Limit {
        /// How many apps can have a strength.
        public static let apps = 1024
        public static let quietHours = 64
        /// How many apps a quiet time can except.
        public static let exceptedApps = 64
        /// How many all quiet times can except together: with the apps that have a strength, as many names as are said in 6 ms.
        public static let exceptedAppsInAll = 256
        /// The longest that feedback can be off for: a leap year.
        public static let off = Nanoseconds.seconds(366 * 86_400)
    }

    public var profile: Profile?
    /// Of everything.
    public var strength: Strength?
    public var classes: [FeedbackClass: Strength]
    /// As many as `Limit.apps`.
    public var apps: [Text: Strength]
    public var quietHours: [QuietHours]?
    /// Nil: feedback is on. Only people switch it off, never the configuration.
    public var off: Off?

    public init(
        profile: Profile? = nil, strength: Strength? = nil, classes: [FeedbackClass: Strength] = [:],
        apps: [Text: Strength] = [:], quietHours: [QuietHours]? = nil, off: Off? = nil
    ) {
        self.profile = profile
        self.strength = strength
        self.classes = classes
        self.apps = apps
        self.quietHours = quietHours
        self.off = off
    }
}

/// How long nothing is felt.
public enum Off: Hashable, Sendable, Codable {
    /// Until somebody switches it on.
    case forGood
    /// From this instant on feedback is on again.
    case until(MonotonicInstant)
}

/// How much of a feedback people want to feel: its intensity is multiplied by this, and is 1 at most.
public struct Strength: Hashable, Comparable, Sendable {
    /// 0…1.5.
    public let value: Double

    /// Nil where `value` is outside 0…1.5 or not a number.
    public init?(_ value: Double) {
        guard value >= 0, value <= 1.5 else { return nil }
        self.value = value
    }

    public static let full = Strength(unchecked: 1)
    /// The most that can be asked for.
    public static let most = Strength(unchecked: 1.5)

    private init(unchecked value: Double) { self.value = value }

    public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

extension Strength: SingleValueCodable {
    public var coded: Double { value }
    public init?(coded: Double) { self.init(coded) }
}

/// A change of what people have set. Nil: this stays as it is.
public struct SettingsChange: Hashable, Sendable, Codable {
    public enum Change<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
        /// The configuration's counts again.
        case restore
        case set(Value)
    }

    /// These change, the others stay.
    public typealias Entries<Key: Hashable & Sendable & Codable> = [Key: Change<Strength>]

    public var profile: Change<Profile>?
    public var strength: Change<Strength>?
    /// `restore`: all of them.
    public var classes: Change<Entries<FeedbackClass>>?
    public var apps: Change<Entries<Text>>?
    public var quietHours: Change<[QuietHours]>?
    /// `restore`: feedback is on.
    public var off: Change<Off>?

    public init(
        profile: Change<Profile>? = nil, strength: Change<Strength>? = nil, classes: Change<Entries<FeedbackClass>>? = nil,
        apps: Change<Entries<Text>>? = nil, quietHours: Change<[QuietHours]>? = nil, off: Change<Off>? = nil
    ) {
        self.profile = profile
        self.strength = strength
        self.classes = classes
        self.apps = apps
        self.quietHours = quietHours
        self.off = off
    }
}

extension Settings {
    /// Throws, and changes nothing, where there would be too many apps.
    public mutating func take(_ change: SettingsChange) throws(TooManyApps) {
        var new = self
        new.profile.take(change.profile)
        new.strength.take(change.strength)
        new.classes.take(change.classes)
        new.apps.take(change.apps)
        new.quietHours.take(change.quietHours)
        new.off.take(change.off)
        guard new.apps.count <= Limit.apps else { throw TooManyApps() }
        self = new
    }

    /// As many apps as there may be have a strength already.
    public struct TooManyApps: Error, Hashable, Encodable, CustomStringConvertible {
        public init() {}

        public var description: String {
            "\(Limit.apps) apps have a strength already; take one back (`hapticctl strength --app NAME default`; on the wire null as its strength), or all of them (`apps`: null)"
        }
    }
}

extension Optional where Wrapped: Hashable & Sendable & Codable {
    fileprivate mutating func take(_ change: SettingsChange.Change<Wrapped>?) {
        switch change {
        case nil: break
        case .restore: self = nil
        case .set(let value): self = value
        }
    }
}

extension Dictionary where Key: Sendable & Codable, Value == Strength {
    fileprivate mutating func take(_ change: SettingsChange.Change<SettingsChange.Entries<Key>>?) {
        switch change {
        case nil: break
        case .restore: self = [:]
        case .set(let entries):
            for (key, change) in entries { self[key].take(change) }
        }
    }
}
