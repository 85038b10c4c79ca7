// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// What people have set, as a newcomer understands it.
enum SettingsText {
    /// A verdict, then what is in force and by whose word.
    static func lines(_ result: SettingsResult) -> [String] {
        var rows = [row("profile", result.profile.value, result.profile.by), row("strength", result.strength)]
        rows += result.classes.entries.filter { !isDefault($0.value) }.map { row("  class \($0.name.string)", $0.value) }
        rows += result.apps.entries.map { row("  app \(Words.given($0.name.string))", $0.value) }
        if let count = result.appsLeftOut {
            rows.append(row("  other apps", "\(count) more", SettingsLayer.configuration.rawValue))
        }
        let hours = result.quietHours.value.map(words)
        if hours.isEmpty { rows.append(row("quiet hours", "none", result.quietHours.by)) }
        rows += hours.enumerated().map { row($0 == 0 ? "quiet hours" : "", $1, $0 == 0 ? result.quietHours.by : "") }
        var lines = [verdict(result), ""] + Table.lines(rows)
        if let trouble = result.now.trouble { lines += ["", trouble] }
        if !result.now.kept { lines += ["", notKept] }
        return lines
    }

    static let notKept = "this hapticd keeps no settings: what is set counts until it is started again"

    /// Whether anything is felt, and until when it is not.
    static func verdict(_ result: SettingsResult) -> String {
        let now = result.now
        guard let silence = SettingWords.silence(now) else {
            if result.strength.value == 0 { return "nothing is felt: the strength of everything is 0%" }
            return Profile(text: Text(result.profile.value)) == .silent
                ? "nothing is felt, unless the configuration says otherwise: the profile is silent" : "feedback is on"
        }
        if let off = now.off { return "nothing is felt: \(silence)\(off.remainingMs == nil ? " until `hapticctl on`" : "")" }
        return "nothing is felt but what is excepted: \(silence)"
    }

    /// In one line.
    static func quiet(_ result: SettingsResult) -> String {
        let hours = result.quietHours.value.map(words)
        let whose = result.quietHours.by == SettingsLayer.settings.rawValue ? "" : " (\(SettingWords.by(result.quietHours.by)))"
        return hours.isEmpty ? "no quiet hours\(whose)" : "quiet hours: \(hours.joined(separator: "; "))\(whose)"
    }

    /// `strength`: nil where none is said, which is all of it.
    static func strength(_ strength: SettingsResult.InForce<Double>?, of what: String) -> String {
        guard let strength, strength.by == SettingsLayer.settings.rawValue else {
            let configured = SettingWords.by(SettingsLayer.configuration.rawValue)
            return "the strength of \(what) is \(Words.percent(strength?.value ?? 1)) (\(configured))"
        }
        return "the strength of \(what) is \(Words.percent(strength.value))"
    }

    /// `22:00-07:00 on mon, tue, but for alarm, the app org.gnome.clocks, what is repeated`.
    static func words(_ hours: QuietTime) -> String {
        let words = SettingWords.hours(hours.days, hours.from, hours.to)
        var excepted = hours.except.classes + hours.except.apps.map { "the app \(Words.given($0))" }
        if hours.except.repeated { excepted.append("what is repeated") }
        return excepted.isEmpty ? words : "\(words), but for \(excepted.joined(separator: ", "))"
    }

    private static func row(_ name: String, _ strength: SettingsResult.InForce<Double>) -> [String] {
        row(name, Words.percent(strength.value), strength.by)
    }

    // The value is last, for quiet hours may be long.
    private static func row(_ name: String, _ value: String, _ layer: String) -> [String] {
        [name, SettingWords.by(layer), value]
    }

    private static func isDefault(_ strength: SettingsResult.InForce<Double>) -> Bool {
        strength.by != SettingsLayer.settings.rawValue && strength.value == 1
    }
}
