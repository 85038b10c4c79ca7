// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The effect of a profile or a condition on a class: all of it, half, another pattern, or nothing, unless a fallback stands in.
/// `ReducedProfile` has that of `reduced`.
enum ProfileLink {
    static func objection(
        to candidate: inout Candidate, _ profile: Profile, _ configuration: EngineConfiguration, _ scheduler: Scheduler,
        _ flashes: FlashLedger, at now: MonotonicInstant
    ) -> Reason? {
        let effect = configuration.classes[candidate.feedbackClass].effect(of: profile)
        return objection(to: &candidate, effect, of: profile, configuration, scheduler, flashes, at: now)
    }

    /// Applies `effect`. `profile`: the profile that has the effect; `nil` if it is a condition's own.
    static func objection(
        to candidate: inout Candidate, _ effect: ProfileEffect, of profile: Profile?, _ configuration: EngineConfiguration,
        _ scheduler: Scheduler, _ flashes: FlashLedger, at now: MonotonicInstant
    ) -> Reason? {
        if profile == .reduced {
            let reduced = ReducedProfile(configuration: configuration, scheduler: scheduler, flashes: flashes, now: now)
            return reduced.objection(to: &candidate)
        }
        switch effect {
        case .full: break
        case .half: candidate.intensity = candidate.intensity * Intensity(clamping: 0.5)
        case .nothing:
            let lights = scheduler.fallbacks(of: candidate.actuators)
            guard !lights.isEmpty else { return .profile }
            (candidate.actuators, candidate.spread) = (lights, nil)
        case .pattern(let name):
            // trap: a configuration is refused where a class or a condition names a pattern that is not there.
            candidate.becomeOnce(configuration.patterns[Text(name)]!)
        }
        return nil
    }
}
