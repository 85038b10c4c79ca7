// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// What is intended at an instant, and how fast it changes.
package struct Motion {
    var level: Level
    /// Of the intensity and of the sharpness, per second.
    var intensityRate = 0.0
    var sharpnessRate = 0.0
    /// It is part of a glide: what glides, too, may take it up.
    var glides = false
}

extension Motion {
    /// A step of more than this between two frames is felt as one: what is smaller is part of a glide.
    static let largestStep = 0.2

    /// From `frame` on, where `next` follows; at rest where what follows is no part of a glide.
    init(at frame: Timeline.Frame, before next: Timeline.Frame?, glides: Bool) {
        level = frame.level
        self.glides = glides
        guard let next, Self.isGlide(from: frame, to: next) else { return }
        let time = (next.offset - frame.offset).inSeconds
        intensityRate = (next.level.intensity.value - level.intensity.value) / time
        sharpnessRate = (next.level.sharpness.value - level.sharpness.value) / time
    }

    /// What a cross-fade leaves of it, `elapsed` after that began.
    func faded(by crossFade: CrossFade, after elapsed: Nanoseconds) -> Motion {
        let (share, intensity) = (crossFade.share(after: elapsed), level.intensity.value)
        var faded = self
        faded.level.intensity = Intensity(clamping: intensity * share.value)
        faded.intensityRate = intensityRate * share.value + intensity * share.rate
        return faded
    }

    /// Whether two frames that follow each other are samples of one glide.
    static func isGlide(from a: Timeline.Frame, to b: Timeline.Frame) -> Bool {
        a.level.isOn && b.level.isOn && b.offset - a.offset <= Timeline.frameInterval
            && abs(b.level.intensity.value - a.level.intensity.value) <= largestStep
    }
}

/// A run of a pattern, as far as it matters when one playback takes the place of another: see ADR 28.
struct Passage {
    /// A run that is no longer is an impact, whatever its levels do; so is the fall of a strike to half.
    static let longestImpact = Nanoseconds.milliseconds(50)

    /// From the start of the pattern: its first frame, and the off that ends it.
    let start: Nanoseconds
    let end: Nanoseconds
    /// It is longer than an impact, and somewhere in it the level glides.
    let glides: Bool
    /// It begins with an impact: a jump that has fallen to half or less soon after.
    let strikes: Bool

    /// `frames`: from an on to the off that ends it.
    init(_ frames: ArraySlice<Timeline.Frame>) {
        // trap: a run holds an on and an off.
        let (first, last) = (frames.first!, frames.last!)
        (start, end) = (first.offset, last.offset)
        let isLong = last.offset - first.offset > Self.longestImpact
        glides = isLong && zip(frames, frames.dropFirst()).contains { Motion.isGlide(from: $0, to: $1) }
        let peak = first.level.intensity.value
        let isHalved = frames.prefix { $0.offset - first.offset <= Self.longestImpact }.contains {
            $0.level.intensity.value <= peak / 2
        }
        strikes = peak > Motion.largestStep && isHalved
    }
}
