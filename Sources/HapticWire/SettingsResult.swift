// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Whether anything is felt now, as far as people's settings say, and whether these last.
public struct SettingsNow: Codable, Hashable, Sendable {
    /// `off`, `quietHours`, `settings` or `configuration`: the first of these that says how much is felt.
    public var deciding: String
    /// Null: feedback is on.
    public var off: OffLeft?
    /// These are quiet hours.
    public var quiet: Bool
    /// When it is quiet no longer, such as `07:00`; null where it is not quiet, or always is.
    public var quietUntil: String?
    /// Whether what people set is there after a restart: not where there is no place for it, or that cannot be used.
    public var kept: Bool
    /// Why what people had set may not be in force, or what they set may not last, and what to do; null: all is well.
    public var trouble: String?

    /// How long feedback is off.
    public struct OffLeft: Codable, Hashable, Sendable {
        /// Null: until somebody switches it on.
        public var remainingMs: Double?

        public init(remainingMs: Double?) { self.remainingMs = remainingMs }

        private enum CodingKeys: CodingKey { case remainingMs }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(remainingMs, forKey: .remainingMs)
        }
    }

    /// `time`: what the clocks on the wall show at `now`; nil: nobody has said.
    public init(
        _ settings: SettingsInForce, at now: MonotonicInstant, _ time: LocalTime?, isKept: Bool, trouble: String? = nil
    ) {
        let isQuiet = time.map { settings.quietHours(at: $0) != nil } ?? false
        deciding = settings.deciding(at: time).rawValue
        off =
            switch settings.off {
            case nil: nil
            case .forGood: OffLeft(remainingMs: nil)
            case .until(let end): OffLeft(remainingMs: max(.zero, end - now).inMilliseconds)
            }
        (quiet, quietUntil) = (isQuiet, isQuiet ? time.flatMap { settings.quietEnd(from: $0) }.map { "\($0)" } : nil)
        (kept, self.trouble) = (isKept, trouble)
    }

    private enum CodingKeys: CodingKey { case deciding, off, quiet, quietUntil, kept, trouble }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deciding, forKey: .deciding)
        try container.encode(off, forKey: .off)
        try container.encode(quiet, forKey: .quiet)
        try container.encode(quietUntil, forKey: .quietUntil)
        try container.encode(kept, forKey: .kept)
        try container.encode(trouble, forKey: .trouble)
    }
}

/// The answer to `settings`: what is in force.
public struct SettingsResult: Codable, Hashable, Sendable {
    /// A value, and by whose word it is in force: `settings` is people's, `configuration` also where nobody says.
    public struct InForce<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        public var value: Value
        public var by: String

        public init(_ value: Value, by layer: SettingsLayer) { (self.value, by) = (value, layer.rawValue) }
    }

    public var profile: InForce<String>
    /// Of everything.
    public var strength: InForce<Double>
    /// Of each class, in the order of importance.
    public var classes: Named<InForce<Double>>
    /// Of the apps that have one, in the order of their names: of all for which people have set it, and of as many others as leave
    /// `Settings.Limit.apps` in all.
    public var apps: Named<InForce<Double>>
    /// How many of those that only the configuration names are not said; nil: all are. In short all that people and the configuration
    /// name, what both name twice.
    public var appsLeftOut: Int?
    public var quietHours: InForce<[QuietTime]>
    /// How many of them are not said, in short; nil: all are.
    public var quietHoursLeftOut: Int?
    public var now: SettingsNow

    /// `now`: that of `settings`. `inShort`: without apps and quiet hours, so that it costs no more where there are many.
    public init(_ settings: SettingsInForce, _ now: SettingsNow, inShort: Bool = false) {
        func strength(_ found: (value: Strength, layer: SettingsLayer)?) -> InForce<Double> {
            InForce(found?.value.value ?? 1, by: found?.layer ?? .configuration)
        }
        profile = InForce(settings.profile.rawValue, by: settings.profileLayer)
        self.strength = strength(settings.strength)
        classes = Named(FeedbackClass.allCases.map { (Text($0.rawValue), strength(settings.strength(of: $0))) })
        self.now = now
        if inShort {
            let (apps, hours) = (settings.configured.apps.count + settings.chosen.apps.count, settings.quietHours.count)
            (self.apps, quietHours) = (Named([]), InForce([], by: settings.quietHoursLayer))
            (appsLeftOut, quietHoursLeftOut) = (apps > 0 ? apps : nil, hours > 0 ? hours : nil)
            return
        }
        var others = settings.configured.apps.keys.filter { settings.chosen.apps[$0] == nil }
        let room = Settings.Limit.apps - settings.chosen.apps.count
        if others.count > room {
            appsLeftOut = others.count - room
            others = Array(others.sorted().prefix(room))
        }
        apps = Named((others + settings.chosen.apps.keys).sorted().map { ($0, strength(settings.strength(ofApp: $0))) })
        quietHours = InForce(settings.quietHours.map { QuietTime($0) }, by: settings.quietHoursLayer)
    }

    private enum CodingKeys: CodingKey {
        case profile, strength, classes, apps, appsLeftOut, quietHours, quietHoursLeftOut
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        profile = try container.decode(InForce<String>.self, forKey: .profile)
        strength = try container.decode(InForce<Double>.self, forKey: .strength)
        classes = try container.decode(Named<InForce<Double>>.self, forKey: .classes)
        apps = try container.decode(Named<InForce<Double>>.self, forKey: .apps)
        appsLeftOut = try container.decodeIfPresent(Int.self, forKey: .appsLeftOut)
        quietHours = try container.decode(InForce<[QuietTime]>.self, forKey: .quietHours)
        quietHoursLeftOut = try container.decodeIfPresent(Int.self, forKey: .quietHoursLeftOut)
        now = try SettingsNow(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(profile, forKey: .profile)
        try container.encode(strength, forKey: .strength)
        try container.encode(classes, forKey: .classes)
        try container.encode(apps, forKey: .apps)
        try container.encodeIfPresent(appsLeftOut, forKey: .appsLeftOut)
        try container.encode(quietHours, forKey: .quietHours)
        try container.encodeIfPresent(quietHoursLeftOut, forKey: .quietHoursLeftOut)
        // Its members stand beside these.
        try now.encode(to: encoder)
    }
}

/// What people have set has changed, or what is configured of it.
public struct SettingsNotice: Codable, Hashable, Sendable {
    public var atNs: Int64
    /// Which of `profile`, `strength`, `classes`, `apps`, `quietHours`, `off`; `quiet`: quiet hours have begun or ended;
    /// `trouble`: what was set last could not be stored, or can again.
    public var changed: [String]
    public var now: SettingsNow
    /// The user who set it; null: the configuration did, or the time has come.
    public var user: UInt32?
    /// The process that did.
    public var process: Int32?

    public init(
        _ changed: [String], _ now: SettingsNow, at instant: MonotonicInstant, user: UInt32? = nil, process: Int32? = nil
    ) {
        atNs = instant.nanoseconds
        (self.changed, self.now, self.user, self.process) = (changed, now, user, process)
    }

    private enum CodingKeys: CodingKey { case atNs, changed, user, process }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        atNs = try container.decode(Int64.self, forKey: .atNs)
        changed = try container.decode([String].self, forKey: .changed)
        user = try container.decodeIfPresent(UInt32.self, forKey: .user)
        process = try container.decodeIfPresent(Int32.self, forKey: .process)
        now = try SettingsNow(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(atNs, forKey: .atNs)
        try container.encode(changed, forKey: .changed)
        try now.encode(to: encoder)
        try container.encode(user, forKey: .user)
        try container.encode(process, forKey: .process)
    }
}

/// Quiet hours, as they are on the wire.
public struct QuietTime: Codable, Hashable, Sendable {
    /// In the order of the week.
    public var days: [String]
    /// Such as `22:00`.
    public var from: String
    public var to: String
    public var except: Exceptions

    public struct Exceptions: Codable, Hashable, Sendable {
        public var classes: [String]
        public var apps: [String]
        public var repeated: Bool
    }

    public init(_ hours: QuietHours) {
        days = Weekday.allCases.filter(hours.days.contains).map(\.rawValue)
        (from, to) = ("\(hours.from)", "\(hours.to)")
        except = Exceptions(
            classes: FeedbackClass.allCases.filter(hours.except.classes.contains).map(\.rawValue),
            apps: hours.except.apps.sorted().map(\.string), repeated: hours.except.repeated)
    }
}

/// An object whose members have names that others gave, in an order.
public struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var name: Text
        public var value: Value
    }

    public var entries: [Entry]

    public init(_ entries: [(Text, Value)]) { self.entries = entries.map { Entry(name: $0, value: $1) } }

    public subscript(_ name: Text) -> Value? { entries.first { $0.name == name }?.value }
}

extension Named: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        for entry in entries { try container.encode(entry.value, forKey: MemberKey(stringValue: entry.name.string)) }
    }
}

extension Named: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        // Looking each up takes time in the square of how many there are.
        guard container.allKeys.count <= 2 * Settings.Limit.apps,
            !container.allKeys.contains(where: \.stringValue.hasTooManyMarks)
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "too many names, or too long"))
        }
        entries = try container.allKeys.map {
            Entry(name: Text($0.stringValue), value: try container.decode(Value.self, forKey: $0))
        }
    }
}
