// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@Suite("Rendering")
struct RenderingTests {
    @Test("1,000 random patterns give the frames of a slow rendering, at the cost that was estimated")
    func random() throws {
        var random = SplitMix64(seed: 12)
        for round in 0..<1000 {
            let pattern = try Self.pattern(&random)
            let slow = SlowRendering(pattern)
            #expect(Timeline(pattern).frames == slow.frames, "round \(round)")
            #expect(pattern.renderingCost == slow.cost, "round \(round)")
            for frame in slow.frames.prefix(20) where frame.level.isOn {
                #expect(pattern.level(at: frame.offset) == frame.level, "round \(round)")
            }
        }
    }

    @Test("A frame costs the same with 128 curves as with one")
    func curves() throws {
        func cost(_ curves: Int) throws -> Int {
            let all = (0..<curves).map { _ in ParameterCurve(parameter: .intensity, points: [.init(at: .zero, value: 1)]) }
            return try Pattern(name: "glide", tracks: [.keyframes(Self.glide(60))], parameterCurves: all).renderingCost
        }
        #expect(try cost(128) == cost(1))
    }

    @Test("A pattern that costs more than a file's may cannot be made, whatever it consists of")
    func tooMuch() throws {
        let long = HapticEvent(
            at: .zero, kind: .continuous(duration: .seconds(60), sustained: true), intensity: .one, sharpness: .one,
            attack: .seconds(60))
        let one = try Pattern(name: "one", tracks: [.events([long])])
        #expect(one.renderingCost == 12_000 * (8 + 2) + 8)
        let most = [HapticEvent](repeating: long, count: 829)
        _ = try Pattern(name: "most", tracks: [.events(most)])
        #expect(throws: PatternError.tooMuch) {
            try Pattern(name: "more", tracks: [.events(most), .events(most)])
        }
    }

    @Test("A budget that has too little left stays as it is")
    func budget() {
        var work = WorkBudget(10)
        let taken = [7, 4, 3].map { work.take($0) }
        #expect(taken == [true, false, true])
        #expect(work.left == 0)
        #expect(WorkBudget(lineOf: 1000, messages: 2).left == WorkBudget.line - 6800)
    }

    // MARK: Random patterns

    private static func glide(_ seconds: Int64) -> [Keyframe] {
        [
            Keyframe(at: .zero, intensity: .zero, sharpness: .zero),
            Keyframe(at: .seconds(seconds), intensity: .one, sharpness: .one),
        ]
    }

    static func pattern(_ random: inout SplitMix64) throws -> Pattern {
        let tracks = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Bool.random(using: &random) ? Pattern.Track.keyframes(keyframes(&random)) : .events(events(&random))
        }
        let curves = (0..<Int.random(in: 0...6, using: &random)).map { _ in curve(&random) }
        return try Pattern(name: "random", tracks: tracks, parameterCurves: curves)
    }

    /// Few different ones, so that many coincide.
    private static func time(_ random: inout SplitMix64) -> Nanoseconds {
        .microseconds(Int64.random(in: 0...60, using: &random) * 2500)
    }

    private static func times(_ count: Int, _ random: inout SplitMix64) -> [Nanoseconds] {
        var times = Set<Nanoseconds>()
        while times.count < count { times.insert(time(&random)) }
        return times.sorted()
    }

    private static func keyframes(_ random: inout SplitMix64) -> [Keyframe] {
        let spring = Spring(
            response: .milliseconds(Int64.random(in: 10...200, using: &random)),
            dampingFraction: Double.random(in: 0...1.5, using: &random))!
        let curves: [Easing] = [.step, .linear, .easeIn, .easeOut, .easeInOut, .spring(spring), .spring(.bouncy)]
        return times(Int.random(in: 2...6, using: &random), &random).map {
            Keyframe(
                at: $0, intensity: Intensity(clamping: Double(Int.random(in: 0...4, using: &random)) / 4),
                sharpness: Sharpness(clamping: Double(Int.random(in: 0...4, using: &random)) / 4),
                curve: curves.randomElement(using: &random)!)
        }
    }

    private static func events(_ random: inout SplitMix64) -> [HapticEvent] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            let isTap = Bool.random(using: &random)
            let kind = HapticEvent.Kind.continuous(duration: time(&random), sustained: Bool.random(using: &random))
            return HapticEvent(
                at: time(&random), kind: isTap ? .transient : kind,
                intensity: Intensity(clamping: Double.random(in: 0...0.6, using: &random)),
                sharpness: Sharpness(clamping: Double.random(in: 0...1, using: &random)), attack: isTap ? .zero : time(&random),
                decay: isTap ? .zero : time(&random), release: isTap ? .zero : time(&random))
        }
    }

    private static func curve(_ random: inout SplitMix64) -> ParameterCurve {
        let parameters: [ParameterCurve.Parameter] = [.intensity, .sharpness, .attackTime, .decayTime, .releaseTime]
        let parameter = parameters.randomElement(using: &random)!
        let range = parameter == .intensity ? 0.0...1.0 : parameter == .sharpness ? -1.0...1.0 : -0.05...0.05
        return ParameterCurve(
            parameter: parameter,
            points: times(Int.random(in: 1...4, using: &random), &random).map {
                .init(at: $0, value: Double.random(in: range, using: &random))
            })
    }
}
