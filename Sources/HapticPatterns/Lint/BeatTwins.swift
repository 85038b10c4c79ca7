// SPDX-License-Identifier: MIT
internal import HapticCore

/// Finds beats that differ from an earlier one in sharpness alone. Each beat is looked at once, however many came before it.
struct BeatTwins {
    typealias Beat = ArraySlice<Timeline.Frame>

    /// How strong a beat is, and when: of two with the same the intensities are nearer than `PatternLint.Limit.intensity`.
    private struct Strength: Hashable {
        var offset: Nanoseconds
        var intensity: Int
    }

    /// Of all beats with the same strengths, frame by frame the dullest and the sharpest.
    private struct Span {
        var dullest: (sharpness: Double, beat: Beat)
        var sharpest: (sharpness: Double, beat: Beat)
    }

    private var spans: [[Strength]: [Span]] = [:]
    /// How many frames have been looked at.
    private(set) var looks = 0

    /// An earlier one that is as strong as `beat` at every instant, and sharper or duller at some; nil where there is none.
    mutating func twin(of beat: Beat) -> Beat? {
        let key = strengths(of: beat)
        guard var known = spans[key] else {
            spans[key] = beat.map { Span(dullest: ($0.level.sharpness.value, beat), sharpest: ($0.level.sharpness.value, beat)) }
            return nil
        }
        var twin: Beat?
        for (index, frame) in beat.enumerated() where frame.level.isOn {
            let sharpness = frame.level.sharpness.value
            let span = known[index]
            if twin == nil, sharpness - span.dullest.sharpness >= PatternLint.Limit.sharpness { twin = span.dullest.beat }
            if twin == nil, span.sharpest.sharpness - sharpness >= PatternLint.Limit.sharpness { twin = span.sharpest.beat }
            if sharpness < span.dullest.sharpness { known[index].dullest = (sharpness, beat) }
            if sharpness > span.sharpest.sharpness { known[index].sharpest = (sharpness, beat) }
        }
        spans[key] = known
        return twin
    }

    private mutating func strengths(of beat: Beat) -> [Strength] {
        looks += beat.count
        let start = beat[beat.startIndex].offset
        return beat.map { frame in
            // trap: an intensity is 0…1.
            let step = Int(frame.level.intensity.value / PatternLint.Limit.intensity)
            return Strength(offset: frame.offset - start, intensity: step)
        }
    }
}
