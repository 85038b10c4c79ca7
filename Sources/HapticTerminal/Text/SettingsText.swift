// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// What people have set, as a newcomer understands it.
package enum SettingsText {
    /// A verdict, then what is in force and by whose word.
    package static func lines(_ result: SettingsResult) -> [String] {
        var rows = [row("profile", result.profile.value.rawValue, result.profile.by), row("strength", result.strength)]
        rows += result.classes.entries.filter { !isDefault($0.value) }.map { row("  class \($0.name.string)", $0.value) }
        rows += result.apps.entries.map { row("  app \(Words.given($0.name.string))", $0.value) }
        if let count = result.appsLeftOut {
            rows.append(row("  other apps", "\(count) more", SettingsLayer.configuration))
        }
        let hours = result.quietHours.value.map(words)
        rows.append(row("quiet hours", hours.first ?? "none", result.quietHours.by))
        rows += hours.dropFirst().map { ["", "", $0] }
        if !result.now.conditions.isEmpty {
            rows.append(["conditions", "asserted now", result.now.conditions.map(Words.given).joined(separator: ", ")])
        }
        var lines = [verdict(result), ""] + Table.lines(rows)
        if let trouble = result.now.trouble { lines += ["", trouble] }
        if !result.now.kept { lines += ["", notKept] }
        return lines
    }

    package static let notKept = "this hapticd keeps no settings: what is set counts until it is started again"

    /// Whether anything is felt, and until when it is not.
    package static func verdict(_ result: SettingsResult) -> String {
        let now = result.now
        guard let silence = SettingWords.silence(now) else {
            if result.strength.value == 0 { return "nothing is felt: the strength of everything is 0%" }
            return result.profile.value == .silent
                ? "nothing is felt, unless the configuration says otherwise: the profile is silent"
                : SettingWords.conditions(now).map { "feedback is on; \($0)" } ?? "feedback is on"
        }
        if let off = now.off { return "nothing is felt: \(silence)\(off.remainingMs == nil ? " until `hapticctl on`" : "")" }
        return "nothing is felt but what is excepted: \(silence)"
    }

    /// In one line.
    package static func quiet(_ result: SettingsResult) -> String {
        let hours = result.quietHours.value.map(words)
        let whose = result.quietHours.by == .settings ? "" : " (\(SettingWords.by(result.quietHours.by)))"
        return hours.isEmpty ? "no quiet hours\(whose)" : "quiet hours: \(hours.joined(separator: "; "))\(whose)"
    }

    /// `strength`: nil where none is said, which is all of it.
    package static func strength(_ strength: SettingsResult.InForce<Double>?, of what: String) -> String {
        guard let strength, strength.by == .settings else {
            let configured = SettingWords.by(SettingsLayer.configuration)
            return "the strength of \(what) is \(Words.percent(strength?.value ?? 1)) (\(configured))"
        }
        return "the strength of \(what) is \(Words.percent(strength.value))"
    }

    /// `22:00-07:00 on mon, tue, but for alarm, the app org.gnome.clocks, what is repeated`.
    static func words(_ hours: QuietHours) -> String {
        let words = SettingWords.hours(hours)
        var excepted = FeedbackClass.allCases.filter(hours.except.classes.contains).map(\.rawValue)
        excepted += hours.except.apps.sorted().map { "the app \(Words.given($0.string))" }
        if hours.except.repeated { excepted.append("what is repeated") }
        return excepted.isEmpty ? words : "\(words), but for \(excepted.joined(separator: ", "))"
    }

    private static func row(_ name: String, _ strength: SettingsResult.InForce<Double>) -> [String] {
        row(name, Words.percent(strength.value), strength.by)
    }

    // The value is last, for quiet hours may be long.
    private static func row(_ name: String, _ value: String, _ layer: SettingsLayer) -> [String] {
        [name, SettingWords.by(layer), value]
    }

    private static func isDefault(_ strength: SettingsResult.InForce<Double>) -> Bool {
        strength.by != .settings && strength.value == 1
    }
}
