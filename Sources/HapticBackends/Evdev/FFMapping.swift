// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// How intensity and sharpness become an effect of one device. Pure; no allocation.
///
/// Levels are rounded to 64 steps of intensity and 16 of sharpness: finer than is felt (a difference of 10 % at the best), and
/// coarse enough that an effect which was uploaded once is met again.
struct FFMapping: Hashable, Sendable {
    /// The length of a level's effect. What goes on is played again after `renewal`.
    static let levelLengthMs: UInt16 = 1000
    /// Half the length: one renewal that comes late, or not at all, is not felt.
    static let renewal = Nanoseconds.milliseconds(500)

    static let intensitySteps = 64.0
    static let sharpnessSteps = 16.0
    /// The weakest there is, 1/16: less than that turns no motor, and pads keep only the upper 8 bits.
    static let leastIntensity = 1.0 / 16

    /// The period of the dullest vibration, 50 Hz: slower is felt as single shakes.
    static let dullestPeriodMs = 20.0
    /// The period of the sharpest, 200 Hz: skin feels best from there to 300 Hz, which whole milliseconds no longer distinguish.
    static let sharpestPeriodMs = 5.0
    /// From this sharpness on a vibration has edges, where the device has such a waveform.
    static let edged = 0.5

    let form: FFAbilities.Form
    private let dull: FFWaveform
    private let sharp: FFWaveform
    private let hasTwoMotors: Bool

    /// Nil where the device has nothing to vibrate with.
    init?(_ abilities: FFAbilities) {
        guard let form = abilities.form else { return nil }
        self.form = form
        func first(of order: [FFWaveform]) -> FFWaveform { order.first(where: abilities.waveforms.contains) ?? .sine }
        dull = first(of: [.sine, .triangle, .square, .sawUp, .sawDown])
        sharp = first(of: [.square, .triangle, .sawUp, .sawDown, .sine])
        hasTwoMotors = abilities.hasButtons
    }

    /// Whether the device shapes an effect by itself. Rumble has no envelope.
    var hasEnvelopes: Bool { form != .rumble }

    /// The effect of a level, which is on.
    func effect(of level: Level) -> FFEffect {
        FFEffect(
            formed(Self.quantised(level.intensity.value), sharpness: level.sharpness.value), lengthMs: Self.levelLengthMs)
    }

    /// The effect of a whole run, scaled, in place of its own sharpness with another one where that is given.
    func effect(of shape: EnvelopeShape, scale: Double, sharpness: Sharpness?) -> FFEffect {
        func part(_ level: Double) -> UInt16 { Self.part(of: 0x7fff, Self.steps(level * scale)) }
        let peak = Self.quantised(shape.peak * scale)
        return FFEffect(
            formed(peak, sharpness: (sharpness ?? shape.sharpness).value),
            envelope: .init(
                attackMs: shape.attackMs, attackLevel: part(shape.attackLevel), fadeMs: shape.fadeMs,
                fadeLevel: part(shape.fadeLevel)),
            lengthMs: shape.lengthMs)
    }

    private func formed(_ intensity: Double, sharpness: Double) -> FFEffect.Form {
        let sharpness = (sharpness * Self.sharpnessSteps).rounded() / Self.sharpnessSteps
        switch form {
        case .periodic:
            // Geometric, as pitch is felt.
            let period = Self.dullestPeriodMs * pow(Self.sharpestPeriodMs / Self.dullestPeriodMs, sharpness)
            return .periodic(
                // trap: a sharpness in 0...1 gives a period between two constants.
                sharpness < Self.edged ? dull : sharp, periodMs: UInt16(period.rounded()),
                magnitude: Self.part(of: 0x7fff, intensity))
        case .rumble where hasTwoMotors:
            // Dull is the heavy motor, sharp the light one; between them a cross-fade of constant power.
            let angle = sharpness * .pi / 2
            return .rumble(
                strong: Self.part(of: 0xffff, intensity * cos(angle)), weak: Self.part(of: 0xffff, intensity * sin(angle)))
        case .rumble:
            // Drivers of a single motor take one of the two and some ignore the other.
            let magnitude = Self.part(of: 0xffff, intensity)
            return .rumble(strong: magnitude, weak: magnitude)
        case .constant:
            return .constant(level: Self.part(of: 0x7fff, intensity))
        }
    }

    private static func steps(_ intensity: Double) -> Double { (intensity * intensitySteps).rounded() / intensitySteps }
    private static func quantised(_ intensity: Double) -> Double { min(max(steps(intensity), leastIntensity), 1) }
    // trap: a share of at most 1 of 0xffff.
    private static func part(of full: Double, _ share: Double) -> UInt16 { UInt16((min(max(share, 0), 1) * full).rounded()) }
}
