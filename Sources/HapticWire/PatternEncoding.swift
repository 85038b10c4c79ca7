// SPDX-License-Identifier: MIT
internal import HapticCore

/// A pattern as an inline object of the wire; `PatternReader` reads it back as the same pattern.
struct PatternEncoding: Encodable {
    private let name: String
    private let tracks: [Track]
    private let parameterCurves: [Control]?

    init(_ pattern: Pattern) {
        name = pattern.name
        tracks = pattern.tracks.map(Track.init)
        parameterCurves = pattern.parameterCurves.isEmpty ? nil : pattern.parameterCurves.map(Control.init)
    }
}

private struct Track: Encodable {
    var keyframes: [Frame]?
    var events: [Event]?

    init(_ track: Pattern.Track) {
        switch track {
        case .keyframes(let keyframes): self.keyframes = keyframes.map(Frame.init)
        case .events(let events): self.events = events.map(Event.init)
        }
    }
}

private struct Frame: Encodable {
    var atMs: Double
    var intensity: Intensity
    var sharpness: Sharpness
    var curve: CurveEncoding

    init(_ keyframe: Keyframe) {
        atMs = keyframe.at.inMilliseconds
        intensity = keyframe.intensity
        sharpness = keyframe.sharpness
        curve = CurveEncoding(curve: keyframe.curve)
    }
}

private struct CurveEncoding: Encodable {
    var curve: Curve

    private enum SpringKey: CodingKey { case spring, response, dampingFraction }

    func encode(to encoder: any Encoder) throws {
        switch curve {
        case .step: try "step".encode(to: encoder)
        case .linear: try "linear".encode(to: encoder)
        case .easeIn: try "easeIn".encode(to: encoder)
        case .easeOut: try "easeOut".encode(to: encoder)
        case .easeInOut: try "easeInOut".encode(to: encoder)
        case .spring(let spring):
            var container = encoder.container(keyedBy: SpringKey.self)
            var members = container.nestedContainer(keyedBy: SpringKey.self, forKey: .spring)
            try members.encode(spring.response.inSeconds, forKey: .response)
            try members.encode(spring.dampingFraction, forKey: .dampingFraction)
        }
    }
}

private struct Event: Encodable {
    var atMs: Double
    var type: String
    var intensity: Intensity
    var sharpness: Sharpness
    /// The rest is a continuous event's.
    var durationMs: Double?
    var sustained: Bool?
    var attackMs: Double?
    var decayMs: Double?
    var releaseMs: Double?

    init(_ event: HapticEvent) {
        atMs = event.at.inMilliseconds
        intensity = event.intensity
        sharpness = event.sharpness
        switch event.kind {
        case .transient: type = "transient"
        case .continuous(let duration, let isSustained):
            type = "continuous"
            durationMs = duration.inMilliseconds
            sustained = isSustained
            attackMs = event.attack.inMilliseconds
            decayMs = event.decay.inMilliseconds
            releaseMs = event.release.inMilliseconds
        }
    }
}

private struct Control: Encodable {
    struct Point: Encodable {
        var atMs: Double
        var value: Double
    }

    var parameter: String
    var points: [Point]

    init(_ curve: ParameterCurve) {
        parameter = "\(curve.parameter)"
        points = curve.points.map { Point(atMs: $0.at.inMilliseconds, value: $0.value) }
    }
}
