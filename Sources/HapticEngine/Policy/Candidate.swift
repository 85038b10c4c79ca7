// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

// sizes: plain values
/// Feedback that is played if nothing objects.
struct Candidate {
    let client: ClientIdentity
    /// When the client says that it happened; an instant later than now counts as now.
    let at: MonotonicInstant
    /// The name that the client gives itself.
    var app: String?
    /// The client named the class, and no rule.
    var namesClass = false
    /// The client gave `feedback: off`.
    var isOff: Bool
    var pattern: PlayablePattern
    var feedbackClass: FeedbackClass
    var intensity: Intensity
    /// What it would be if it could go beyond 1; else 1. Levels below 1 are lifted by it.
    var boost = 1.0
    /// Whatever people make of its strength, its peak is this at least, unless they want nothing of it: what it means shall be felt.
    var leastPeak = 0.0
    var priority: Int
    /// How old it may be when it is decided; nil: any age.
    var deadline: Nanoseconds?
    /// What begins to be felt after this comes too late; nil: there is no such instant, or `DeadlineLink` has not been asked.
    var latest: MonotonicInstant?
    var actuators: [ActuatorIndex]?
    var spread: Spread?
    var source: SourceKey?
    var train: StepTrain?
    var repetitions = 1
    var sharpness: Sharpness?
    /// From the decision to its beginning: lights may not flash before.
    var wait = Nanoseconds.zero
    var traits = PlaybackTraits()

    var handOver: HandOver? { if case .handOver(let handOver) = spread { handOver } else { nil } }

    /// How often a `play` has the pattern felt; nil where it is none.
    var steps: Int? { traits.isPlayInput ? (train?.steps ?? 1) * repetitions : nil }

    /// The intensity, or the boost beyond an intensity of 1.
    var gain: Gain { boost > 1 ? Gain(boost: boost) : Gain(intensity) }

    /// Lifts its intensity so far that its peak is `leastPeak`.
    mutating func keepPerceptible() {
        let peak = pattern.timeline.peak.value
        guard leastPeak > 0, peak > 0 else { return }
        var least = leastPeak / peak
        // Not a rounding below it.
        if least * peak < leastPeak { least = least.nextUp }
        intensity = max(intensity, Intensity(clamping: least))
    }
}
