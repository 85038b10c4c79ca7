// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticTerminal
import HapticWire

/// The checks of feedback: whether settings, conditions or weak patterns keep it from being felt.
enum FeedbackChecks {
    static func settings(_ facts: Facts) -> [Finding] {
        guard let status = facts.daemon.status else { return [] }
        var findings: [Finding] = []
        if let trouble = status.settings.trouble {
            findings.append(
                Finding(
                    .settingsTrouble, "what people set may not last", details: [trouble],
                    remedies: [facts.hapticctl("settings")]))
        }
        if let silence = SettingWords.silence(status.settings) {
            let isOff = status.settings.off != nil
            findings.append(
                Finding(
                    isOff ? .feedbackOff : .feedbackQuiet, silence, remedies: [facts.hapticctl(isOff ? "on" : "settings")]))
        }
        if status.profile != .full {
            findings.append(
                Finding(.feedbackSilenced, "the profile is \(status.profile)", remedies: [facts.hapticctl("profile full")]))
        }
        if let conditions = SettingWords.conditions(status.settings) {
            findings.append(Finding(.feedbackCondition, conditions, remedies: [facts.hapticctl("settings")]))
        }
        if status.missedActuations > 0 {
            findings.append(
                Finding(
                    .feedbackLate, "\(status.missedActuations) actuations were left out", remedies: [facts.hapticctl("status")]))
        }
        return findings.isEmpty ? [.ok(.feedback, "the profile is full, and nothing was left out")] : findings
    }

    /// The patterns of rules that no hand feels. One finding lists all of them.
    static func weakPatterns(_ facts: Facts) -> [Finding] {
        let weak = facts.configuration.weak
        guard !weak.isEmpty else { return [] }
        let places = Set(weak.flatMap(\.actuators)).sorted()
        return [
            Finding(
                .patternWeak, "\(Words.count(weak.count, "pattern")) of the rules in \(facts.configuration.path) cannot be felt",
                details: weak.map(Words.weak), remedies: places.map { facts.hapticctl("tune \(shellQuoted($0))") })
        ]
    }
}
