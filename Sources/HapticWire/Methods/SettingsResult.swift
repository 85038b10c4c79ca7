// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Whether anything is felt now, as far as people's settings say, and whether these last.
public struct SettingsNow: WireResult {
    public var deciding = DecidingSetting.configuration
    public var off: OffLeft?
    public var quiet = false
    public var quietUntil: String?
    public var conditions: [String] = []
    public var kept = false
    public var trouble: String?

    /// How long feedback is off.
    public struct OffLeft: WireResult {
        public var remainingMs: Double?

        public init(remainingMs: Double?) { self.remainingMs = remainingMs }

        public static let blank = Self(remainingMs: nil)

        public static let members: [WireMember<Self>] = [
            .nullable("remainingMs", \.remainingMs, .amount, "for how long; null: until somebody switches it on")
        ]
    }

    /// `time`: what the clocks on the wall show at `now`; nil: nobody has said.
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
        .required("deciding", \.deciding, .choice(), "the first of these that says how much is felt"),
        .nullable("off", \.off, .object, "how long feedback is off; null: it is on"),
        .required("quiet", \.quiet, .boolean, "these are quiet hours"),
        .nullable(
            "quietUntil", \.quietUntil, .anyText,
            "when it is quiet no longer, such as `07:00`; null where it is not quiet, or always is"),
        .required("conditions", \.conditions, .items(of: .anyText), "the conditions in force"),
        .required(
            "kept", \.kept, .boolean,
            "whether the settings last over a restart: not where there is no place for them, or that cannot be used"),
        .nullable(
            "trouble", \.trouble, .anyText,
            "why what people had set may not be in force, or what they set may not last, and what to do; null: all is well"),
    ]
}

/// The answer to `settings`: what is in force.
public struct SettingsResult: WireResult {
    /// A value, and by whose word it is in force: `settings` is people's, `configuration` also where nobody says.
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

    /// `now`: that of `settings`. `inShort`: without apps and quiet hours, so that it costs no more where there are many.
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
            .required("profile", \.profile, .inForce(.choice(), .full), "how much is felt of each class"),
            .required("strength", \.strength, .inForce(.amount, 1), "of everything: what intensities are multiplied by"),
            .required(
                "classes", \.classes, .named(.inForce(.amount, 1), "class"), "the same of each class, in the order of importance"),
            .required(
                "apps", \.apps, .named(.inForce(.amount, 1), "app"),
                """
                the same of each app that has one, in the order of their names: of all for which people have set it, and of as many others \
                as leave \(Settings.Limit.apps) in all
                """),
            .optional(
                "appsLeftOut", \.appsLeftOut, .whole,
                """
                how many of those that only the configuration names are not said. In short: all that people and the configuration name, what \
                both name twice
                """),
            .required(
                "quietHours", \.quietHours, .inForce(.quietHours, []), "when nothing is felt, but for what is excepted"),
            .optional("quietHoursLeftOut", \.quietHoursLeftOut, .whole, "how many of them are not said, in short"),
        ] + SettingsNow.members.map { $0.beside(\.now) }
}

extension WireForm {
    /// `form`, and by whose word its value is in force. `start`: any value.
    fileprivate static func inForce<Wrapped: Hashable & Sendable>(_ form: WireForm<Wrapped>, _ start: Wrapped) -> Self
    where Value == SettingsResult.InForce<Wrapped> {
        .object(
            of: [
                .required("value", \.value, form, "the value"),
                .required("by", \.by, .choice(), "by whose word: `settings` is people's, `configuration` also where nobody says"),
            ], blank: .init(start, by: .configuration))
    }

    /// An object whose members have names of others; `noun`: what has the names.
    fileprivate static func named<Item>(_ form: WireForm<Item>, _ noun: String) -> Self where Value == Named<Item> {
        // Twice what may be set: an older limit must not make an answer unreadable, and a hostile one must stay short.
        .map(of: form, most: 2 * Settings.Limit.apps, key: .text(), noun)
    }
}

/// What people have set has changed, or what is configured of it.
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
            .required("atNs", \.atNs, .whole, "when, in ns of CLOCK_MONOTONIC"),
            .required(
                "changed", \.changed, .items(of: .anyText),
                """
                which of `profile`, `strength`, `classes`, `apps`, `quietHours`, `off`; `quiet`: quiet hours have begun or ended; \
                `conditions`: a condition has begun or ended; \
                `trouble`: what was set last could not be stored, or can again
                """),
        ] + SettingsNow.members.map { $0.beside(\.now) } + [
            .nullable(
                "user", \.user, .whole,
                "the user who set it; null: the configuration did, the time has come, or a connection has closed"),
            .nullable("process", \.process, .whole, "the process that set it"),
        ]
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
