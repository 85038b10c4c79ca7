// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// Whether the settings allow feedback now, and whether they are stored.
public struct SettingsNow: WireResult {
    public var deciding = DecidingSetting.configuration
    public var off: OffLeft?
    public var quiet = false
    public var quietUntil: String?
    public var conditions: [String] = []
    public var kept = false
    public var trouble: String?

    /// The time for which feedback is off.
    public struct OffLeft: WireResult {
        public var remainingMs: Double?

        public init(remainingMs: Double?) { self.remainingMs = remainingMs }

        public static let blank = Self(remainingMs: nil)

        public static let members: [WireMember<Self>] = [
            .nullable("remainingMs", \.remainingMs, .amount, "the remaining time; null: until feedback is switched on")
        ]
    }

    /// `time`: the local time at `now`; `nil`: unknown.
    public init(
        _ settings: SettingsInForce, at now: MonotonicInstant, _ time: LocalTime?, conditions: [String] = [], isKept: Bool,
        trouble: String? = nil
    ) {
        let isQuiet = time.map { settings.quietHours(at: $0) != nil } ?? false
        deciding = settings.deciding(at: time)
        off =
            switch settings.off {
            case nil: nil
            case .forGood: OffLeft(remainingMs: nil)
            case .until(let end): OffLeft(remainingMs: max(.zero, end - now).inMilliseconds)
            }
        (quiet, quietUntil) = (isQuiet, isQuiet ? time.flatMap { settings.quietEnd(from: $0) }.map { "\($0)" } : nil)
        (self.conditions, kept, self.trouble) = (conditions, isKept, trouble)
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required(
            "deciding", \.deciding, .choice(),
            "the first of these that decides the amount of feedback; `settings`: a user has set something"),
        .nullable("off", \.off, .object, "the time for which feedback is off; null: feedback is on"),
        .required("quiet", \.quiet, .boolean, "whether these are quiet hours"),
        .nullable(
            "quietUntil", \.quietUntil, .anyText,
            "the end of quiet hours, such as `07:00`; null if it is not quiet, or quiet without end"),
        .required("conditions", \.conditions, .items(of: .anyText), "the conditions in force"),
        .required(
            "kept", \.kept, .boolean,
            "whether the settings outlast a restart; `false` without a usable place for them, or after a failed write"),
        .nullable(
            "trouble", \.trouble, .anyText,
            "the reason why settings could not be stored or read, and a remedy; null: none"),
    ]
}

/// The answer to `settings`: the settings in force.
public struct SettingsResult: WireResult {
    /// A value, and the layer that gives it.
    public struct InForce<Value: Hashable & Sendable>: Hashable, Sendable {
        public var value: Value
        public var by: SettingsLayer

        public init(_ value: Value, by layer: SettingsLayer) { (self.value, by) = (value, layer) }
    }

    public var profile = InForce(Profile.full, by: .configuration)
    public var strength = InForce(1.0, by: .configuration)
    public var classes = Named<InForce<Double>>([])
    public var apps = Named<InForce<Double>>([])
    public var appsLeftOut: Int?
    public var quietHours = InForce([QuietHours](), by: .configuration)
    public var quietHoursLeftOut: Int?
    public var now = SettingsNow.blank

    /// `now`: the state of `settings`. `inShort`: without apps and quiet hours, so that the cost has a bound.
    public init(_ settings: SettingsInForce, _ now: SettingsNow, inShort: Bool = false) {
        func strength(_ found: (value: Strength, layer: SettingsLayer)?) -> InForce<Double> {
            InForce(found?.value.value ?? 1, by: found?.layer ?? .configuration)
        }
        profile = InForce(settings.profile, by: settings.profileLayer)
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
        quietHours = InForce(settings.quietHours, by: settings.quietHoursLayer)
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] =
        [
            .required("profile", \.profile, .inForce(.choice(), .full), "the profile"),
            .required("strength", \.strength, .inForce(.amount, 1), "the factor for all intensities"),
            .required(
                "classes", \.classes, .named(.inForce(.amount, 1), "class"), "the strength of each class, in order of importance"),
            .required(
                "apps", \.apps, .named(.inForce(.amount, 1), "app"),
                """
                the strengths of apps, in order of their names: of all set by users, and as many of the configured ones as leave \
                \(Settings.Limit.apps) in all
                """),
            .optional(
                "appsLeftOut", \.appsLeftOut, .whole,
                """
                the number of omitted apps, if any. A line that switches feedback `off` after its work is used up omits all apps, \
                and counts an app twice if both layers name it
                """),
            .required(
                "quietHours", \.quietHours, .inForce(.quietHours, []), "times without feedback"),
            .optional(
                "quietHoursLeftOut", \.quietHoursLeftOut, .whole, "the number of omitted quiet hours, if such a line omits them"),
        ] + SettingsNow.members.map { $0.flattened(from: \.now) }
}

extension WireForm {
    /// A value of `form` with its layer. `start`: any value.
    fileprivate static func inForce<Wrapped: Hashable & Sendable>(_ form: WireForm<Wrapped>, _ start: Wrapped) -> Self
    where Value == SettingsResult.InForce<Wrapped> {
        .object(
            of: [
                .required("value", \.value, form, "the value"),
                .required("by", \.by, .choice(), "the layer: `settings` if a user has set it, else `configuration`"),
            ], blank: .init(start, by: .configuration))
    }

    /// An object with names as members; `noun`: the named thing.
    fileprivate static func named<Item>(_ form: WireForm<Item>, _ noun: String) -> Self where Value == Named<Item> {
        // Twice what may be set: an older limit must not make an answer unreadable, and a hostile one must stay short.
        .map(of: form, most: 2 * Settings.Limit.apps, key: .text(), noun)
    }
}

/// A change of the settings in force.
public struct SettingsNotice: WireResult {
    public var atNs: Int64
    public var changed: [String]
    public var now: SettingsNow
    public var user: UInt32?
    public var process: Int32?

    public init(
        _ changed: [String], _ now: SettingsNow, at instant: MonotonicInstant, user: UInt32? = nil, process: Int32? = nil
    ) {
        atNs = instant.nanoseconds
        (self.changed, self.now, self.user, self.process) = (changed, now, user, process)
    }

    public static let blank = Self([], .blank, at: .zero)

    public static let members: [WireMember<Self>] =
        [
            .required("atNs", \.atNs, .whole, "the instant, in ns of `CLOCK_MONOTONIC`"),
            .required(
                "changed", \.changed, .items(of: .anyText),
                """
                the changed ones of `profile`, `strength`, `classes`, `apps`, `quietHours` and `off`; `quiet`: quiet hours begin or \
                end; `conditions`: a condition begins or ends; `trouble`: storing fails, or works again
                """),
        ] + SettingsNow.members.map { $0.flattened(from: \.now) } + [
            .nullable(
                "user", \.user, .whole,
                "the user who changed them; null: the configuration, the end of a time, a closed connection, or a switch"),
            .nullable("process", \.process, .whole, "the process that changed them; null: as `user`"),
        ]
}

/// An object with names as members, in order.
public struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var name: Text
        public var value: Value
    }

    public var entries: [Entry]

    public init(_ entries: [(Text, Value)]) { self.entries = entries.map { Entry(name: $0, value: $1) } }

    public subscript(_ name: Text) -> Value? { entries.first { $0.name == name }?.value }
}
