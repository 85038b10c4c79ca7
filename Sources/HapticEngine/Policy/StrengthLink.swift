// SPDX-License-Identifier: MIT
import HapticCore

/// How much people want to feel: of everything, of the class, and of the app.
enum StrengthLink {
    /// What is left of less than this is nothing: it would be said as 0 %.
    private static let leastShare = 0.0005

    /// Anyone may claim to be an app, so what is said of one can only lower what is felt, unless its client may speak for it.
    static func objection(to candidate: inout Candidate, _ settings: SettingsInForce, noting path: inout PolicyPath) -> Reason? {
        guard settings.hasStrengths else { return nil }
        let full = candidate.intensity.value
        var gain = full
        if let (strength, layer) = settings.strength {
            gain *= strength.value
            path.settings.append(AppliedSetting(.strength(strength), by: layer))
        }
        if let (strength, layer) = settings.strength(of: candidate.feedbackClass) {
            gain *= strength.value
            path.settings.append(AppliedSetting(.classStrength(strength), by: layer))
        }
        if settings.hasAppStrengths, let app = candidate.app, let (wanted, layer) = settings.strength(ofApp: Text(app)) {
            let strength = candidate.client.maySpeakFor || Canary.is("app-strength-believed") ? wanted : min(wanted, .full)
            gain *= strength.value
            path.settings.append(AppliedSetting(.appStrength(strength), by: layer))
        }
        candidate.intensity = Intensity(clamping: gain)
        candidate.boost = max(1, gain)
        if path.settings.contains(where: \.isNothing) || gain < full * leastShare { return .strength }
        candidate.keepPerceptible()
        return nil
    }
}

extension AppliedSetting {
    /// It leaves nothing to be felt.
    fileprivate var isNothing: Bool {
        switch value {
        case .strength(let strength), .classStrength(let strength), .appStrength(let strength): strength.value == 0
        case .off, .quietHours: false
        }
    }
}
