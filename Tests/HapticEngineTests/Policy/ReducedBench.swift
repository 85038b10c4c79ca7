// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

@testable import HapticEngine

/// Motors and lights, and patterns that mean something.
enum Reduced {
    static let seen = ActuatorCapabilities(variesIntensity: true, variesSharpness: false, isLight: true)
    static let motor = EngineActuator(name: "motor", fallback: ActuatorIndex(1))
    static let light = EngineActuator(name: "light", capabilities: seen)
    static let lamp = EngineActuator(name: "lamp", capabilities: seen)

    static func meaning(_ pattern: PlayablePattern, _ meaning: Meaning) -> PlayablePattern {
        PlayablePattern(name: pattern.name, timeline: pattern.timeline, meaning: meaning)
    }

    /// `count` flashes of 200 ms, 400 ms from one to the next.
    static func flashes(_ name: String, _ count: Int64) -> PlayablePattern {
        func frame(_ ms: Int64, _ intensity: Intensity) -> Keyframe {
            Keyframe(at: .milliseconds(ms), intensity: intensity, sharpness: .zero, curve: .step)
        }
        let frames = (0..<count).flatMap { [frame($0 * 400, .one), frame($0 * 400 + 200, .zero)] }
        return PlayablePattern(try! Pattern(name: name, tracks: [.keyframes(frames)]))
    }

    static let patterns: [Text: PlayablePattern] = {
        let ours = [
            flashes("glowSuccess", 1), flashes("glowWarning", 2), flashes("glowError", 3),
            meaning(.pulse("success", 60, intensity: 0.8), .success), meaning(.pulse("warning", 60, intensity: 0.9), .warning),
            meaning(.pulse("error", 400, intensity: 1), .error),
        ]
        let others = PlayablePattern.bench.values.filter { $0.name != "success" }
        return Dictionary(uniqueKeysWithValues: (ours + others).map { (Text($0.name), $0) })
    }()

    static func bench(
        _ actuators: [EngineActuator], _ profile: Profile = .reduced, classes: ClassTable = .standard
    ) throws -> Bench {
        Bench(
            try EngineConfiguration(
                settings: Settings(profile: profile), classes: classes, meanings: .standard, actuators: actuators,
                patterns: patterns))
    }

    static func play(
        _ name: String, _ feedbackClass: FeedbackClass, intensity: Double = 1, actuators: [Int]? = nil,
        by client: ClientIdentity = Bench.ada, at now: MonotonicInstant
    ) -> BatchItem {
        let input = PlayInput(
            pattern: patterns[Text(name)]!, train: StepTrain(steps: 3), intensity: Intensity(clamping: intensity),
            sharpness: .one, feedbackClass: feedbackClass, actuators: actuators?.map { ActuatorIndex($0) })
        return .input(Input(client: client, at: now, kind: .play(input)))
    }
}
