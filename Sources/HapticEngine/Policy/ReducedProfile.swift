// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The profile `reduced` makes one impact of what is strong or long, and keeps what it means: success, warning and error are shown by
/// lights, and felt where there are none. What it has lights show stays within `FlashBound`.
struct ReducedProfile {
    let configuration: EngineConfiguration
    let scheduler: Scheduler
    let flashes: FlashLedger
    let now: MonotonicInstant

    func objection(to candidate: inout Candidate) -> Reason? {
        if candidate.pattern.meaning != nil {
            // Where a motor that is only on or off could show it, it can show what takes its place.
            let peak = candidate.pattern.timeline.peak.value * candidate.intensity.value
            candidate.leastPeak = min(peak, ActuatorCapabilities.onOffThreshold)
        }
        var replacement: PlayablePattern?
        switch configuration.classes[candidate.feedbackClass].reduced {
        case .full: return keepWhole(&candidate)
        case .half:
            candidate.intensity = candidate.intensity * Intensity(clamping: 0.5)
            candidate.keepPerceptible()
            return keepWhole(&candidate)
        case .nothing: break
        // trap: a configuration is refused where a class names a pattern that is not there.
        case .pattern(let name): replacement = configuration.patterns[Text(name)]!
        }
        if let (shape, touch) = keptMeaning(of: candidate) {
            return keepMeaning(of: &candidate, shape, replacement ?? touch)
        }
        if replacement == nil {
            let standIns = scheduler.fallbacks(of: candidate.actuators)
            guard !standIns.isEmpty else { return .profile }
            candidate.actuators = standIns
            if !standIns.contains(where: scheduler.isLight) { return nil }
        }
        candidate.becomeOnce(replacement ?? candidate.pattern)
        return keepFromFlashing(&candidate)
    }

    /// It is played as it is, but for lights that may not flash so; of an alarm on these, too.
    private func keepWhole(_ candidate: inout Candidate) -> Reason? {
        if candidate.feedbackClass == .alarm { return nil }
        guard let reason = keepFromFlashing(&candidate) else { return nil }
        guard let (shape, touch) = keptMeaning(of: candidate) else { return reason }
        return keepMeaning(of: &candidate, shape, touch)
    }

    /// What lights show of what `candidate` means, and what motors play of it; nil: it means nothing.
    private func keptMeaning(of candidate: Candidate) -> (shape: PlayablePattern, touch: PlayablePattern)? {
        guard let kept = configuration.meanings, let meaning = candidate.pattern.meaning else { return nil }
        // trap: a configuration is refused where it names a pattern that is not there.
        return (configuration.patterns[Text(kept[meaning])]!, configuration.patterns[Text(kept.touch)]!)
    }

    /// Has lights show `shape`, or else motors play `touch`.
    private func keepMeaning(of candidate: inout Candidate, _ shape: PlayablePattern, _ touch: PlayablePattern) -> Reason? {
        let lights = scheduler.lights(for: candidate.actuators)
        let free = lights.filter { scheduler.isFree($0, for: candidate) }
        let mayFlash = flashes.admits(shape.flashes ?? [], on: free, at: now)
        let motors = motors(of: candidate)
        if lights.isEmpty || !motors.isEmpty, free.isEmpty || !mayFlash {
            candidate.becomeOnce(touch)
            candidate.keepPerceptible()
            if !lights.isEmpty { candidate.actuators = motors }
            return nil
        }
        candidate.becomeOnce(shape)
        candidate.keepPerceptible()
        (candidate.actuators, candidate.traits.countsFlashes) = (free.isEmpty ? lights : free, true)
        // Where something more important has all of them, that will be the reason.
        if free.isEmpty || mayFlash { return nil }
        // Late is better than nothing here, and than more flashes.
        guard let wait = flashes.wait(for: shape.flashes ?? [], on: free, at: now) else { return .rateLimited }
        candidate.wait = wait
        candidate.latest = candidate.latest.map { max($0, now + wait) }
        return nil
    }

    /// Leaves out the lights among those that would play it where they may not flash so; where there are lights alone they show it once.
    /// Returns why they may not.
    func keepFromFlashing(_ candidate: inout Candidate) -> Reason? {
        let lights = scheduler.present(wanted(by: candidate)).filter(scheduler.isLight)
        // What goes on on the others is not cut.
        let free = lights.filter { scheduler.isFree($0, for: candidate) }
        if free.isEmpty { return nil }
        if candidate.isOnce, mayFlash(candidate, on: free) {
            candidate.traits.countsFlashes = true
            return nil
        }
        let motors = motors(of: candidate)
        if motors.isEmpty {
            candidate.becomeOnce(candidate.pattern)
            candidate.traits.countsFlashes = true
            return mayFlash(candidate, on: free) ? nil : .rateLimited
        }
        candidate.actuators = motors
        if let other = candidate.handOver?.to, !motors.contains(other) { candidate.spread = nil }
        return nil
    }

    private func mayFlash(_ candidate: Candidate, on lights: [ActuatorIndex]) -> Bool {
        candidate.pattern.flashes.map { flashes.admits($0, on: lights, at: now) } ?? false
    }

    /// With that to which it is handed over.
    private func wanted(by candidate: Candidate) -> [ActuatorIndex] {
        let named = candidate.actuators ?? scheduler.ordinary
        guard let other = candidate.handOver?.to, !named.contains(other) else { return named }
        return named + [other]
    }

    /// Where it would be felt.
    private func motors(of candidate: Candidate) -> [ActuatorIndex] {
        wanted(by: candidate).filter { index in
            scheduler.present([index]).contains { !scheduler.isLight($0) }
        }
    }
}

extension Candidate {
    /// It is felt once, and at the same time on all that play it.
    fileprivate var isOnce: Bool { train == nil && repetitions == 1 && spread == nil }

    /// `pattern` is felt once, at the same strength, in place of whatever would be played.
    mutating func becomeOnce(_ pattern: PlayablePattern) {
        self.pattern = pattern
        (train, repetitions, sharpness, spread) = (nil, 1, nil, nil)
    }
}
