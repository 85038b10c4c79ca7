// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Ask for what is in force of what people set, or set it.
public struct SettingsParams: Encodable, Sendable, DescribedParams {
    /// Nil: only ask.
    public var set: NewSettings?

    public init(set: NewSettings? = nil) { self.set = set }

    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("set", .object, "these change, the others stay; null is as the configuration has it") { $0.set = $1 }
    ]
}

/// What people set. Nil stays as it is; `restore` is null on the wire: the configuration's counts again.
public struct NewSettings: Hashable, Sendable, DescribedParams {
    public typealias Change = SettingsChange.Change

    /// How long feedback is off.
    public enum OffTime: Hashable, Sendable, Codable {
        case forGood
        /// At most `Settings.Limit.off`.
        case `for`(Nanoseconds)
    }

    public var profile: Change<Profile>?
    /// Of everything.
    public var strength: Change<Strength>?
    public var classes: Change<SettingsChange.Entries<FeedbackClass>>?
    public var apps: Change<SettingsChange.Entries<Text>>?
    public var quietHours: Change<[QuietHours]>?
    /// `restore`: feedback is on.
    public var off: Change<OffTime>?

    public init() {}

    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("profile", .orNull(.choice(of: Profile.self)), "how much is felt of each class") { $0.profile = $1 },
        .optional("strength", .orNull(.strength), "of everything: what intensities are multiplied by") { $0.strength = $1 },
        .optional("classes", .orNull(.classStrengths), "the same of each class; null as a strength, or for all") {
            $0.classes = $1
        },
        .optional("apps", .orNull(.appStrengths), "the same of each app by its name; null as a strength, or for all") {
            $0.apps = $1
        },
        .optional("quietHours", .orNull(.quietHours), "when nothing is felt, but for what is excepted; empty: never") {
            $0.quietHours = $1
        },
        .optional("off", .off, "`true`, or for a time: nothing is felt; `false` or null: feedback is on") { $0.off = $1 },
    ]

    /// What changes, where it is set at `now`.
    public func change(at now: MonotonicInstant) -> SettingsChange {
        let off: Change<Off>? =
            switch off {
            case nil: nil
            case .restore: .restore
            case .set(.forGood): .set(.forGood)
            case .set(.for(let time)): .set(.until(now + time))
            }
        return SettingsChange(
            profile: profile, strength: strength, classes: classes, apps: apps, quietHours: quietHours, off: off)
    }

    /// Whether it changes the profile, and nothing else.
    public var isProfileOnly: Bool {
        profile != nil && strength == nil && classes == nil && apps == nil && quietHours == nil && off == nil
    }
}

// MARK: Reading

extension ParamForm {
    /// What `form` reads is set; null restores.
    fileprivate static func orNull<Wrapped>(_ form: ParamForm<Wrapped>) -> Self where Value == SettingsChange.Change<Wrapped> {
        Self(.either([form.kind, .null]), "\(form.expectation.text), or null", takesNull: true) { node, path throws(WireError) in
            node.content == .null ? .restore : .set(try form.read(node, path))
        }
    }
}

extension ParamForm where Value == Strength {
    fileprivate static var strength: Self {
        let number = ParamForm<Double>.number(in: 0...Strength.most.value)
        return Self(number.kind, number.expectation) { node, path throws(WireError) in
            guard let strength = Strength(try number.read(node, path)) else { throw number.expectation.wrong(path) }
            return strength
        }
    }
}

extension ParamForm where Value == SettingsChange.Entries<FeedbackClass> {
    fileprivate static var classStrengths: Self {
        let form = ParamForm<ClassStrengths>.object
        return Self(form.kind, form.expectation) { node, path throws(WireError) in try form.read(node, path).entries }
    }
}

private struct ClassStrengths: Sendable, DescribedParams {
    var entries: SettingsChange.Entries<FeedbackClass> = [:]

    static let blank = Self()

    static let members: [Param<Self>] = FeedbackClass.allCases.map { name in
        .optional(name.rawValue, .orNull(.strength), "of this class") { $0.entries[name] = $1 }
    }
}

extension ParamForm where Value == SettingsChange.Entries<Text> {
    fileprivate static var appStrengths: Self {
        let (form, most) = (ParamForm<SettingsChange.Change<Strength>>.orNull(.strength), Settings.Limit.apps)
        let expectation: Expectation = "an object of at most \(most) apps, each with \(form.expectation.text)"
        let name = ParamForm<String>.text(most: WireLimit.app)
        return Self(.map(of: form.kind, count: most), expectation) { node, path throws(WireError) in
            guard case .object(let members) = node.content else { throw expectation.wrong(path) }
            guard members.count <= most else { throw expectation.wrong(path, isInstead: "\(members.count)") }
            var entries: SettingsChange.Entries<Text> = [:]
            for member in members {
                do throws(WireError) {
                    _ = try name.read(Node(.string(member.key)), path)
                } catch {
                    // Where the name stands in no path.
                    throw .invalid(
                        path, "has an app whose name is no string of 1 to \(WireLimit.app) bytes without control characters")
                }
                entries[member.key] = try form.read(member.value, "\(path).\(member.key)")
            }
            return entries
        }
    }
}

extension ParamForm where Value == [QuietHours] {
    fileprivate static var quietHours: Self {
        let (form, most) = (ParamForm<QuietHours>.object, Settings.Limit.quietHours)
        let expectation: Expectation = "a list of at most \(most) quiet times"
        return Self(.list(of: form.kind, count: 0...most), expectation) { node, path throws(WireError) in
            guard case .list(let items) = node.content else { throw expectation.wrong(path) }
            guard items.count <= most else { throw expectation.wrong(path, isInstead: "\(items.count)") }
            var hours: [QuietHours] = []
            for (index, item) in items.enumerated() { hours.append(try form.read(item, "\(path)[\(index)]")) }
            let (apps, mostApps) = (hours.exceptedApps, Settings.Limit.exceptedAppsInAll)
            guard apps <= mostApps else { throw .invalid(path, "must except at most \(mostApps) apps in all, not \(apps)") }
            return hours
        }
    }
}

extension ParamForm where Value == TimeOfDay {
    fileprivate static var timeOfDay: Self {
        let expectation: Expectation = "a time of day from `00:00` to `24:00`"
        return Self(.textLike("22:00", pattern: TimeOfDay.pattern), expectation) {
            node, path throws(WireError) in
            guard case .string(let text) = node.content, let time = TimeOfDay(text.string) else { throw expectation.wrong(path) }
            return time
        }
    }
}

extension QuietHours: DescribedParams {
    static let blank = Self(from: .midnight, to: .midnight)

    static let members: [Param<Self>] = [
        .optional("days", .list(of: .choice(of: Weekday.self), count: 1...7), "those on which it begins; all without it") {
            $0.days = Set($1)
        },
        .required("from", .timeOfDay, "from then on, as the clocks on the wall show it") { $0.from = $1 },
        .required("to", .timeOfDay, "until then; on the day after, where that is not later than `from`") { $0.to = $1 },
        .optional("except", .object, "what is felt all the same") { $0.except = $1 },
    ]
}

extension QuietHours.Exceptions: DescribedParams {
    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("classes", .list(of: .choice(of: FeedbackClass.self), count: 0...FeedbackClass.allCases.count), "these") {
            $0.classes = Set($1)
        },
        .optional(
            "apps", .list(of: .text(most: WireLimit.app), count: 0...Settings.Limit.exceptedApps),
            "these, of clients that may speak for them"
        ) { $0.apps = Set($1.map { Text($0) }) },
        .optional("repeated", .boolean, "an event that comes again within 15 minutes, with the same name, id and user") {
            $0.repeated = $1
        },
    ]
}

extension TimeOfDay {
    /// Before it is read.
    // trap: 0 is a minute of a day.
    fileprivate static let midnight = TimeOfDay(minutes: 0)!
}

private struct OffFor: DescribedParams {
    var forMs = 0.0

    static let blank = Self()

    static let members: [Param<Self>] = [
        .required("forMs", .number(in: 0...Settings.Limit.off.inMilliseconds, isOpen: true), "for so long; at most 366 days") {
            $0.forMs = $1
        }
    ]
}

extension ParamForm where Value == SettingsChange.Change<NewSettings.OffTime> {
    fileprivate static var off: Self {
        let kinds = [Member.Kind.boolean, .object(OffFor.members.map(\.member)), .null]
        let expectation: Expectation = "true, false, null or an object such as `{\"forMs\": 3600000}`"
        return Self(.either(kinds), expectation, takesNull: true) { node, path throws(WireError) in
            switch node.content {
            case .bool(true): return .set(.forGood)
            case .bool(false), .null: return .restore
            case .object:
                let milliseconds = try OffFor(node, of: path).forMs
                // A positive time that rounds to nothing is the shortest there is.
                return .set(.for(max(Nanoseconds(seconds: milliseconds / 1000) ?? .zero, Nanoseconds(1))))
            default: throw expectation.wrong(path)
            }
        }
    }
}

// MARK: Writing

extension NewSettings: Encodable {
    private enum CodingKeys: CodingKey { case profile, strength, classes, apps, quietHours, off }
    private enum OffKeys: CodingKey { case forMs }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(profile, at: .profile) { $0.rawValue }
        try container.encode(strength, at: .strength) { $0.value }
        try container.encode(classes, at: .classes) { entries in
            Named(entries.sorted { $0.key.index < $1.key.index }.map { (Text($0.key.rawValue), $0.value.strength) })
        }
        try container.encode(apps, at: .apps) { entries in
            Named(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value.strength) })
        }
        try container.encode(quietHours, at: .quietHours) { $0.map { QuietTime($0) } }
        switch off {
        case nil: break
        case .restore: try container.encodeNil(forKey: .off)
        case .set(.forGood): try container.encode(true, forKey: .off)
        case .set(.for(let time)):
            var off = container.nestedContainer(keyedBy: OffKeys.self, forKey: .off)
            try off.encode(time.inMilliseconds, forKey: .forMs)
        }
    }
}

extension SettingsChange.Change<Strength> {
    /// Nil: null.
    fileprivate var strength: Double? { if case .set(let strength) = self { strength.value } else { nil } }
}

extension KeyedEncodingContainer {
    /// Nothing where it stays as it is, null where it is restored.
    fileprivate mutating func encode<Value>(
        _ change: SettingsChange.Change<Value>?, at key: Key, as written: (Value) -> some Encodable
    ) throws {
        switch change {
        case nil: break
        case .restore: try encodeNil(forKey: key)
        case .set(let value): try encode(written(value), forKey: key)
        }
    }
}
