// SPDX-License-Identifier: MIT
import HapticCore

/// Nothing is felt in quiet hours, but for what every one of those that there are now excepts.
enum QuietHoursLink {
    /// `isRepeated`: the same event was there shortly before.
    static func objection(
        to candidate: Candidate, _ personal: PersonalSettings, isRepeated: Bool, at now: LocalTime, noting path: inout PolicyPath
    ) -> Reason? {
        let (hours, layer) = (personal.settings.quietHours, personal.settings.quietHoursLayer)
        for index in hours.indices where hours[index].contains(now) {
            guard let exception = exception(for: candidate, from: hours[index].except, isRepeated: isRepeated) else {
                path.settings = personal.quietNotes[index]
                return .quietHours
            }
            guard path.settings.count < QuietHours.mostNoted else { continue }
            path.settings.append(AppliedSetting(.quietHours(hours[index], exception: exception), by: layer))
        }
        return nil
    }

    /// Why it is felt all the same.
    private static func exception(
        for candidate: Candidate, from exceptions: QuietHours.Exceptions, isRepeated: Bool
    ) -> QuietHours.Exception? {
        if exceptions.classes.contains(candidate.feedbackClass) { return .feedbackClass }
        // Anyone may claim to be an app.
        if candidate.client.maySpeakFor, let app = candidate.app, exceptions.apps.contains(Text(app)) { return .app }
        return exceptions.repeated && isRepeated ? .repeated : nil
    }
}
