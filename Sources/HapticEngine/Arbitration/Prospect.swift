// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPlanning

/// The outlook for one playback on the actuators that were chosen for it.
struct Prospect {
    /// The counts of the actuator that plays the most pulses.
    private(set) var summary: PlaySummary
    /// The least strength that heat leaves that actuator; 1 is all of it.
    private(set) var strength = 1.0
    private var best: Decision.Feel?
    /// A motor without a model takes part.
    private var hasUnknown = false

    init(steps: Int) { summary = PlaySummary(steps: steps, pulses: 0, mergedByMinGap: 0) }

    /// Adds an actuator. A light moves nothing: it is not felt, and says nothing of what is.
    mutating func add(_ preview: Channel.Preview, isLight: Bool) {
        let counts = preview.counts
        if counts.pulses > summary.pulses {
            strength = counts.leastStrength
            summary.pulses = counts.pulses
            (summary.mergedByMinGap, summary.mergedByMinInterval) = (counts.mergedByGap, counts.mergedByInterval)
        }
        guard !isLight else { return }
        guard let tally = preview.tally else {
            hasUnknown = true
            return
        }
        if let best, best.peak >= tally.peak { return }
        best = Decision.Feel(peak: tally.peak, runsTogether: !preview.isContinued && tally.pulsesRunTogether > 0)
    }

    /// As `Decision.feel`.
    var feel: Decision.Feel? { best.flatMap { $0.isFelt || !hasUnknown ? $0 : nil } }
}
