// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns

/// What is intended: the frames that a pattern is rendered to, and what kind of thing it is.
struct Shape {
    enum Family: String, CaseIterable {
        case levels, ramps, swells, decays, impacts, trains, patterns
    }

    let name: String
    let family: Family
    let frames: [Timeline.Frame]

    /// To the end of what is intended.
    var end: Nanoseconds { frames.last?.offset ?? .zero }
    var peak: Intensity { frames.reduce(.zero) { max($0, $1.level.intensity) } }
    /// What is felt after the end counts as well.
    var length: Nanoseconds { end + .milliseconds(250) }
    /// From each on to the off that follows.
    var pulses: [(on: Nanoseconds, off: Nanoseconds)] {
        Timeline.beats(of: frames).map { ($0[$0.startIndex].offset, $0[$0.endIndex - 1].offset) }
    }

    /// All that is judged, in the order of the page.
    static let all: [Shape] = levels + glides + impacts + trains + [charge]

    // Each of a known type: the compiler of the cross build gives up on the sum of them all.
    private static let levels: [Shape] = [0.2, 0.35, 0.5, 0.75, 1].map { level in
        Shape("level \(level), 300 ms", .levels, [(0, level), (300, 0)])
    }
    private static let glides: [Shape] = {
        let lengths = [100, 250, 500]
        let ramps: [Shape] = lengths.map { glide("ramp, \($0) ms", .ramps, milliseconds: $0) { $0 } }
        let swells: [Shape] = lengths.map { glide("swell, \($0) ms", .swells, milliseconds: $0) { 1 - abs(2 * $0 - 1) } }
        let decays: [Shape] = lengths.map { glide("decay, \($0) ms", .decays, milliseconds: $0) { 1 - $0 } }
        return ramps + swells + decays
    }()
    private static let impacts: [Shape] = {
        let peaks: [(intensity: Double, milliseconds: Int)] = [(0.3, 6), (0.45, 8), (0.5, 8), (0.7, 12), (1, 20)]
        return peaks.map { peak in
            Shape("impact \(peak.intensity), \(peak.milliseconds) ms", .impacts, [(0, peak.intensity), (peak.milliseconds, 0)])
        }
    }()
    private static let trains: [Shape] = {
        let times: [(on: Int, off: Int)] = [(50, 50), (30, 70), (20, 40), (50, 20), (30, 30), (100, 30), (8, 92), (8, 42)]
        return times.map { train(on: $0.on, off: $0.off) }
    }()

    /// The patterns that are built in, but for those that are seen.
    static let builtIn = BuiltInPatterns.all.filter { !$0.isForLights }.map {
        Shape(name: $0.name, family: .patterns, frames: Timeline($0).frames)
    }

    private static func train(on: Int, off: Int) -> Shape {
        let points = (0..<6).flatMap { pulse -> [(Int, Double)] in
            [(pulse * (on + off), 0.8), (pulse * (on + off) + on, 0)]
        }
        return Shape("6 × \(on) ms on, \(off) ms off", .trains, points)
    }

    /// The press-and-hold charge: 77 soft impacts of 8 ms, as the gate's reference vectors have them. Every 10 ms the progress grows
    /// by an increment that itself grows; each step of 0.01 is felt.
    static let charge: Shape = {
        var (progress, increment, last) = (0.0, 0.0007, 0.0)
        var points: [(Int, Double)] = []
        for tick in 1...160 {
            progress += increment
            increment += 0.00007
            // Reaching 1 is always felt.
            guard min(progress, 1) - last >= 0.01 - 1e-9 || progress >= 1 else { continue }
            last = progress
            points += [(tick * 10, 0.5), (tick * 10 + 8, 0)]
        }
        return Shape("the charge", .trains, points)
    }()

    /// Sampled every 5 ms, as patterns are rendered.
    private static func glide(_ name: String, _ family: Family, milliseconds: Int, _ curve: (Double) -> Double) -> Shape {
        let points = stride(from: 0, to: milliseconds, by: 5).map { ($0, curve(Double($0) / Double(milliseconds))) }
        return Shape(name, family, points + [(milliseconds, 0)])
    }

    init(name: String, family: Family, frames: [Timeline.Frame]) {
        (self.name, self.family, self.frames) = (name, family, frames)
    }

    /// `points`: milliseconds, and the intensity from then on.
    init(_ name: String, _ family: Family, _ points: [(Int, Double)]) {
        var frames: [Timeline.Frame] = []
        for (time, intensity) in points {
            let intensity = Intensity(clamping: intensity < Timeline.leastIntensity ? 0 : intensity)
            guard intensity != frames.last?.level.intensity ?? .zero else { continue }
            frames.append(
                .init(offset: .milliseconds(Int64(time)), level: Level(intensity: intensity, sharpness: .zero)))
        }
        self.init(name: name, family: family, frames: frames)
    }
}
