// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// What people set, and which of it decides.
package enum SettingWords {
    /// `off until 07:00`, `quiet hours 22:00-07:00, excepted: class alarm`, `strength of app x: 50%, set by people`.
    static func applied(_ applied: AppliedSettingResult, to decision: DecisionResult) -> String {
        let by = ", \(Self.by(applied.by))"
        let strength = applied.strength.map(Words.percent) ?? "?"
        switch applied.of {
        case .off: return "off until \(applied.untilNs.map(TimeOfInstant.minute) ?? "somebody switches it on")"
        case .quietHours:
            let exception = applied.exception.map { ", excepted: \(Self.exception($0, decision))" } ?? ""
            return "quiet hours\(applied.quietHours.map { " \(hours($0.times))" } ?? "")\(exception)\(by)"
        case .strength: return "strength of everything: \(strength)\(by)"
        case .classStrength: return "strength of class \(decision.feedbackClass?.rawValue ?? "?"): \(strength)\(by)"
        case .appStrength: return "strength of app \(decision.app.map(Words.given) ?? "?"): \(strength)\(by)"
        }
    }

    /// By whose word it is in force, in the tables and sentences of all commands.
    static func by(_ layer: SettingsLayer) -> String {
        switch layer {
        case .settings: "set by people"
        case .configuration: "configured"
        }
    }

    /// `22:00-07:00`, `22:00-07:00 on sat, sun`.
    static func hours(_ hours: QuietHours) -> String {
        let days = Weekday.allCases.filter(hours.days.contains).map(\.rawValue)
        return "\(hours.from)-\(hours.to)"
            + (days.count == Weekday.allCases.count ? "" : " on \(days.joined(separator: ", "))")
    }

    private static func exception(_ exception: QuietHours.Exception, _ decision: DecisionResult) -> String {
        switch exception {
        case .feedbackClass: "class \(decision.feedbackClass?.rawValue ?? "?")"
        case .app: "app \(decision.app.map(Words.given) ?? "?")"
        case .repeated: "it has come again within 15 minutes"
        }
    }

    /// What has changed: `feedback is off for 1 h; these are quiet hours until 07:00; changed: strength, apps`.
    static func changed(_ notice: SettingsNotice) -> String {
        var (parts, others) = ([String](), [String]())
        for name in notice.changed {
            switch Text(name) {
            case "off": parts.append(off(notice.now) ?? "feedback is on again")
            case "conditions": parts.append(conditions(notice.now) ?? "no condition is in force")
            case "quiet": parts.append(quiet(notice.now) ?? "the quiet hours are over")
            case "trouble": parts.append(notice.now.trouble ?? "what people set is stored again")
            default: others.append(name)
            }
        }
        return (parts + (others.isEmpty ? [] : ["changed: \(others.joined(separator: ", "))"])).joined(separator: "; ")
    }

    /// Why nothing is felt now, or only what is excepted; nil: the settings silence nothing.
    package static func silence(_ now: SettingsNow) -> String? {
        off(now) ?? quiet(now)
    }

    /// The most conditions that a sentence names.
    private static let mostNamed = 5

    /// `the condition camera is in force`; `nil` if none is.
    package static func conditions(_ now: SettingsNow) -> String? {
        guard now.conditions.count != 1 else { return "the condition \(Words.given(now.conditions[0])) is in force" }
        guard !now.conditions.isEmpty else { return nil }
        let named = now.conditions.prefix(mostNamed).map(Words.given).joined(separator: ", ")
        let more = now.conditions.count - mostNamed
        return "the conditions \(named)\(more > 0 ? " and \(more) more" : "") are in force"
    }

    /// Nil: these are none.
    private static func quiet(_ now: SettingsNow) -> String? {
        now.quiet ? "these are quiet hours\(now.quietUntil.map { " until \($0)" } ?? "")" : nil
    }

    /// Nil: feedback is on.
    private static func off(_ now: SettingsNow) -> String? {
        now.off.map { "feedback is off\($0.remainingMs.map { " for \(Words.left(milliseconds: $0))" } ?? "")" }
    }
}
