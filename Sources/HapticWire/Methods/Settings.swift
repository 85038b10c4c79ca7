// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A request for the settings in force, or a change of them.
public struct SettingsParams: WireCall {
    public typealias Result = SettingsResult

    public static let method = "settings"
    public static let summary = "the user settings (profile, strengths, quiet hours, off); ask for them, or change them"

    /// `nil`: a request only.
    public var set: NewSettings?

    public init(set: NewSettings? = nil) { self.set = set }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("set", \.set, .object, "the settings to change; null restores the configured value")
    ]
}

/// A change of settings. `nil` leaves a setting as it is; `restore`, null on the wire, returns to the configured value.
public struct NewSettings: WireObject, Hashable {
    public typealias Change = SettingsChange.Change

    /// The time for which feedback is off.
    public enum OffTime: Hashable, Sendable, Codable {
        case forGood
        /// At most `Settings.Limit.off`.
        case `for`(Nanoseconds)
    }

    public var profile: Change<Profile>?
    /// The strength of all feedback.
    public var strength: Change<Strength>?
    public var classes: Change<SettingsChange.Entries<FeedbackClass>>?
    public var apps: Change<SettingsChange.Entries<Text>>?
    public var quietHours: Change<[QuietHours]>?
    /// `restore`: feedback is on.
    public var off: Change<OffTime>?

    public init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("profile", \.profile, .orNull(.choice(of: Profile.self)), "the profile: the amount of feedback of each class"),
        .optional(
            "strength", \.strength, .orNull(Strength.form), "the factor for all intensities, which are 1 at most; 0: no feedback"),
        .optional("classes", \.classes, .orNull(.classStrengths), "the strengths of classes; unnamed classes keep theirs"),
        .optional(
            "apps", \.apps, .orNull(.appStrengths),
            "the strengths of apps, by name; unnamed apps keep theirs. Above 1 only for clients that may speak for apps"),
        .optional(
            "quietHours", \.quietHours, .orNull(.quietHours),
            "times without feedback, except the exceptions; replaces the whole list, and an empty one means never"),
        .optional(
            "off", \.off, OffTime.form,
            """
            `true`, or for a time: no feedback, not even alarms, and all playbacks end immediately; `false` or null: feedback \
            is on
            """
        ),
    ]

    /// The change of settings at `now`.
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

    /// Whether only the profile changes.
    public var isProfileOnly: Bool {
        profile != nil && strength == nil && classes == nil && apps == nil && quietHours == nil && off == nil
    }
}

extension WireForm {
    /// A value of `form` is set; null restores.
    fileprivate static func orNull<Wrapped>(_ form: WireForm<Wrapped>) -> Self where Value == SettingsChange.Change<Wrapped> {
        Self(.either([form.kind, .null]), "\(form.expectation.text), or null", takesNull: true) { node, path throws(WireError) in
            node.content == .null ? .restore : .set(try form.read(node, path))
        } write: { change, text in
            switch change {
            case .restore: text.writeNull()
            case .set(let value): try form.write(value, &text)
            }
        }
    }
}

extension Strength {
    fileprivate static var form: WireForm<Self> {
        WireForm<Double>.number(in: 0...most.value).mapped {
            // trap: the form reads only numbers in the range of a strength.
            Strength($0)!
        } back: {
            $0.value
        }
    }
}

extension WireForm where Value == SettingsChange.Entries<FeedbackClass> {
    fileprivate static var classStrengths: Self {
        WireForm<ClassStrengths>.object.mapped {
            $0.entries
        } back: {
            ClassStrengths(entries: $0)
        }
    }
}

private struct ClassStrengths: WireObject {
    var entries: SettingsChange.Entries<FeedbackClass> = [:]

    static let blank = Self()

    static let members: [WireMember<Self>] = FeedbackClass.allCases.map { name in
        .optional(name.rawValue, \.entries[name], .orNull(Strength.form), "the strength of this class")
    }
}

extension WireForm where Value == SettingsChange.Entries<Text> {
    fileprivate static var appStrengths: Self {
        let strength = WireForm<SettingsChange.Change<Strength>>.orNull(Strength.form)
        return WireForm<Named<SettingsChange.Change<Strength>>>.map(
            of: strength, most: Settings.Limit.apps, key: .text(most: WireLimit.app), "app"
        ).mapped { apps in
            Dictionary(apps.entries.map { ($0.name, $0.value) }) { _, last in last }
        } back: { entries in
            Named(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }
}

extension WireForm where Value == [QuietHours] {
    static var quietHours: Self {
        let (form, most) = (WireForm<QuietHours>.object, Settings.Limit.quietHours)
        let list = WireForm.list(of: form, count: 0...most, "a list of at most \(most) quiet times")
        return Self(list.kind, list.expectation) { node, path throws(WireError) in
            let hours = try list.read(node, path)
            let (apps, mostApps) = (hours.exceptedApps, Settings.Limit.exceptedAppsInAll)
            guard apps <= mostApps else { throw .invalid(path, "must except at most \(mostApps) apps in all, not \(apps)") }
            return hours
        } write: { hours, text in
            try list.write(hours, &text)
        }
    }
}

extension TimeOfDay {
    fileprivate static var form: WireForm<Self> {
        let expectation: Expectation = "a time of day from `00:00` to `24:00`"
        return WireForm(.textLike("22:00", pattern: pattern), expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content, let time = TimeOfDay(text.string) else { throw expectation.wrong(path) }
            return time
        } write: { time, text in
            text.write("\(time)")
        }
    }
}

extension QuietHours: WireObject {
    public static let blank = Self(from: .midnight, to: .midnight)

    static let times: [WireMember<Self>] = [
        .defaulted("days", \.days, .set(of: .choice(), count: 1...7), "the days on which the time begins; all days without it"),
        .required("from", \.from, TimeOfDay.form, "the begin, in local time (`00:00`…`24:00`)"),
        .required("to", \.to, TimeOfDay.form, "the end; on the next day if it is not later than `from`"),
    ]

    public static let members = times + [.defaulted("except", \.except, .object, "the exceptions")]
}

extension QuietHours.Exceptions: WireObject {
    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .defaulted("classes", \.classes, .set(of: .choice(), count: 0...FeedbackClass.allCases.count), "the excepted classes"),
        .defaulted(
            "apps", \.apps,
            WireForm.list(of: .text(most: WireLimit.app), count: 0...Settings.Limit.exceptedApps)
                .mapped {
                    Set($0.map { Text($0) })
                } back: {
                    $0.sorted().map(\.string)
                },
            """
            the excepted apps, of clients that may speak for apps; at most \(Settings.Limit.exceptedAppsInAll) in all quiet \
            hours
            """
        ),
        .defaulted(
            "repeated", \.repeated, .boolean,
            "`true`: an event that comes again within 15 minutes, with the same name and id, of the same user and scope"),
    ]
}

extension TimeOfDay {
    /// The value of a blank object.
    // trap: 0 is a minute of a day.
    fileprivate static let midnight = TimeOfDay(minutes: 0)!
}

private struct OffFor: WireObject {
    var forMs = 0.0

    static let blank = Self()

    static let members: [WireMember<Self>] = [
        .required(
            "forMs", \.forMs, .number(in: 0...Settings.Limit.off.inMilliseconds, isOpen: true), "the time; at most 366 days")
    ]
}

extension NewSettings.OffTime {
    /// Whether feedback is off, or for how long.
    fileprivate static var form: WireForm<SettingsChange.Change<Self>> {
        let object = WireForm<OffFor>.object
        let expectation: Expectation = "true, false, null or an object such as `{\"forMs\": 3600000}`"
        return WireForm(.either([.boolean, object.kind, .null]), expectation, takesNull: true) { node, path throws(WireError) in
            switch node.content {
            case .bool(true): return .set(.forGood)
            case .bool(false), .null: return .restore
            case .object:
                let milliseconds = try object.read(node, path).forMs
                // A positive time that rounds to nothing is the shortest there is.
                return .set(.for(max(Nanoseconds(seconds: milliseconds / 1000) ?? .zero, Nanoseconds(1))))
            default: throw expectation.wrong(path)
            }
        } write: { off, text in
            switch off {
            case .restore: text.writeNull()
            case .set(.forGood): text.write(true)
            case .set(.for(let time)): try object.write(OffFor(forMs: time.inMilliseconds), &text)
            }
        }
    }
}
