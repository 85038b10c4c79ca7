// SPDX-License-Identifier: MIT
import HapticCore

/// How strongly a pattern is played: its levels are multiplied by this, and are 1 at most.
struct Gain {
    /// 0 or more.
    let value: Double

    init(_ intensity: Intensity) { value = intensity.value }

    static var one: Gain { Gain(.one) }

    /// `intensity`, or what goes beyond the intensity of 1.
    init(of candidate: borrowing Candidate) { value = candidate.boost > 1 ? candidate.boost : candidate.intensity.value }

    /// The share of `intensity` that profile and strengths leave; 1 at most.
    func share(of intensity: Intensity) -> Intensity { intensity > .zero ? Intensity(clamping: value / intensity.value) : .one }

    static func * (intensity: Intensity, gain: Gain) -> Intensity { Intensity(clamping: intensity.value * gain.value) }
}
