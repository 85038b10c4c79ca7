// SPDX-License-Identifier: MIT

/// By whose word a setting is in force: people's goes over the configuration's.
public enum SettingsLayer: String, CaseIterable, Hashable, Sendable, Codable {
    case configuration, settings
}

/// What says how much is felt: the first of these that there is.
public enum DecidingSetting: String, CaseIterable, Hashable, Sendable {
    case off, quietHours
    /// People have set something.
    case settings
    case configuration
}

/// What people have set over what is configured, and what follows from both.
public struct SettingsInForce: Hashable, Sendable {
    /// What people have set.
    public private(set) var chosen: Settings
    public private(set) var configured: Settings
    // Kept, for every decision looks at these, and at nothing more where nothing is set.
    public private(set) var profile = Profile.full
    public private(set) var quietHours: [QuietHours] = []
    /// Whether anything has a strength.
    public private(set) var hasStrengths = false
    /// When it is quiet, in seconds of the week, in order and apart; one that goes on into the next week ends after it.
    private var quietStretches: [Range<Int>] = []

    public init(_ chosen: Settings = Settings(), over configured: Settings = Settings()) {
        self.chosen = chosen
        self.configured = configured
        settle()
    }

    private mutating func settle() {
        profile = chosen.profile ?? configured.profile ?? .full
        let hours = chosen.quietHours ?? configured.quietHours ?? []
        if hours != quietHours { (quietHours, quietStretches) = (hours, hours.stretches) }
        hasStrengths = chosen.hasStrengths || configured.hasStrengths
    }

    // MARK: Changing

    /// Throws, and changes nothing, where there would be too many apps.
    public mutating func take(_ change: SettingsChange) throws(Settings.TooManyApps) {
        try chosen.take(change)
        settle()
    }

    /// These take the place of what was set.
    public mutating func choose(_ settings: Settings) {
        chosen = settings
        settle()
    }

    /// Another configuration. What is set stays.
    public mutating func configure(_ settings: Settings) {
        configured = settings
        settle()
    }

    /// Feedback is on.
    public mutating func endOff() { chosen.off = nil }

    /// The machine slept for `time`, which CLOCK_MONOTONIC has not counted: `off` ends that much earlier.
    public mutating func pass(_ time: Nanoseconds) {
        if case .until(let end) = chosen.off { chosen.off = .until(end - time) }
    }

    // MARK: What is in force

    public var off: Off? { chosen.off }
    public var profileLayer: SettingsLayer { chosen.profile == nil ? .configuration : .settings }
    public var quietHoursLayer: SettingsLayer { chosen.quietHours == nil ? .configuration : .settings }

    /// Of everything; nil: nobody says.
    public var strength: (value: Strength, layer: SettingsLayer)? { inForce(chosen.strength, configured.strength) }

    public func strength(of feedbackClass: FeedbackClass) -> (value: Strength, layer: SettingsLayer)? {
        inForce(chosen.classes[feedbackClass], configured.classes[feedbackClass])
    }

    public func strength(ofApp app: Text) -> (value: Strength, layer: SettingsLayer)? {
        inForce(chosen.apps[app], configured.apps[app])
    }

    /// Whether any app has one.
    public var hasAppStrengths: Bool { !(chosen.apps.isEmpty && configured.apps.isEmpty) }

    /// The quiet hours that there are at this time; of several those that end last.
    public func quietHours(at time: LocalTime) -> QuietHours? {
        quietHours.filter { $0.contains(time) }.max { $0.left(at: time) < $1.left(at: time) }
    }

    /// When it is no longer quiet, where it is at `time`: hours that overlap or follow at once are one. Nil: it is quiet all the week.
    public func quietEnd(from time: LocalTime) -> TimeOfDay? {
        let week = 7 * 86_400
        var (second, passed) = (time.weekday.index * 86_400 + time.second, 0)
        while let stretch = quietStretches.first(where: { $0.contains(second) || $0.contains(second + week) }) {
            let left = stretch.upperBound - (stretch.contains(second) ? second : second + week)
            (second, passed) = ((second + left) % week, passed + left)
            guard passed < week else { return nil }
        }
        return TimeOfDay(minutes: second % 86_400 / 60)
    }

    /// How long it is until one of the quiet hours may begin or end, on whatever day; nil: there are none.
    public func timeToQuietTurn(after time: LocalTime) -> Nanoseconds? {
        quietHours.flatMap { [$0.from.seconds, $0.to.seconds] }.map { turn -> Nanoseconds in
            let left = (turn - time.second) % 86_400
            return .seconds(Int64(left > 0 ? left : left + 86_400))
        }.min()
    }

    /// `time` nil: nobody has said what time it is.
    public func deciding(at time: LocalTime?) -> DecidingSetting {
        if off != nil { return .off }
        if let time, quietHours(at: time) != nil { return .quietHours }
        return chosen == Settings() ? .configuration : .settings
    }

    /// The settings that are others than in `former`, or by another's word, by their names on the wire and in the order of these.
    public func names(ofChangesFrom former: SettingsInForce) -> [String] {
        func differs<Value: Equatable>(_ value: (Settings) -> Value?) -> Bool {
            let (new, old) = (value(chosen), value(former.chosen))
            return new != old || new == nil && value(configured) != value(former.configured)
        }
        let comparisons = [
            ("profile", differs(\.profile)), ("strength", differs(\.strength)),
            ("classes", chosen.classes != former.chosen.classes || configured.classes != former.configured.classes),
            ("apps", chosen.apps != former.chosen.apps || configured.apps != former.configured.apps),
            ("quietHours", differs(\.quietHours)), ("off", off != former.off),
        ]
        return comparisons.filter(\.1).map(\.0)
    }

    private func inForce(_ chosen: Strength?, _ configured: Strength?) -> (value: Strength, layer: SettingsLayer)? {
        if let chosen { return (chosen, .settings) }
        return configured.map { ($0, .configuration) }
    }
}

extension SettingsInForce: Encodable {
    private enum CodingKeys: CodingKey { case chosen, configured }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(chosen, forKey: .chosen)
        try container.encode(configured, forKey: .configured)
    }
}

extension Settings {
    fileprivate var hasStrengths: Bool { strength != nil || !classes.isEmpty || !apps.isEmpty }
}
