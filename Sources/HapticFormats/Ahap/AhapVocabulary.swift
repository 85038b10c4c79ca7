// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns

// The words of AHAP, as Apple's article "Representing haptic patterns in AHAP files" and CHHapticParameter.h have them.

enum AhapEventType: String, CaseIterable {
    case transient = "HapticTransient"
    case continuous = "HapticContinuous"
    case audioContinuous = "AudioContinuous"
    case audioCustom = "AudioCustom"
}

/// What an event may say of itself.
enum AhapEventParameter: String, CaseIterable {
    case intensity = "HapticIntensity"
    case sharpness = "HapticSharpness"
    case attack = "AttackTime"
    case decay = "DecayTime"
    case release = "ReleaseTime"
    /// 1: the event stays at its intensity; 0: it fades in its decay time.
    case sustained = "Sustained"
}

/// What shapes all events from some time on.
enum AhapControl: String, CaseIterable {
    case intensity = "HapticIntensityControl"
    case sharpness = "HapticSharpnessControl"
    case attack = "HapticAttackTimeControl"
    case decay = "HapticDecayTimeControl"
    case release = "HapticReleaseTimeControl"

    var meaning: ParameterCurve.Parameter {
        switch self {
        case .intensity: .intensity
        case .sharpness: .sharpness
        case .attack: .attackTime
        case .decay: .decayTime
        case .release: .releaseTime
        }
    }

    init(_ meaning: ParameterCurve.Parameter) {
        self =
            switch meaning {
            case .intensity: .intensity
            case .sharpness: .sharpness
            case .attackTime: .attack
            case .decayTime: .decay
            case .releaseTime: .release
            }
    }

    var range: ClosedRange<Double> { self == .intensity ? 0...1 : -1...1 }
}

enum Ahap {
    /// What an attack, decay or release time of 1 comes to. Apple gives these times no unit. With a second the control of such a time,
    /// −1…1, has just the range that the curves of our own files have, so every value has its like in both formats.
    static let envelopeScale = Nanoseconds.seconds(1)

    /// Apple: "The maximum duration of a continuous haptic event is 30 seconds."
    static let longestContinuous = Nanoseconds.seconds(30)

    /// The points that a curve is written with; exporters divide longer ones so for Apple's player. The next curve begins with the last
    /// point of the one before.
    static let pointsPerCurve = 16

    /// Apple gives none. As in the files of our own, an event is of middling sharpness where it does not say.
    static let defaultSharpness = 0.5
    static let defaultIntensity = 1.0

    /// Sounds and their parameters; nothing here plays sounds.
    static func isAudio(_ parameter: Text) -> Bool { parameter.string.begins(with: "Audio") }
}
