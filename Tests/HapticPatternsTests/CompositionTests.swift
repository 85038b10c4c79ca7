// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

private func level(_ intensity: Double, _ sharpness: Double = 0.5, ms: Int64 = 8, from start: Int64 = 0) throws -> Pattern {
    let frames = [(start, intensity), (start + ms, 0)].map { ms, intensity in
        Keyframe(
            at: .milliseconds(ms), intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness),
            curve: .step)
    }
    return try Pattern(name: "level", tracks: [.keyframes(frames)])
}

@Suite("Patterns of patterns")
struct CompositionTests {
    @Test("A composed pattern is the sum of its parts at every instant")
    func sum() throws {
        var random = SplitMix64(seed: 16)
        for round in 0..<200 {
            var parts: [Pattern.Part] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                parts.append(
                    Pattern.Part(
                        try RenderingTests.pattern(&random), .at(.milliseconds(Int64.random(in: 0...300, using: &random))),
                        intensity: Intensity(clamping: Double.random(in: 0...1, using: &random)),
                        sharpness: Bool.random(using: &random) ? Sharpness(clamping: 0.25) : nil,
                        repetitions: Int.random(in: 1...3, using: &random), interval: .milliseconds(77)))
            }
            let whole = try Pattern(name: "whole", parts: parts)
            for _ in 0..<50 {
                let offset = Nanoseconds(Int64.random(in: 0..<whole.duration.count, using: &random))
                let expected = Self.sum(of: parts, at: offset)
                let found = whole.level(at: offset)
                #expect(abs(found.intensity.value - expected.intensity.value) < 1e-12, "round \(round) at \(offset)")
                #expect(abs(found.sharpness.value - expected.sharpness.value) < 1e-9, "round \(round) at \(offset)")
            }
            let frames = Timeline(whole).frames
            // Each frame takes a look, of 8 units at least: what was announced is enough.
            #expect(frames.count * WorkBudget.Cost.frame <= whole.renderingCost, "round \(round)")
            for frame in frames.prefix(50) where frame.level.isOn { #expect(whole.level(at: frame.offset) == frame.level) }
        }
    }

    private static func sum(of parts: [Pattern.Part], at offset: Nanoseconds) -> Level {
        var (intensity, weighted) = (0.0, 0.0)
        for part in parts {
            guard case .at(let start) = part.start else { continue }
            for repetition in 0..<part.repetitions {
                let level = part.pattern.level(at: offset - start - part.interval * repetition)
                let strength = level.intensity.value * part.intensity.value
                intensity += strength
                weighted += strength * (part.sharpness ?? level.sharpness).value
            }
        }
        guard intensity > 0 else { return .off }
        return Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: weighted / intensity))
    }

    @Test("Rendering costs as much as announced, counted by hand")
    func cost() throws {
        let tap = try level(0.5)
        let taps = try Pattern(name: "taps", parts: [.init(tap, repetitions: 3, interval: .milliseconds(80))])
        // Three times a frame (8) with the part (8) and its keyframes (2) in it, and a frame without.
        #expect(taps.renderingCost == 3 * (8 + 8 + 2) + 3 * 8)
        #expect(Timeline(taps).frames.map(\.offset) == [0, 8, 80, 88, 160, 168].map { .milliseconds($0) })
    }

    @Test("A gap counts from the end of the last repetition, silence included")
    func gaps() throws {
        let tap = try level(1)
        let parts: [Pattern.Part] = [
            .init(tap, .gap(.milliseconds(5)), repetitions: 2, interval: .milliseconds(20)), .init(tap, .gap(.milliseconds(10))),
            .init(tap, .at(.milliseconds(100))), .init(tap, .gap(.zero)),
        ]
        let whole = try Pattern(name: "gaps", parts: parts)
        let starts = Timeline(whole).frames.filter(\.level.isOn).map(\.offset)
        // The last one begins when the one before it ends, so nothing changes there.
        #expect(starts == [5, 25, 43, 100].map { .milliseconds($0) })
        #expect(whole.duration == .milliseconds(116))
    }

    @Test("A gain makes a track that much weaker, events and keyframes alike")
    func gain() throws {
        let event = HapticEvent(at: .zero, kind: .transient, intensity: .one, sharpness: .one)
        let half = Intensity(clamping: 0.5)
        let events = Pattern.Track.events([event, event], gain: Intensity(clamping: 0.25))
        let keyframes = try level(0.5).tracks.map { Pattern.Track($0.content, gain: half) }
        let pattern = try Pattern(name: "g", tracks: [events] + keyframes)
        #expect(pattern.level(at: .zero).intensity == Intensity(0.75))
    }

    @Test("Phases follow each other without a break, and a held level stays on")
    func phases() throws {
        let phases = [try level(0.5, ms: 20), try level(0.5, ms: 30), try level(1)].map { Pattern.Phase($0) }
        let whole = try Pattern(name: "p", phases: phases)
        #expect(!whole.hasOpenPhases)
        #expect(whole.duration == .milliseconds(58))
        #expect(Timeline(whole).frames.map(\.offset) == [.zero, .milliseconds(50), .milliseconds(58)])
        let hold = Pattern.Phase(try level(0.5), until: .released, upTo: .seconds(5))
        let open = try Pattern(name: "o", phases: [.init(try level(1)), hold])
        #expect(open.hasOpenPhases)
        #expect(open.duration == .milliseconds(16))
    }

    @Test("In a glow the sum is at most 1, never falls if a layer rises, and one layer stays as it is")
    func glowSum() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let count = Int.random(in: 1...4, using: &random)
            var strengths = (0..<count).map { _ in Double.random(in: 0.01...1, using: &random) }
            let lengths = (0..<count).map { _ in Int64.random(in: 5...200, using: &random) }
            func glow() throws -> Double {
                let parts = try zip(strengths, lengths).map { Pattern.Part(try level($0, ms: $1)) }
                return try Pattern(name: "glow", parts: parts, sum: .glow).level(at: .zero).intensity.value
            }
            let before = try glow()
            #expect(before <= 1)
            #expect(count > 1 || before == strengths[0])
            strengths[0] = min(1, strengths[0] + 0.1)
            #expect(try glow() >= before)
        }
    }

    @Test("In a glow a layer four times as wide is half as strong, and layers do not drown each other")
    func glowWidths() throws {
        let parts = [Pattern.Part(try level(0.8, ms: 10)), .init(try level(0.8, ms: 40))]
        let glow = try Pattern(name: "glow", parts: parts, sum: .glow)
        #expect(abs(glow.level(at: .milliseconds(20)).intensity.value - 0.4) < 1e-12)
        #expect(abs(glow.level(at: .zero).intensity.value - (0.8 + 0.4 - 0.8 * 0.4)) < 1e-12)
        // Tracks are layers as well; a track of events is one layer.
        let event = HapticEvent(at: .zero, kind: .transient, intensity: .one, sharpness: .one)
        let tracks = try Pattern(
            name: "tracks", tracks: try level(0.8, ms: 32).tracks + [.events([event, event])], sum: .glow)
        #expect(abs(tracks.level(at: .milliseconds(20)).intensity.value - 0.4) < 1e-12)
        #expect(tracks.level(at: .zero).intensity == .one)
    }

    @Test("A bad part is refused, with its index")
    func badParts() throws {
        let tap = try level(1)
        let open = try Pattern(name: "open", phases: [.init(tap, until: .advanced)])
        func refused(_ part: Pattern.Part, _ reason: PatternError.Reason) {
            #expect(throws: PatternError.part(index: 1, reason)) { try Pattern(name: "w", parts: [.init(tap), part]) }
        }
        refused(.init(open), .open("open"))
        refused(.init(tap, repetitions: 0), .repetitions(0))
        refused(.init(tap, repetitions: 1025, interval: .milliseconds(1)), .repetitions(1025))
        refused(.init(tap, repetitions: 2), .time)
        refused(.init(tap, .at(Nanoseconds(-1))), .time)
        refused(.init(tap, .gap(.seconds(61))), .time)
        #expect(throws: PatternError.phase(index: 0, .time)) {
            try Pattern(name: "w", phases: [.init(tap, until: .released, upTo: .seconds(3601))])
        }
        #expect(throws: PatternError.phasesAndLayers) { try Pattern(name: "w", tracks: tap.tracks, phases: [.init(tap)]) }
        #expect(throws: PatternError.tooManyParts(257)) {
            try Pattern(name: "w", parts: [Pattern.Part](repeating: .init(tap), count: 257))
        }
        #expect(throws: PatternError.tooManyPhases(17)) {
            try Pattern(name: "w", phases: [Pattern.Phase](repeating: .init(tap), count: 17))
        }
        #expect(throws: PatternError.tooLong(.milliseconds(61_008))) {
            try Pattern(name: "w", parts: [.init(tap, repetitions: 62, interval: .seconds(1))])
        }
    }

    @Test("Entries and depth have a limit, which is still accepted")
    func limits() throws {
        let tap = try level(1)
        func repeated(_ count: Int) throws -> Pattern {
            try Pattern(name: "r", parts: [.init(tap, repetitions: count, interval: .milliseconds(10))])
        }
        let thousand = try repeated(1024)
        _ = try Pattern(name: "most", parts: [.init(thousand), .init(thousand)])
        #expect(throws: PatternError.tooMuchComposed(4098)) {
            try Pattern(name: "more", parts: [.init(thousand), .init(thousand), .init(tap)])
        }
        var nested = tap
        for _ in 2...8 { nested = try Pattern(name: "nested", parts: [.init(nested)]) }
        #expect(nested.level(at: .zero).intensity == .one)
        #expect(throws: PatternError.part(index: 0, .tooDeep("nested"))) { try Pattern(name: "deeper", parts: [.init(nested)]) }
    }
}
