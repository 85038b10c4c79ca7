// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@testable import haptic_walk

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Engine and executor together, judged by an oracle that knows neither")
struct WalkTests {
    /// `HAPTICD_PATTERNS` asks for more.
    private static let patterns = getenv("HAPTICD_PATTERNS").flatMap { Int(String(cString: $0)) } ?? 1000

    @Test("A change of level followed by a steady stretch is played to its end")
    func steadyStretch() {
        let shape = Shape(
            name: "hold",
            points: [.init(at: 0, value: 0.5), .init(at: 120_000_000, value: 1), .init(at: 500_000_000, value: 0)])
        #expect(PatternSweep.failure(of: shape) == nil)
    }

    @Test("Random patterns of steps, ramps and holds are played to their end")
    func patterns() {
        #expect(PatternSweep.failure(of: Self.patterns, from: 1) == nil)
    }

    private static let seeds: [UInt64] = [
        1_281_162_800, 3_517_369_674, 2926, 2_644_588_491, 2_904_699_312, 50, 165_592_273, 293, 324, 591, 2083, 3696, 6003,
        12, 20, 454, 2946, 4563, 2_280_264_780, 734_162_959,
    ]

    @Test("Seeds that have failed once pass", arguments: seeds)
    func failedOnce(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }

    @Test("The same seed does the same twice, without the service and with it", arguments: [2, 1] as [UInt64])
    func deterministic(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.trace == Walk.run(seed: seed).result.trace)
    }

    @Test("Clients of the service hear what they are to hear, whatever they do", arguments: [5, 9, 13, 17] as [UInt64])
    func service(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }
}

/// The oracle has an arithmetic of its own, which is held against examples here.
@Suite("What the oracle expects")
struct ExpectationTests {
    private let ramp = Shape(
        name: "ramp",
        points: [
            .init(at: 0, value: 0.25, reaches: 0.75), .init(at: 100, value: 0.75), .init(at: 200, value: 0),
            .init(at: 300, value: 1),
            .init(at: 400, value: 0),
        ])

    @Test("The oracle expects at each instant what the pattern says")
    func values() {
        #expect(
            [-1, 0, 50, 100, 199, 200, 299, 300, 399, 400].map { ramp.value(at: $0) } == [
                0, 0.25, 0.5, 0.75, 0.75, 0, 0, 1, 1, 0,
            ])
        #expect(ramp.range(50, 100) == (0.5, 0.75) && ramp.range(150, 250) == (0, 0.75) && ramp.range(310, 390) == (1, 1))
        #expect(ramp.felt == 400 && ramp.peak == 1)
        #expect(
            ramp.lastBelow(0.5, upTo: 150) == 50 && ramp.lastBelow(0.1, upTo: 150) == nil && ramp.lastBelow(0.1, upTo: 350) == 300
        )
    }

    @Test("The oracle expects the pattern at each step of a train, cut to two thirds of the gap, and in each repetition")
    func trains() {
        let shape = Shape(name: "pulse", points: [.init(at: 0, value: 1), .init(at: 60, value: 0)])
        let train = Expectation(shape, gain: 0.5, train: .init(steps: 3, length: 90, isCharge: false), repetitions: 2)
        // At 30, 60 and 90, the first two for 20; the next repetition 150 later.
        #expect(
            [29, 30, 49, 50, 60, 80, 90, 149, 150, 180].map { train.range($0, $0).high } == [
                0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, 0, 0.5,
            ])
        #expect(train.end == 300)
        #expect(train.range(45, 55) == (0, 0.5))
    }

    private let pulse = Shape(name: "pulse", points: [.init(at: 0, value: 1), .init(at: 60, value: 0)])
    private let beats = Shape(
        name: "beats", points: [.init(at: 0, value: 0.5), .init(at: 60, value: 0), .init(at: 2_000_000, value: 0)])

    @Test("The oracle expects the rounds of an open phase up to its longest time, and what follows once it has ended")
    func phases() {
        let movement = Movement(
            name: "open",
            phases: [
                .init(shape: pulse), .init(shape: beats, until: .released, upTo: 5_000_000),
                .init(shape: pulse, until: .advanced, upTo: 100), .init(shape: pulse),
            ])
        let whole = Expectation(movement, gain: 1)
        #expect([0, 59, 60, 119, 120, 2_000_060, 2_000_120].map { whole.range($0, $0).high } == [1, 1, 0.5, 0.5, 0, 0.5, 0])
        #expect(whole.end == 60 + 5_000_000 + 100 + 60)

        var released = whole
        #expect(released.phase(endedBy: .released, at: 1000) == 1)
        #expect(released.end(.released, through: 1, at: 1000) == .entered)
        #expect(released.end == 1000 + 100 + 60 && released.range(1000, 1000).high == 1)
        #expect(released.end(.released, through: 1, at: 1000) == .nothing)

        var early = whole
        #expect(early.end(.advanced, through: 2, at: 10) == .skipped && early.end == 60 + 5_000_000 + 60)
        #expect(early.end(.released, through: 1, at: 20) == .skipped && early.end == 120)

        var late = Expectation(Movement(name: "late", phases: [.init(shape: pulse, until: .released, upTo: 100)]), gain: 1)
        late.delay = 500
        #expect(late.end(.released, through: 0, at: 200) == .skipped && late.end == 200, "nothing is left of it")
    }

    @Test("The oracle expects both sides of a hand-over to be as strong together as the pattern, and each later one later")
    func spread() {
        let long = Shape(name: "long", points: [.init(at: 0, value: 1), .init(at: 1000, value: 0)])
        var (takes, gives) = (
            Expectation(long, gain: 1, train: nil, repetitions: 1), Expectation(long, gain: 1, train: nil, repetitions: 1)
        )
        (takes.fade, gives.fade) = (.init(takes: true, length: 600), .init(takes: false, length: 600))
        for offset in [1, 200, 300, 599] as [Int64] {
            let (a, b) = (takes.range(offset, offset).high, gives.range(offset, offset).high)
            #expect(abs(a * a + b * b - 1) < 1e-9)
        }
        #expect(abs(takes.range(200, 200).high - 0.5) < 1e-9, "the sine of a third of a right angle")
        #expect(takes.end == 1000 && gives.end == 600)
        var later = Expectation(long, gain: 1, train: nil, repetitions: 1)
        later.delay = 300
        #expect(later.range(299, 299).high == 0 && later.range(300, 300).high == 1 && later.end == 1300)
    }

    @Test("The oracle expects of layers their sum, cut at 1, and of light that two of them do not add up")
    func layers() {
        let half = Shape(name: "half", points: [.init(at: 0, value: 0.5), .init(at: 100, value: 0)])
        var layers = Layers()
        layers.layers = [
            .init(shape: half, at: 0, gain: 1), .init(shape: half, at: 50, gain: 0.5), .init(shape: pulse, at: 60, gain: 1),
        ]
        let sum = layers.shape("sum")
        #expect([0, 50, 60, 100, 120, 150].map { sum.value(at: $0) } == [0.5, 0.75, 1, 1, 0.25, 0])
        layers.layers.removeLast()
        layers.isGlow = true
        #expect(layers.shape("glow").value(at: 50) == 0.5 + 0.25 - 0.125)
    }
}
