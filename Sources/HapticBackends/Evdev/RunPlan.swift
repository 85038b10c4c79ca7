// SPDX-License-Identifier: MIT
internal import HapticCore

/// How a device plays one run: as a whole, or level by level. Made when the device is opened, so that playing needs no search.
struct RunPlan: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// By itself.
        case whole(EnvelopeShape)
        /// Sent each level: one for each frame but the last.
        case steps([Level])
    }

    /// How many steps of intensity a glide is shown in where each has to be sent: an error of a sixteenth of its peak, and
    /// several patterns find room among 16 effects.
    static let glideSteps = 8
    /// How wide in sharpness such a step is.
    static let sharpnessWidth = 0.4

    /// Those of the run: the last is off.
    let frames: [Timeline.Frame]
    let form: Form

    init(_ run: Run, _ mapping: FFMapping) {
        // A copy of its own: the executor's thread counts references to it with each level, and those to the run's are the event
        // loop's to count.
        frames = run.frames.map { $0 }
        // A single level has nothing to shape, and as a level it can go on.
        if mapping.hasEnvelopes, run.frames.count > 2, let shape = EnvelopeShape(run) {
            form = .whole(shape)
        } else {
            form = .steps(Self.steps(of: run))
        }
    }

    /// What has to be uploaded for it at its full intensity, each once.
    func effects(_ mapping: FFMapping) -> [FFEffect] {
        switch form {
        case .whole(let shape): return [mapping.effect(of: shape, scale: 1, sharpness: nil)]
        case .steps(let levels):
            var seen: Set<FFEffect> = []
            return levels.map(mapping.effect).filter { seen.insert($0).inserted }
        }
    }

    /// The levels of the frames; where they are many, each is the mean of those it is nearest to.
    private static func steps(of run: Run) -> [Level] {
        let levels = run.frames.dropLast().map(\.level)
        guard Set(levels).count > glideSteps else { return levels }
        let peak = run.peak.value
        let dullest = levels.map(\.sharpness).min() ?? .zero
        func bin(_ level: Level) -> Int {
            // trap: a level of the run over its peak, which is more than 0: at most 1.
            let intensity = min(Int(level.intensity.value / peak * Double(glideSteps)), glideSteps - 1)
            return Int((level.sharpness.value - dullest.value) / sharpnessWidth) * glideSteps + intensity
        }
        var sums: [Int: (intensity: Double, sharpness: Double, count: Double)] = [:]
        for level in levels {
            let sum = sums[bin(level), default: (0, 0, 0)]
            sums[bin(level)] = (sum.intensity + level.intensity.value, sum.sharpness + level.sharpness.value, sum.count + 1)
        }
        let means = sums.mapValues { sum in
            Level(
                intensity: Intensity(clamping: sum.intensity / sum.count),
                sharpness: Sharpness(clamping: sum.sharpness / sum.count))
        }
        // trap: every level of `levels` has put its bin there.
        return levels.map { means[bin($0)]! }
    }
}
