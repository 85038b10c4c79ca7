// SPDX-License-Identifier: MIT
internal import HapticCore

extension Pattern {
    /// The same level over time in tracks without gains that are summed up plainly, each open phase once: for formats that know nothing
    /// else. It is the pattern itself where it is such a one; else its keyframes are the frames of its `Timeline`.
    ///
    /// Renders the pattern. Fails where the frames are more than the tracks of a pattern may have.
    public func flattened() throws(PatternError) -> Pattern {
        let isFlat = parts.isEmpty && phases.isEmpty && sum == .plain && tracks.allSatisfy { $0.gain == .one }
        if isFlat { return self }
        let timeline = Timeline(self)
        var keyframes = timeline.frames.map {
            Keyframe(at: $0.offset, intensity: $0.level.intensity, sharpness: $0.level.sharpness, curve: .step)
        }
        // Silence, of which there is at least a point: nothing is felt from the last keyframe on.
        if keyframes.isEmpty { keyframes.append(Keyframe(at: .zero, intensity: .zero, sharpness: .zero)) }
        if keyframes[keyframes.count - 1].at < duration {
            keyframes.append(Keyframe(at: duration, intensity: .zero, sharpness: .zero, curve: .step))
        }
        // A track is off from its last keyframe on, and there the next one begins.
        let length = Limit.entriesPerTrack - 1
        let tracks = stride(from: 0, to: keyframes.count - 1, by: length).map { begin in
            Track.keyframes(Array(keyframes[begin...min(begin + length, keyframes.count - 1)]))
        }
        return try Pattern(name: name, summary: summary, tracks: tracks, transition: transition, isCall: isCall)
    }
}
