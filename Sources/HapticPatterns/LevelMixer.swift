// SPDX-License-Identifier: MIT
package import HapticCore

/// How the layers of a pattern, its tracks and parts, become one level.
public enum LayerSum: Hashable, Sendable, CaseIterable {
    /// Their intensities add up and are cut at 1.
    case plain
    /// As light does in a glow: the wide layers are faint, the narrow ones strong, and none drowns the others.
    ///
    /// A layer of length d weighs w = √(d₀ / d), d₀ the length of the shortest one: so all have the same energy, which goes with
    /// w² · d. The weighed intensities are put together as in the blend mode `screen` of W3C Compositing and Blending Level 1:
    /// a + b − a · b. The sum is at most 1 and never falls where a layer rises; a layer alone stays as it is.
    case glow

    /// What a layer of `length` weighs beside one of `shortest`, both more than 0.
    func weight(of length: Nanoseconds, shortest: Nanoseconds) -> Double {
        switch self {
        case .plain: 1
        case .glow: (Double(shortest.count) / Double(length.count)).squareRoot()
        }
    }
}

/// Adds levels: sharpness is their mean weighted by intensity.
package struct LevelMixer {
    private let sum: LayerSum
    private var intensity = 0.0
    /// Of the intensities as they came.
    private var weight = 0.0
    private var weightedSharpness = 0.0

    package init(_ sum: LayerSum = .plain) { self.sum = sum }

    package mutating func add(_ intensity: Double, _ sharpness: Double) {
        switch sum {
        case .plain: self.intensity += intensity
        case .glow: self.intensity += intensity - self.intensity * intensity
        }
        weight += intensity
        weightedSharpness += intensity * sharpness
    }

    /// The sum, with the intensity multiplied and the sharpness shifted by the pattern's controls.
    package func level(intensityControl: Double? = nil, sharpnessControl: Double? = nil) -> Level {
        guard intensity > 0 else { return .off }
        return Level(
            intensity: Intensity(clamping: intensity * (intensityControl ?? 1)),
            sharpness: Sharpness(clamping: weightedSharpness / weight + (sharpnessControl ?? 0)))
    }
}
