// SPDX-License-Identifier: MIT
import HapticCore

/// What the profile in force makes of the class: all of it, half, another pattern, or nothing, unless a fallback stands in.
enum ProfileLink {
    static func objection(
        to candidate: inout Candidate, _ profile: Profile, _ configuration: EngineConfiguration, _ scheduler: Scheduler
    ) -> Reason? {
        switch configuration.classes[candidate.feedbackClass].effect(of: profile) {
        case .full: break
        case .half: candidate.intensity = candidate.intensity * Intensity(clamping: 0.5)
        case .nothing:
            let lights = scheduler.fallbacks(of: candidate.actuators)
            guard !lights.isEmpty else { return .profile }
            (candidate.actuators, candidate.spread) = (lights, nil)
        case .pattern(let name):
            // trap: a configuration is refused where a class names a pattern that is not there.
            candidate.pattern = configuration.patterns[Text(name)]!
            (candidate.train, candidate.repetitions, candidate.sharpness, candidate.spread) = (nil, 1, nil, nil)
        }
        return nil
    }
}
