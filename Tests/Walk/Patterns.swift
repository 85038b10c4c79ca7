// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport

/// Random patterns. Lengths and densities are drawn too, so that some have levels nanoseconds apart and others last a minute.
extension Pattern {
    /// A pulse of one level.
    static func pulse(_ name: String, _ length: Nanoseconds, _ value: Double) -> Pattern {
        steps(name, [(0, value), (length.count, 0)])
    }

    /// A pattern of held levels; times in nanoseconds.
    static func steps(_ name: String, _ points: [(at: Int64, value: Double)]) -> Pattern {
        try! Pattern(name: name, tracks: [.keyframes(points.map { Keyframe(at: $0.at, $0.value, .step) })])
    }

    /// Returns the first valid pattern of `make`: some are longer or denser than a pattern may be.
    private static func valid(_ make: () throws -> Pattern) -> Pattern {
        while true { if let pattern = try? make() { return pattern } }
    }

    /// A pattern of steps, ramps, holds and silence.
    static func random(_ name: String, using random: inout SplitMix64) -> Pattern {
        valid {
            let longest = random.one(of: [2, 1_000_000, 40_000_000, 400_000_000, 3_000_000_000] as [Int64])
            let most = random.one(of: [3, 8, 40])
            let mayGlide = random.chance(2)
            var at = random.chance(4) ? Int64.random(in: 0...longest, using: &random) : 0
            var keyframes: [Keyframe] = []
            for index in 0..<Int.random(in: 1...most, using: &random) {
                let value = index > 0 && random.chance(4) ? 0 : Double.random(in: 0.05...1, using: &random)
                // A ramp leads from one felt level to another.
                let isFelt = value > 0 && keyframes.last.map { $0.intensity.value > 0 } ?? false
                keyframes.append(Keyframe(at: at, value, mayGlide && isFelt && random.chance(2) ? .linear : .step))
                at += Int64.random(in: 1...longest, using: &random)
            }
            keyframes.append(Keyframe(at: at, 0, .step))
            return try Pattern(name: name, tracks: [.keyframes(keyframes)])
        }
    }

    /// A composition of `patterns`: each part has a random strength and number of repetitions, and begins at some time or after
    /// the part before.
    static func composed(_ name: String, of patterns: [Pattern], using random: inout SplitMix64) -> Pattern {
        valid {
            let parts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                let offset = random.milliseconds(0...random.one(of: [0, 30, 800]))
                return Part(
                    random.one(of: patterns), random.chance(2) ? .gap(offset) : .at(offset),
                    intensity: Intensity(Double.random(in: 0.3...1, using: &random))!,
                    repetitions: Int.random(in: 1...4, using: &random), interval: random.milliseconds(1...300))
            }
            return try Pattern(name: name, parts: parts, sum: random.chance(3) ? .glow : .plain)
        }
    }

    /// A pattern like an AHAP file of a game: close taps, vibrations, and a curve that shapes both.
    static func dense(_ name: String, using random: inout SplitMix64) -> Pattern {
        valid {
            let tracks = [true, false].map { isTap in
                var (events, at) = ([HapticEvent](), random.milliseconds(0...30))
                for _ in 0..<Int.random(in: isTap ? 4...50 : 1...5, using: &random) {
                    let length = isTap ? .milliseconds(8) : random.milliseconds(20...400)
                    events.append(
                        HapticEvent(
                            at: at, kind: isTap ? .transient : .continuous(duration: length, sustained: true),
                            intensity: Intensity(Double.random(in: 0.2...1, using: &random))!, sharpness: Sharpness(0.5)!))
                    at = at + length + random.milliseconds(0...(isTap ? 30 : 200))
                }
                return Track.events(events, gain: Intensity(Double.random(in: 0.2...0.5, using: &random))!)
            }
            var points: [ParameterCurve.Point] = []
            for index in 0..<(random.chance(2) ? 0 : Int.random(in: 1...5, using: &random)) {
                let value = Double.random(in: 0.3...1, using: &random)
                points.append(.init(at: random.milliseconds(1...200) + .milliseconds(400) * index, value: value))
            }
            let curves = points.isEmpty ? [] : [ParameterCurve(parameter: .intensity, points: points)]
            return try Pattern(name: name, tracks: tracks, parameterCurves: curves)
        }
    }

    /// A pattern of successive phases, at least one of them open.
    static func open(_ name: String, of patterns: [Pattern], using random: inout SplitMix64) -> Pattern {
        valid {
            let count = Int.random(in: 1...4, using: &random)
            let open = Int.random(in: 0..<count, using: &random)
            let phases = (0..<count).map { index in
                let pattern = random.one(of: patterns)
                guard index == open || random.chance(2) else { return Phase(pattern) }
                return Phase(
                    pattern, until: random.chance(2) ? .released : .advanced,
                    upTo: random.milliseconds(1...random.one(of: [5, 300, 4000, 30_000])))
            }
            return try Pattern(name: name, phases: phases)
        }
    }
}

extension Keyframe {
    fileprivate init(at: Int64, _ value: Double, _ curve: Easing) {
        self.init(at: Nanoseconds(at), intensity: Intensity(value)!, sharpness: Sharpness(0.5)!, curve: curve)
    }
}
