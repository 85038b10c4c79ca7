// SPDX-License-Identifier: MIT
package import HapticCore

/// How strongly a pattern is played: its levels are multiplied by this, and are 1 at most.
package struct Gain {
    /// 0 or more.
    package let value: Double

    package init(_ intensity: Intensity) { value = intensity.value }

    /// `boost`: may exceed 1.
    package init(boost: Double) { value = boost }

    package static var one: Gain { Gain(.one) }

    /// The share of `intensity` that profile and strengths leave; 1 at most.
    package func share(of intensity: Intensity) -> Intensity {
        intensity > .zero ? Intensity(clamping: value / intensity.value) : .one
    }

    package static func * (intensity: Intensity, gain: Gain) -> Intensity { Intensity(clamping: intensity.value * gain.value) }
}
