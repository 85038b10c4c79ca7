// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning

@testable import HapticEngine

/// Patterns, motors and plays that several tests use.
extension Pattern {
    static func sample(
        _ name: String, _ points: [(ms: Int64, intensity: Double)], _ curve: Easing = .step
    ) -> Pattern {
        let keyframes = points.map {
            Keyframe(at: .milliseconds($0.ms), intensity: Intensity($0.intensity)!, sharpness: .zero, curve: curve)
        }
        return try! Pattern(name: name, tracks: [.keyframes(keyframes)])
    }

    static let swell = sample("swell", [(0, 0.3), (100, 0.5), (200, 0.3)], .linear)
    static let ring = sample("ring", [(0, 0.8), (40, 0), (100, 0)])
}

extension PlayablePattern {
    /// Holds each level from its instant to the next; the last is off.
    static func levels(_ levels: [(at: Nanoseconds, intensity: Double)]) -> PlayablePattern {
        let keyframes = levels.map {
            Keyframe(at: $0.at, intensity: Intensity($0.intensity)!, sharpness: Sharpness(0.5)!, curve: .step)
        }
        return PlayablePattern(try! Pattern(name: "levels", tracks: [.keyframes(keyframes)]))
    }

    static func glide(
        _ points: [(ms: Int64, intensity: Double)], transition: Spring = .snappy, curve: Easing = .linear
    ) -> PlayablePattern {
        let keyframes = points.map {
            Keyframe(
                at: .milliseconds($0.ms), intensity: Intensity($0.intensity)!, sharpness: Sharpness($0.intensity)!, curve: curve)
        }
        return PlayablePattern(try! Pattern(name: "glide", tracks: [.keyframes(keyframes)], transition: transition))
    }

    static let rise = glide([(0, 0.1), (1000, 0.9), (1100, 0)])
    static let fall = glide([(0, 0.9), (1000, 0.1), (1100, 0)])

    static func phases(_ phases: [Pattern.Phase]) -> PlayablePattern {
        PlayablePattern(try! Pattern(name: "phases", phases: phases))
    }
}

extension BatchItem {
    static func play(
        _ play: PlayInput, id: String? = nil, by client: ClientIdentity = Bench.ada, at: MonotonicInstant
    ) -> BatchItem {
        .input(Input(client: client, id: id, at: at, kind: .play(play)))
    }
}

extension Bench {
    @discardableResult
    mutating func play(_ play: PlayInput, id: String? = nil, by client: ClientIdentity = Bench.ada) -> Decision {
        send(.play(play, id: id, by: client, at: now))
    }

    /// Plays `pattern` as an alarm.
    @discardableResult
    mutating func play(_ pattern: PlayablePattern, id: String? = nil) -> Decision {
        play(PlayInput(pattern: pattern, feedbackClass: .alarm), id: id)
    }
}
